/** Merging immediately, or when the pipeline has succeeded (document 3 `merge_when_pipeline_succeeds`). */

import { pipelineById } from '../../../../ci/pipelines/queries.ts'
import { alive } from '../../../../ci/states.ts'
import { branchRights } from '../../../../code/protected_branches/rights.ts'
import { actingAs } from '../../../../platform/access/credentials/credentials.ts'
import { transact } from '../../../../platform/db/transact.ts'
import type { Events } from '../../../../platform/events/catalog.ts'
import { type Context, type Deps, systemContext } from '../../../../platform/kernel/context.ts'
import { Refusal, unauthenticated } from '../../../../platform/kernel/errors.ts'
import { type ProjectWithRole, projectAllowing } from '../../../../spaces/projects/scope.ts'
import { headPipelinesOf } from '../../../merge_request_pipelines/queries.ts'
import type { DetailedRow } from '../../details/details.ts'
import { type MergeRequestRow, mergeRequestById } from '../../queries.ts'
import { assertHead, mergeNow } from '../merge.ts'
import { mergeBlocker } from '../mergeability/blockers.ts'
import type { MergeOptions } from '../plan.ts'
import { refreshMergeRequest } from '../pushed/refresh.ts'
import { autoMergeOn, cancelPendingMerge, recordFailure } from './auto_merge.ts'

/**
 * Merges, or, if `mayWait` and a pipeline is running, sets the automatic merge. Merges immediately if there is no pipeline to wait for.
 * Not to be called inside a transaction.
 */
export async function mergeOrWait(
  ctx: Context,
  project: ProjectWithRole,
  seen: MergeRequestRow,
  options: MergeOptions,
  mayWait: boolean,
): Promise<DetailedRow> {
  if (!mayWait) return mergeNow(ctx, project, seen, options)
  const { id } = seen
  await refreshMergeRequest(ctx, id)
  const row = (await mergeRequestById(ctx.db, id, project.full_path)) as MergeRequestRow
  if (!(await mustWait(ctx, row))) return mergeNow(ctx, project, row, options)
  if (!(await branchRights(ctx, project)).mayMerge(row.target_branch)) throw unauthenticated()
  assertHead(row, options)
  await transact(ctx.db, db => autoMergeOn({ ...ctx, db }, row, options))
  return (await mergeRequestById(ctx.db, id, project.full_path)) as MergeRequestRow
}

/** Is a pipeline running for it, whether or not the project requires one to succeed? Any other blocker is refused immediately. */
async function mustWait(ctx: Context, row: MergeRequestRow): Promise<boolean> {
  const obstacle = await mergeBlocker(ctx, row)
  if (obstacle !== undefined) return obstacle === 'ci_still_running'
  const pipeline = (await headPipelinesOf(ctx.db, [row])).get(row.id)
  return pipeline !== undefined && alive.includes(pipeline.status)
}

/** After a pipeline has succeeded, merges the merge requests that wait for it as their head pipeline. Idempotent. */
export async function mergeWaiting(deps: Deps, { pipeline_id, status }: Events['pipeline.updated']): Promise<void> {
  if (status !== 'success') return
  const { db } = deps.database
  const pipeline = await pipelineById(db, pipeline_id)
  if (pipeline?.status !== 'success') return
  const waiting = await db
    .selectFrom('merge_requests')
    .select('id')
    .where('source_project_id', '=', pipeline.project_id)
    .where('auto_merge_sha', '=', pipeline.sha)
    .where('merge_when_pipeline_succeeds', '=', true)
    .where('state', '=', 'opened')
    .orderBy('id')
    .execute()
  const heads = await headPipelinesOf(db, waiting)
  for (const { id } of waiting) if (heads.get(id)?.id === pipeline_id) await mergeAfterPipeline(deps, { id, sha: pipeline.sha })
}

/**
 * Merges after the pipeline for `sha` has succeeded, as the user who set the automatic merge, if they may still merge. A refused merge
 * is cancelled, and `merge_error` says why.
 */
export async function mergeAfterPipeline(deps: Deps, { id, sha }: { id: number; sha: string }): Promise<void> {
  const row = await mergeRequestById(deps.database.db, id, null)
  if (row?.state !== 'opened' || !row.merge_when_pipeline_succeeds || row.auto_merge_sha !== sha) return
  const options: MergeOptions = {
    sha,
    merge_commit_message: row.merge_commit_message ?? undefined,
    squash_commit_message: row.squash_commit_message ?? undefined,
    should_remove_source_branch: row.should_remove_source_branch ?? undefined,
  }
  await mergeFor(deps, row, row.merge_user_id, (ctx, project) => mergeNow(ctx, project, row, options))
}

/**
 * Carries out a merge that a user requested by a quick action, now or after the pipeline; `sha` is the tip of the source branch at that
 * time. A refused merge is cancelled, and `merge_error` says why.
 */
export async function mergeOnRequest(
  deps: Deps,
  { merge_request_id: id, user_id, sha }: { merge_request_id: number; user_id: number; sha: string | null },
): Promise<void> {
  const row = await mergeRequestById(deps.database.db, id, null)
  if (row?.state !== 'opened') return
  await mergeFor(deps, row, user_id, (ctx, project) => mergeOrWait(ctx, project, row, { sha: sha ?? undefined }, true))
}

/** Merges on behalf of a user who requested it earlier: account, role and branch protection are evaluated as they are now. */
async function mergeFor(
  deps: Deps,
  row: MergeRequestRow,
  userId: number | null,
  merge: (ctx: Context, project: ProjectWithRole) => Promise<unknown>,
): Promise<void> {
  const { db } = deps.database
  const actor = await actingAs(db, userId)
  if (!actor) return cancelPendingMerge(deps, row.id, userId, 'the account of the user who asked for it is not active')
  const ctx = systemContext(deps, db, actor)
  const project = await projectAllowing(ctx, String(row.project_id), 'read_merge_request')
  if (!project || !(await branchRights(ctx, project)).mayMerge(row.target_branch))
    return cancelPendingMerge(deps, row.id, userId, 'the user who asked for it may no longer merge into the target branch')
  try {
    await merge(ctx, project)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await recordFailure(db, row.id, 'the merge request could not be merged')
  }
}
