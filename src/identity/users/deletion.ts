/** The last step of deleting an account, the same for people and for bots. */
import { liveJobsOf } from '../../ci/pipelines/actions/of_user.ts'
import { stopSchedulesOf } from '../../ci/schedules/stopping.ts'
import { giveNotes, removeNotesOf } from '../../collaboration/notes/authorship.ts'
import { giveEpics, removeEpicsOf } from '../../planning/epics/authorship.ts'
import { giveIssues, removeIssuesOf } from '../../planning/issues/authorship.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { enqueue } from '../../platform/events/worker.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { giveMergeRequests, removeMergeRequestsOf } from '../../review/merge_requests/authorship.ts'
import { dropAutoMergesOf } from '../../review/merge_requests/merging/auto_merge.ts'
import { ghostId } from './ghost.ts'
import type { UserRow } from './queries.ts'

/** What is deleted of an account, and what is told of it afterwards. */
export type Leaving = Pick<UserRow, 'id' | 'username' | 'name' | 'email' | 'created_at' | 'updated_at'>

/**
 * Deletes an account: what goes on in its name ends, and what it wrote goes too with `writings: 'removed'`, or stays behind under the ghost
 * user's name. What the account owns (groups, projects) is the matter of the caller. `ctx.db` is a transaction.
 */
export async function deleteAccount(
  ctx: Context,
  account: Leaving,
  { writings }: { readonly writings: 'kept' | 'removed' },
): Promise<void> {
  const { db, actor } = ctx
  const { id, username, name, email, created_at, updated_at } = account
  await endWorkOf(ctx, id)
  if (writings === 'removed') {
    await removeNotesOf(ctx, id)
    await removeIssuesOf(ctx, id)
    await removeMergeRequestsOf(ctx, id)
    await removeEpicsOf(ctx, id)
  } else {
    const ghost = await ghostId(ctx)
    await giveNotes(db, id, ghost)
    await giveIssues(db, id, ghost)
    await giveMergeRequests(db, id, ghost)
    await giveEpics(db, id, ghost)
  }
  await db.deleteFrom('users').where('id', '=', id).execute()
  // A bot that revokes its own last token cannot be named as the one who did it: it is gone.
  const actorId = actor.user?.id === id ? undefined : actor.user?.id
  const was = { name, email, created_at, updated_at }
  await recordEvent(ctx, { kind: 'user.deleted', payload: { user_id: id, username, was }, actorId })
}

/**
 * Ends what goes on in the name of an account: automatic merges, schedules, and jobs, which a task fails. Before the account is deleted, for
 * afterwards nothing says whose they were; and before its notes are given away or removed, for notes are written in its name.
 */
async function endWorkOf(ctx: Context, user_id: number): Promise<void> {
  await dropAutoMergesOf(ctx, user_id)
  await stopSchedulesOf(ctx.db, user_id, ctx.now)
  const jobs = await liveJobsOf(ctx.db, user_id).execute()
  if (jobs.length > 0) await enqueue(ctx.db, 'drop_work_of_user', { user_id, job_ids: jobs.map(({ id }) => id) })
}
