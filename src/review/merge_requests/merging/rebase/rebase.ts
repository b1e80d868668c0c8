/**
 * Rebasing the source branch onto the target, in the background (document 3 "Merge request rebase"). The branch moves by
 * compare-and-swap: if a push comes between, the push is kept and the rebase fails.
 */

import { branchRights } from '../../../../code/protected_branches/rights.ts'
import { moveReferences } from '../../../../code/ref_updates/move.ts'
import { personOf } from '../../../../code/repository/commits/person.ts'
import { actingAs } from '../../../../platform/access/credentials/credentials.ts'
import { transact } from '../../../../platform/db/transact.ts'
import { enqueue } from '../../../../platform/events/worker.ts'
import { copyCommits, MergeConflict, missingBytes, type ObjectId, RefConflict, rebaseCommits } from '../../../../platform/git/index.ts'
import { type Context, type Deps, systemContext } from '../../../../platform/kernel/context.ts'
import { conflict, forbidden, Refusal, sentenceOf } from '../../../../platform/kernel/errors.ts'
import { visibleProject } from '../../../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectAllowing } from '../../../../spaces/projects/scope.ts'
import { withRoomForCopy } from '../../../../spaces/storage_limits/limits.ts'
import { type MergeRequestRow, mergeRequestById } from '../../queries.ts'
import { refreshMergeRequest } from '../pushed/refresh.ts'
import { branchRef, tipsOf } from '../tips.ts'
import { endRebase, isRebasing } from './rebase_state.ts'

/** Attempts for a rebase that fails unexpectedly, for instance because the server stops. */
const MOST_ATTEMPTS = 3

/** The source project with the actor's role there; undefined if they may not push to the source branch. */
async function sourceFor(ctx: Context, { source_project_id, source_branch }: MergeRequestRow): Promise<ProjectWithRole | undefined> {
  const project = source_project_id === null ? undefined : await visibleProject(ctx.db, ctx.actor, String(source_project_id))
  if (!project) return undefined
  const rights = await branchRights(ctx, project)
  return rights.mayPush(source_branch) && rights.allowsForce(source_branch) ? project : undefined
}

/** Would a request to rebase be accepted now? */
export async function mayRebase(ctx: Context, row: MergeRequestRow): Promise<boolean> {
  return row.state === 'opened' && !isRebasing(row, ctx.now) && ctx.actor.user !== undefined && (await sourceFor(ctx, row)) !== undefined
}

/**
 * Schedules a rebase of the source branch.
 * @throws Refusal 403 if the caller may not push to the source branch; 409 if it is not open or a rebase is in progress
 */
export async function requestRebase(ctx: Context, { id }: { id: number }, skip_ci: boolean): Promise<void> {
  const { db, actor, now } = ctx
  await db.selectFrom('merge_requests').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const row = (await mergeRequestById(db, id, null)) as MergeRequestRow
  // Contract: 403 with this text if the caller cannot push to the source branch (document 3 "PUT /rebase").
  if (!actor.user || !(await sourceFor(ctx, row))) throw forbidden('Cannot push to source branch')
  if (row.state !== 'opened') throw conflict('The merge request is not open')
  // Contract: 409 while one is in progress (merge requests API).
  if (isRebasing(row, now)) throw conflict('A rebase is under way already')
  await db.updateTable('merge_requests').set({ rebase_requested_at: now, merge_error: null }).where('id', '=', id).execute()
  const payload = { merge_request_id: id, user_id: actor.user.id, requested_at: now.toISOString(), skip_ci }
  await enqueue(db, 'rebase_merge_request', payload, { maxAttempts: MOST_ATTEMPTS })
}

/** Payload of the rebase job. */
export interface RebaseOrder {
  readonly merge_request_id: number
  readonly user_id: number
  readonly requested_at: string
  readonly skip_ci: boolean
}

/** Rebases if the request is still pending; an interrupted rebase starts again from the current branch. */
export async function rebaseMergeRequest(deps: Deps, order: RebaseOrder): Promise<void> {
  const { db } = deps.database
  const row = await mergeRequestById(db, order.merge_request_id, null)
  if (row?.rebase_requested_at == null || Date.parse(row.rebase_requested_at) !== Date.parse(order.requested_at)) return
  const actor = await actingAs(db, order.user_id)
  if (!actor) {
    await endRebase(db, order.merge_request_id, 'Rebase failed: the account of the user who asked for it is not active.')
    return
  }
  const ctx = systemContext(deps, db, actor)
  let failure: string | null
  try {
    failure = await rebase(ctx, row, order)
  } catch (error) {
    await endRebase(db, order.merge_request_id, 'Rebase failed: the repository could not be read. Please try again.')
    throw error
  }
  await transact(db, tx => endRebase(tx, order.merge_request_id, failure))
}

/** Rebases and returns the reason of a failure, or null. */
async function rebase(ctx: Context, row: MergeRequestRow, { skip_ci }: RebaseOrder): Promise<string | null> {
  // The endpoint asked for this; without it now, a fork would be given commits that its owner may no longer read.
  const isReader = row.state === 'opened' && (await projectAllowing(ctx, String(row.project_id), 'read_merge_request')) !== undefined
  const project = ctx.actor.user && isReader ? await sourceFor(ctx, row) : undefined
  const { target, source, start, head } = await tipsOf(ctx, row)
  if (!project || !target || !source || start === undefined || head === undefined)
    return 'Rebase failed: the source branch cannot be pushed to.'
  try {
    // Fetch the commits of the target if the source branch is in another repository.
    if (source.path !== target.path) {
      const bring = () => copyCommits(source, target, [start])
      await withRoomForCopy(ctx.deps, project, () => missingBytes(source, target, start), bring)
    }
    const tip = await rebaseCommits(source, { source: head, onto: start, committer: personOf(ctx.actor), now: ctx.now })
    if (tip !== head) await move(ctx, project, row, head, tip, skip_ci)
    // While the rebase is in progress, so that a client that waits for its end finds the new version.
    await refreshMergeRequest(ctx, row.id)
    return null
  } catch (error) {
    // Contract: the failure is reported in `merge_error` (document 3 "Merge request rebase").
    if (error instanceof Refusal) return `Rebase failed: ${sentenceOf(error)}`
    if (error instanceof MergeConflict) return 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.'
    if (error instanceof RefConflict) return 'Rebase failed: the source branch was updated meanwhile. Please try again.'
    throw error
  }
}

async function move(
  ctx: Context,
  project: ProjectWithRole,
  row: MergeRequestRow,
  old: ObjectId,
  tip: ObjectId,
  skip_ci: boolean,
): Promise<void> {
  const moves = [{ ref: branchRef(row.source_branch), old, new: tip }]
  await moveReferences(ctx, project, moves, skip_ci ? { options: ['ci.skip'] } : {})
}
