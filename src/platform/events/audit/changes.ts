/** The changed fields of an update, for events that the audit log shows field by field. */
import type { ChangeSet } from './kinds.ts'

/** Fields whose values are never shown, whatever table they are in. */
const withheld = /token|password|secret|digest|credential|private_key|import_url/

/** Switches and limits are not secrets, whatever their names. */
const mayBeSecret = (value: unknown): boolean => typeof value !== 'boolean' && typeof value !== 'number'

/**
 * The fields among `fields` whose value differs between two rows. A field that is absent or undefined in `after` keeps its value. For a
 * field that may hold a secret only the fact of a change is recorded.
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

/** The same for all fields of `after` except the cosmetic ones. */
export const changesExcept = (before: object, after: object, cosmetic: readonly string[]): ChangeSet =>
  changesBetween(
    before,
    after,
    Object.keys(after).filter(field => !cosmetic.includes(field)),
  )

/** A value in which no text stands under a name of a secret. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [name, withheld.test(name) && mayBeSecret(held) ? '[withheld]' : withoutSecrets(held)]),
  )
}

/** Has anything changed? */
export const isChanged = (changes: ChangeSet): boolean => Object.keys(changes).length > 0

/** A form sends an empty text or an unticked box for what was never set. */
const isUnset = (value: unknown): boolean => value === undefined || value === null || value === '' || value === false

const isSame = (from: unknown, to: unknown): boolean =>
  comparable(from) === comparable(to) || ((from ?? null) === null && isUnset(to)) || ((to ?? null) === null && isUnset(from))

/** Absent and null are equal; lists and dates are compared by value. */
function comparable(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : value
}
