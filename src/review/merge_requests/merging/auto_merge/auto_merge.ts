/** Merging when the pipeline has succeeded (document 3 "Merge request": `merge_when_pipeline_succeeds`). */

import { branchRights } from '../../../../code/protected_branches/rights.ts'
import { insertNotes } from '../../../../collaboration/notes/writing/write.ts'
import { anonymous } from '../../../../platform/access/actor.ts'
import { authorOf } from '../../../../platform/access/credentials/credentials.ts'
import type { Db } from '../../../../platform/db/connection.ts'
import { transact } from '../../../../platform/db/transact.ts'
import { recordEvent } from '../../../../platform/events/events.ts'
import { type Context, type Deps, systemContext } from '../../../../platform/kernel/context.ts'
import { methodNotAllowed, unauthenticated } from '../../../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../../../spaces/projects/scope.ts'
import { lockMergeRequest } from '../../changes/update.ts'
import { type MergeRequestRow, mergeRequestById } from '../../queries.ts'
import type { MergeOptions } from '../plan.ts'

/** The columns of a row without an automatic merge. */
export const noAutoMerge = { merge_when_pipeline_succeeds: false, merge_user_id: null, auto_merge_sha: null } as const

/** Sets the automatic merge for the caller, who may merge; it applies to the present commits. `ctx.db` is a transaction. */
export async function autoMergeOn(ctx: Context, mergeRequest: MergeRequestRow, options: MergeOptions): Promise<void> {
  const { db, actor, now } = ctx
  if (!actor.user) throw unauthenticated()
  await lockMergeRequest(db, mergeRequest.id)
  await db
    .updateTable('merge_requests')
    .set({
      merge_when_pipeline_succeeds: true,
      merge_user_id: actor.user.id,
      auto_merge_sha: mergeRequest.head_sha,
      merge_commit_message: options.merge_commit_message ?? null,
      squash_commit_message: options.squash_commit_message ?? null,
      should_remove_source_branch: options.should_remove_source_branch ?? null,
      ...(options.squash === undefined ? {} : { squash: options.squash }),
      updated_at: now,
    })
    .where('id', '=', mergeRequest.id)
    .execute()
  await tell(ctx, mergeRequest.id, `enabled an automatic merge when the pipeline for ${mergeRequest.head_sha} succeeds`)
  await recordEvent(db, {
    kind: 'merge_request.auto_merge_set',
    payload: { merge_request_id: mergeRequest.id },
    actorId: actor.user.id,
    projectId: mergeRequest.project_id,
  })
}

/**
 * Cancels an automatic merge. Contract: cancelling one that is not set is not an error, the response says `false` (document 3).
 * @throws Refusal 401 for a user who neither may merge nor wrote the merge request; 405 if it is not open
 */
export async function cancelAutoMerge(ctx: Context, project: ProjectWithRole, { id }: { id: number }): Promise<MergeRequestRow> {
  const { db, actor } = ctx
  await lockMergeRequest(db, id)
  const row = (await mergeRequestById(db, id, project.full_path)) as MergeRequestRow
  const isAuthor = actor.user?.id === row.author_id
  if (!isAuthor && !(await branchRights(ctx, project)).mayMerge(row.target_branch)) throw unauthenticated()
  if (row.state !== 'opened') throw methodNotAllowed()
  if (!row.merge_when_pipeline_succeeds) return row
  await db
    .updateTable('merge_requests')
    .set({ ...noAutoMerge, updated_at: ctx.now })
    .where('id', '=', id)
    .execute()
  await tell(ctx, id, 'canceled the automatic merge')
  return (await mergeRequestById(db, id, project.full_path)) as MergeRequestRow
}

/** Ends an automatic merge whose precondition no longer holds, with `reason` in the note. Does nothing if none is set. */
export async function abortAutoMerge(
  ctx: Context,
  row: Pick<MergeRequestRow, 'id' | 'merge_when_pipeline_succeeds'>,
  reason: string,
): Promise<void> {
  if (!row.merge_when_pipeline_succeeds) return
  await ctx.db.updateTable('merge_requests').set(noAutoMerge).where('id', '=', row.id).execute()
  await tell(ctx, row.id, `aborted the automatic merge because ${reason}`)
}

/**
 * Ends an automatic merge, or a merge requested by a quick action, because the user who requested it may not merge (any more). The
 * reason is stored in `merge_error`, and in a system note by that user if the account still exists.
 */
export async function cancelPendingMerge(deps: Deps, id: number, userId: number | null, reason: string): Promise<void> {
  await transact(deps.database.db, async db => {
    if (!(await recordFailure(db, id, reason))) return
    await tell(systemContext(deps, db, (await authorOf(db, userId)) ?? anonymous), id, `aborted the automatic merge because ${reason}`)
  })
}

/** Ends all automatic merges set by a user whose account is no longer active. Idempotent. */
export async function cancelPendingMergesOf(deps: Deps, userId: number): Promise<void> {
  for (const { id } of await autoMergesOf(deps.database.db, userId))
    await cancelPendingMerge(deps, id, userId, 'the account of the user who asked for it is not active')
}

/** Ends all automatic merges of a user who is about to be deleted; afterwards their owner is unknown. `ctx.db` is a transaction. */
export async function dropAutoMergesOf(ctx: Context, userId: number): Promise<void> {
  const reason = 'the account of the user who asked for it was deleted'
  const actor = (await authorOf(ctx.db, userId)) ?? anonymous
  for (const { id } of await autoMergesOf(ctx.db, userId))
    if (await recordFailure(ctx.db, id, reason)) await tell({ ...ctx, actor }, id, `aborted the automatic merge because ${reason}`)
}

const autoMergesOf = (db: Db, userId: number): Promise<{ id: number }[]> =>
  db
    .selectFrom('merge_requests')
    .select('id')
    .where('merge_user_id', '=', userId)
    .where('merge_when_pipeline_succeeds', '=', true)
    .where('state', '=', 'opened')
    .orderBy('id')
    .execute()

/** Ends an automatic merge and stores the reason in `merge_error`; false if the merge request is no longer open. */
export async function recordFailure(db: Db, id: number, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('merge_requests')
    .set({ ...noAutoMerge, merge_error: `The automatic merge failed: ${reason}.` })
    .where('id', '=', id)
    .where('state', '=', 'opened')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function tell({ db, actor, now }: Context, merge_request_id: number, body: string): Promise<void> {
  if (actor.user) await insertNotes(db, [{ merge_request_id, author_id: actor.user.id, action: 'merge', body, created_at: now }])
}
