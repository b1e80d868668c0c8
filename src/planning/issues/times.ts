/** The times that an issue carries along, for those who track time. */

import type { Times } from '../../collaboration/time_stats/time_stats.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { lockIssue } from './update.ts'

/** Locks an issue and stores what `change` makes of its times, in seconds; 404 when the issue is gone. */
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
