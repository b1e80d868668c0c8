/** Time tracking columns of issues. */

import { moveTimelogs } from '../../../collaboration/time_tracking/commands.ts'
import type { Times, TimesOfKind } from '../../../collaboration/time_tracking/time_stats.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { recordIssueChange } from '../changes/changed.ts'
import { lockIssue } from '../changes/update.ts'
import { type IssueRow, issueById } from '../queries.ts'

/** Locks an issue and stores the times that `change` computes, in seconds; 404 if it was deleted. */
export async function setIssueTimes({ db, now }: Context, id: number, change: (before: Times) => Partial<Times>) {
  await lockIssue(db, id)
  const before = await db.selectFrom('issues').select(['time_estimate', 'total_time_spent']).where('id', '=', id).executeTakeFirstOrThrow()
  const after = { ...before, ...change(before) }
  if (after.time_estimate !== before.time_estimate || after.total_time_spent !== before.total_time_spent)
    await db
      .updateTable('issues')
      .set({ ...after, updated_at: now })
      .where('id', '=', id)
      .execute()
  return { before, after }
}

/** How the times of issues are stored. */
export const issueTimes: TimesOfKind = {
  set: setIssueTimes,
  record: async (ctx, id, changes) => recordIssueChange(ctx, (await issueById(ctx.db, id, null)) as IssueRow, changes),
}

/** Copies estimate and spent time of an issue to the issue that it was moved to, and moves its log. */
export async function copyTimes(ctx: Context, fromId: number, toId: number): Promise<void> {
  const { before } = await setIssueTimes(ctx, fromId, () => ({ time_estimate: 0, total_time_spent: 0 }))
  await setIssueTimes(ctx, toId, () => before)
  await moveTimelogs(ctx.db, fromId, toId)
}
