/** The times that a merge request carries along, for those who track time. */

import type { Times } from '../../collaboration/time_stats/time_stats.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { lockMergeRequest } from './update.ts'

/** Locks a merge request and stores what `change` makes of its times, in seconds; 404 when it is gone. */
export async function setMergeRequestTimes({ db, now }: Context, id: number, change: (before: Times) => Partial<Times>) {
  await lockMergeRequest(db, id)
  const before = await db
    .selectFrom('merge_requests')
    .select(['time_estimate', 'total_time_spent'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const after = { ...before, ...change(before) }
  if (after.time_estimate !== before.time_estimate || after.total_time_spent !== before.total_time_spent)
    await db
      .updateTable('merge_requests')
      .set({ ...after, updated_at: now })
      .where('id', '=', id)
      .execute()
  return { before, after }
}
