/** For how long archives that were made can be downloaded. */
import { type RawBuilder, sql } from 'kysely'

/** Contract: a day (import and export of projects and of groups at 14.0). */
export const HOURS_KEPT = 24

/** Is an export of a table of exports over, and too old to be downloaded? The object store sweeps the bytes of those that are deleted. */
export function isExpired(now: Date): RawBuilder<boolean> {
  const before = new Date(now.getTime() - HOURS_KEPT * 60 * 60 * 1000)
  return sql<boolean>`state in ('finished', 'failed') and created_at < ${before} and (finished_at is null or finished_at < ${before})`
}
