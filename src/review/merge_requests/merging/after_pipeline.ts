/** Merging at once, or after the pipeline (document 3 `merge_when_pipeline_succeeds`). */

import { pipelineById } from '../../../ci/pipelines/queries.ts'
import { alive } from '../../../ci/states.ts'
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { actingAs } from '../../../platform/access/credentials.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { Events } from '../../../platform/events/events.ts'
import { type Context, type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { Refusal, unauthenticated } from '../../../platform/kernel/errors.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { headPipelinesOf } from '../../merge_request_pipelines/queries.ts'
import type { DetailedRow } from '../details.ts'
import { type MergeRequestRow, mergeRequestById } from '../queries.ts'
import { autoMergeOn, cancelPendingMerge, recordFailure } from './auto_merge.ts'
import { mergeBlocker } from './blockers.ts'
import { assertHead, mergeNow } from './merge.ts'
import type { MergeOptions } from './options.ts'
import { refreshMergeRequest } from './pushed/refresh.ts'

/**
 * Merges, or, where that is wished and a pipeline is under way, keeps the wish until it has succeeded. Without a pipeline to wait
 * for it is merged at once. Not to be called inside a transaction.
 */
export async function mergeOrWait(
  ctx: Context,
  project: ProjectWithRole,
  seen: MergeRequestRow,
  wish: MergeOptions,
  mayWait: boolean,
): Promise<DetailedRow> {
  if (!mayWait) return mergeNow(ctx, project, seen, wish)
  const { id } = seen
  await refreshMergeRequest(ctx, id)
  const row = (await mergeRequestById(ctx.db, id, project.full_path)) as MergeRequestRow
  if (!(await mustWait(ctx, row))) return mergeNow(ctx, project, row, wish)
  if (!(await branchRights(ctx, project)).mayMerge(row.target_branch)) throw unauthenticated()
  assertHead(row, wish)
  await transact(ctx.db, db => autoMergeOn({ ...ctx, db }, row, wish))
  return (await mergeRequestById(ctx.db, id, project.full_path)) as MergeRequestRow
}

/** Is a pipeline under way for it, whether or not the project asks for one that has succeeded? What else stands against the merge is told at once. */
async function mustWait(ctx: Context, row: MergeRequestRow): Promise<boolean> {
  const obstacle = await mergeBlocker(ctx, row)
  if (obstacle !== undefined) return obstacle === 'ci_still_running'
  const pipeline = (await headPipelinesOf(ctx.db, [row])).get(row.id)
  return pipeline !== undefined && alive.includes(pipeline.status)
}

/** A pipeline has succeeded: merges what waits for it, where it is the one that speaks for the merge request. Idempotent. */
export async function mergeWhatWaits(deps: Deps, { pipeline_id, status }: Events['pipeline.updated']): Promise<void> {
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
 * The pipeline for `sha` has succeeded: merges what waits for it, as the user who set the automatic merge, if they may merge now. A merge
 * that is refused is given up, and `merge_error` says why.
 */
export async function mergeAfterPipeline(deps: Deps, { id, sha }: { id: number; sha: string }): Promise<void> {
  const row = await mergeRequestById(deps.database.db, id, null)
  if (row?.state !== 'opened' || !row.merge_when_pipeline_succeeds || row.auto_merge_sha !== sha) return
  const wish: MergeOptions = {
    sha,
    merge_commit_message: row.merge_commit_message ?? undefined,
    squash_commit_message: row.squash_commit_message ?? undefined,
    should_remove_source_branch: row.should_remove_source_branch ?? undefined,
  }
  await mergeFor(deps, row, row.merge_user_id, (ctx, project) => mergeNow(ctx, project, row, wish))
}

/**
 * Merges in the background what a user has asked to be merged by a quick action, now or after the pipeline; `sha` is where the source
 * branch was then. A merge that is refused is given up, and `merge_error` says why.
 */
export async function mergeAsAsked(
  deps: Deps,
  { merge_request_id: id, user_id, sha }: { merge_request_id: number; user_id: number; sha: string | null },
): Promise<void> {
  const row = await mergeRequestById(deps.database.db, id, null)
  if (row?.state !== 'opened') return
  await mergeFor(deps, row, user_id, (ctx, project) => mergeOrWait(ctx, project, row, { sha: sha ?? undefined }, true))
}

/** Merges in the name of a user who asked for it before: account, role and protection count as they are now. */
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
  const project = await visibleProject(db, actor, String(row.project_id))
  if (!project || !(await branchRights(ctx, project)).mayMerge(row.target_branch))
    return cancelPendingMerge(deps, row.id, userId, 'the user who asked for it may no longer merge into the target branch')
  try {
    await merge(ctx, project)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await recordFailure(db, row.id, 'the merge request could not be merged')
  }
}
