/** What publishers say of a version in a file of theirs, as far as it can be kept with the package. Pure. */
import { isStorable } from '../../../platform/kernel/request/params.ts'

/** Lists and maps within each other. */
const MOST_LEVELS = 64

/** Whether the database can keep the value: of so many bytes as JSON, not nested too deeply, and without text that it refuses. */
export const isKeepable = (value: unknown, mostBytes: number): boolean =>
  hasKeepableTexts(value, MOST_LEVELS) && Buffer.byteLength(JSON.stringify(value)) <= mostBytes

function hasKeepableTexts(value: unknown, levels: number): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.entries(value).every(([name, inner]) => isStorable(name) && hasKeepableTexts(inner, levels - 1))
}
