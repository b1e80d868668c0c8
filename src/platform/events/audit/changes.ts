/** What an update changes, for the events that the audit log shows field by field. */
import type { ChangeSet } from '../events.ts'

/** Fields whose values are shown to nobody, whatever table they are of. */
const withheld = /token|password|secret|digest|credential|private_key|import_url/

/** Switches and limits are no secrets, whatever their names say. */
const mayBeSecret = (value: unknown): boolean => typeof value !== 'boolean' && typeof value !== 'number'

/**
 * The fields among `fields` whose value differs between two rows. A field that is absent or undefined in `after` keeps its value.
 * Of a field that may hold a secret only the fact is told.
 */
export function changesBetween(before: object, after: object, fields: readonly string[]): ChangeSet {
  const [old, given] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const changes: Record<string, { from: unknown; to: unknown }> = {}
  for (const field of fields) {
    const to = given[field]
    if (to === undefined || isSame(old[field], to)) continue
    changes[field] = withheld.test(field) && mayBeSecret(to) ? { from: null, to: '[withheld]' } : { from: old[field] ?? null, to }
  }
  return changes
}

/** The same of all fields of `after`, without those that are only for show. */
export const changesExcept = (before: object, after: object, cosmetic: readonly string[]): ChangeSet =>
  changesBetween(
    before,
    after,
    Object.keys(after).filter(field => !cosmetic.includes(field)),
  )

/** Has anything changed? */
export const isChanged = (changes: ChangeSet): boolean => Object.keys(changes).length > 0

const isSame = (from: unknown, to: unknown): boolean => comparable(from) === comparable(to)

/** Absent and null are the same; lists and dates are compared by what they hold. */
function comparable(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : value
}
