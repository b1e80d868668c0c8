/** Pipelines of merge requests, for CI files whose rules ask for them (`merge_request_event`). */

import { skipsCi } from '../../ci/config/skip.ts'
import { ciFileOf } from '../../ci/config/sources.ts'
import { grantPipeline } from '../../ci/pipeline_creation/create.ts'
import type { Granted } from '../../ci/pipeline_creation/input.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import type { Events } from '../../platform/events/events.ts'
import type { RecordedEvent } from '../../platform/events/recorded.ts'
import { readCommit } from '../../platform/git/objects/objects.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { invalid, methodNotAllowed } from '../../platform/kernel/errors.ts'
import { type Origin, originOf } from '../../spaces/projects/origin.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { type MergeRequestRow, mergeRequestById } from '../merge_requests/queries.ts'

/**
 * Makes a pipeline of a merge request, by request.
 * @throws Refusal 405 where it has no commits; 400 with what stands against it under `base`
 */
export async function createMergeRequestPipeline(ctx: Context, mergeRequest: MergeRequestRow): Promise<PipelineRow> {
  const granted = await grant(ctx, mergeRequest, { quietly: false })
  if (!granted) throw methodNotAllowed()
  if (granted.kind === 'refused') throw invalid({ base: [...granted.errors] })
  return granted.pipeline
}

/** A merge request was made: it has its pipeline, where the CI file wants one. */
export async function followMergeRequest(
  deps: Deps,
  { merge_request_id }: Events['merge_request.created'],
  event: RecordedEvent<'merge_request.created'>,
  origin: Origin = originOf(deps, event),
): Promise<void> {
  const ctx = await origin.context()
  if (ctx) await pipelineForNewCommits(ctx, merge_request_id)
}

/** A merge request has new commits: it has a pipeline of them, unless it has one already. Not to be called inside a transaction. */
export async function pipelineForNewCommits(ctx: Context, mergeRequestId: number): Promise<void> {
  const mergeRequest = await mergeRequestById(ctx.db, mergeRequestId, null)
  if (mergeRequest?.state !== 'opened' || mergeRequest.head_sha === null) return
  const made = await ctx.db
    .selectFrom('pipelines')
    .select('id')
    .where('merge_request_id', '=', mergeRequestId)
    .where('sha', '=', mergeRequest.head_sha)
    .where('source', '=', 'merge_request_event')
    .limit(1)
    .executeTakeFirst()
  if (!made) await grant(ctx, mergeRequest, { quietly: true, requestKey: `merge_request:${mergeRequestId}:${mergeRequest.head_sha}` })
}

/** Undefined where there is nothing that it could run of. One from a fork runs in the fork, as a branch of that. */
async function grant(
  ctx: Context,
  mergeRequest: MergeRequestRow,
  { quietly, requestKey }: { readonly quietly: boolean; readonly requestKey?: string },
): Promise<Granted | undefined> {
  const { id, iid, project_id, source_project_id, source_branch, head_sha } = mergeRequest
  const project = source_project_id === null ? undefined : await visibleProject(ctx.db, ctx.actor, String(source_project_id))
  const repository = project && (await findRepository(ctx.deps.storages, project))
  if (!project || !repository || head_sha === null) return undefined
  // Most projects have no CI file.
  if (quietly && !(await ciFileOf(ctx, project, head_sha))) return undefined
  if (quietly && skipsCi((await readCommit(repository, head_sha))?.message ?? '')) return undefined
  return grantPipeline(ctx, project, {
    source: 'merge_request_event',
    ref: source_project_id === project_id ? `refs/merge-requests/${iid}/head` : `refs/heads/${source_branch}`,
    sha: head_sha,
    merge_request_id: id,
    requestKey,
    quietly,
  })
}
