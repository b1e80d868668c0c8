/** Time tracking columns of merge requests. */

import type { Times, TimesOfKind } from '../../../collaboration/time_tracking/time_stats.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { recordMergeRequestChange } from '../changes/changed.ts'
import { lockMergeRequest } from '../changes/update.ts'
import { type MergeRequestRow, mergeRequestById } from '../queries.ts'

/** Locks a merge request and stores the times that `change` computes, in seconds; 404 if it was deleted. */
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

/** How the times of merge requests are stored. */
export const mergeRequestTimes: TimesOfKind = {
  set: setMergeRequestTimes,
  record: async (ctx, id, changes) => recordMergeRequestChange(ctx, (await mergeRequestById(ctx.db, id, null)) as MergeRequestRow, changes),
}
