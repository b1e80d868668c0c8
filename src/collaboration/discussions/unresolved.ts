/** Counts of unresolved threads. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** The number of unresolved threads by merge request id; merge requests without any are missing. One statement. */
export async function unresolvedThreads(db: Db, mergeRequestIds: readonly number[]): Promise<Map<number, number>> {
  if (mergeRequestIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('notes')
    .select(({ fn, ref }) => [ref('merge_request_id').$notNull().as('id'), fn.count<number>('discussion_id').distinct().as('count')])
    .where('merge_request_id', '=', anyOf(mergeRequestIds))
    .where('resolvable', '=', true)
    .where('resolved_at', 'is', null)
    .groupBy('merge_request_id')
    .execute()
  return new Map(rows.map(row => [row.id, row.count]))
}
