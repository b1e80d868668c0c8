/** What package managers publish: what of their metadata can be kept, and what they are answered. */
import Type from 'typebox'
import { entity } from '../../../../platform/kernel/answer/entity.ts'
import { text } from '../../../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../../../platform/kernel/errors.ts'
import { isStorable } from '../../../../platform/kernel/request/params.ts'

/** That it was published. */
export const PackagePublished = entity({
  name: 'PackagePublished',
  schema: Type.Object({ message: text('That it was published') }),
  present: (_row: object) => ({ message: '201 Created' }),
})

/** 400 for what is no package of its kind, in the platform's words. */
export const unfitPackage = (says: string): Refusal => new Refusal('bad_request', { message: `Validation failed: ${says}` })

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
