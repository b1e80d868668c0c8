/** Merge request pipelines, for CI files with rules for `merge_request_event`. */

import { ciFileOf, RemoteNeeded, skipsCi } from '../../ci/config/index.ts'
import { tryCreatePipeline } from '../../ci/pipeline_creation/create.ts'
import type { PipelineResult } from '../../ci/pipeline_creation/input.ts'
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import type { Events } from '../../platform/events/catalog.ts'
import type { RecordedEvent } from '../../platform/events/recorded.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { readCommit } from '../../platform/git/index.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { invalid, methodNotAllowed } from '../../platform/kernel/errors.ts'
import { type Origin, originOf } from '../../spaces/projects/facts/origin.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { type MergeRequestRow, mergeRequestById } from '../merge_requests/queries.ts'

/**
 * Creates a pipeline of a merge request on request.
 * @throws Refusal 405 if the merge request has no commits; 400 with the reason under `base` if no pipeline can be created
 */
export async function createMergeRequestPipeline(ctx: Context, mergeRequest: MergeRequestRow): Promise<PipelineRow> {
  const granted = await grant(ctx, mergeRequest, { quietly: false })
  if (!granted) throw methodNotAllowed()
  if (granted.kind === 'refused') throw invalid({ base: [...granted.errors] })
  return granted.pipeline
}

/** Creates the pipeline of a new merge request, if its CI file asks for one. */
export async function pipelineForNewMergeRequest(
  deps: Deps,
  { merge_request_id }: Events['merge_request.created'],
  event: RecordedEvent<'merge_request.created'>,
  origin: Origin = originOf(deps, event),
): Promise<void> {
  const ctx = await origin.context()
  if (ctx) await pipelineForNewCommits(ctx, merge_request_id)
}

/**
 * Creates a pipeline for new commits of a merge request, unless they have one already; later, where its CI file includes files of other servers. Not to
 * be called inside a transaction.
 */
export async function pipelineForNewCommits(ctx: Context, mergeRequestId: number): Promise<void> {
  try {
    await startForNewCommits(ctx, mergeRequestId, true)
  } catch (error) {
    const userId = ctx.actor.user?.id
    if (!(error instanceof RemoteNeeded) || userId === undefined) throw error
    const task = { merge_request_id: mergeRequestId, user_id: userId }
    const options = { jobKey: `start_merge_request_pipeline:${mergeRequestId}`, turnOf: userId, maxAttempts: 5 }
    await enqueue(ctx.db, 'start_merge_request_pipeline', task, options)
  }
}

/** Creates the pipeline of a merge request that waits for other servers. Idempotent. */
export async function startMergeRequestPipeline(
  deps: Deps,
  { merge_request_id, user_id }: { readonly merge_request_id: number; readonly user_id: number },
): Promise<void> {
  const ctx = await originOf(deps, { actor_id: user_id, project_id: null }).context()
  if (ctx) await startForNewCommits(ctx, merge_request_id, false)
}

async function startForNewCommits(ctx: Context, mergeRequestId: number, withoutRemote: boolean): Promise<void> {
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
  const requestKey = `merge_request:${mergeRequestId}:${mergeRequest.head_sha}`
  if (!made) await grant(ctx, mergeRequest, { quietly: true, requestKey, withoutRemote })
}
/** Creates the pipeline; undefined if there is nothing it could run. A pipeline of a fork's branch runs in the fork. */
/** The context a pipeline runs in; undefined if it cannot run. A pipeline of a fork's branch runs in the fork. */
async function grant(
  ctx: Context,
  mergeRequest: MergeRequestRow,
  { quietly, requestKey, withoutRemote }: { readonly quietly: boolean; readonly requestKey?: string; readonly withoutRemote?: boolean },
): Promise<PipelineResult | undefined> {
  const { id, iid, project_id, source_project_id, source_branch, head_sha } = mergeRequest
  const project = source_project_id === null ? undefined : await visibleProject(ctx.db, ctx.actor, String(source_project_id))
  const repository = project && (await findRepository(ctx.deps.storages, project))
  if (!project || !repository || head_sha === null) return undefined
  // Skip the rest for projects without a CI file, which most are.
  if (quietly && !(await ciFileOf(ctx, project, head_sha))) return undefined
  if (quietly && skipsCi((await readCommit(repository, head_sha))?.message ?? '')) return undefined
  return tryCreatePipeline(ctx, project, {
    source: 'merge_request_event',
    ref: source_project_id === project_id ? `refs/merge-requests/${iid}/head` : `refs/heads/${source_branch}`,
    sha: head_sha,
    merge_request_id: id,
    requestKey,
    quietly,
    withoutRemote,
  })
}
