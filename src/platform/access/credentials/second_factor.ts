/**
 * Who must have a second factor, and until when they have time. The instance, or a group, requires it; that of a group holds for its members and for
 * those of the groups above and below it, as the platform has it. The shortest of their periods of grace counts, from when the user first came.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { isCurrentMembership } from '../memberships.ts'

/** What a row says of its user. */
export interface SecondFactorRow {
  readonly two_factor_enabled: boolean
  readonly two_factor_grace_from: string | null
  /** Hours; null where nothing requires a second factor. */
  readonly two_factor_grace_hours: number | null
}

/** The columns of it, of the user `o` under the settings `a`. */
export const secondFactorColumns: RawBuilder<SecondFactorRow> = sql<SecondFactorRow>`
  o.two_factor_enabled, o.two_factor_grace_from,
  least(
    case when a.require_two_factor_authentication or (a.require_admin_two_factor_authentication and o.admin) then a.two_factor_grace_period end,
    (select min(g.two_factor_grace_period) from namespaces g
      where g.require_two_factor_authentication
        and exists (select from members m join namespaces h on h.id = m.namespace_id
                     where m.user_id = o.id and ${isCurrentMembership()}
                       and (h.traversal_ids @> array[g.id] or g.traversal_ids @> array[h.id])))
  )::int as two_factor_grace_hours`

/** When the time for setting up a second factor is over, in milliseconds; undefined where none is missing. */
export function secondFactorDue(row: SecondFactorRow, now: Date): number | undefined {
  if (row.two_factor_enabled || row.two_factor_grace_hours === null) return undefined
  const from = row.two_factor_grace_from === null ? now.getTime() : Date.parse(row.two_factor_grace_from)
  return from + row.two_factor_grace_hours * 3_600_000
}

/** Keeps when the time of a user began, and forgets it once no second factor is missing. */
export async function noteGrace(db: Db, userId: number, row: SecondFactorRow, now: Date): Promise<void> {
  const isMissing = secondFactorDue(row, now) !== undefined
  if (isMissing === (row.two_factor_grace_from !== null)) return
  await sql`update users set two_factor_grace_from = ${isMissing ? now : null} where id = ${userId}`.execute(db)
}

/** What is required of a user now. */
export async function secondFactorOf(db: Db, userId: number): Promise<SecondFactorRow | undefined> {
  const { rows } = await sql<SecondFactorRow>`
    select ${secondFactorColumns} from users o cross join application_settings a where o.id = ${userId}`.execute(db)
  return rows[0]
}
