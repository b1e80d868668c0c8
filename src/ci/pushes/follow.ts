/** Creates the pipelines of pushed branches and tags. */

import type { Static } from 'typebox'
import { withoutPipelines } from '../../code/ref_updates/continuations.ts'
import type { Events } from '../../platform/events/catalog.ts'
import type { RecordedEvent } from '../../platform/events/recorded.ts'
import { enqueueJobs, type Job, type payloads } from '../../platform/events/worker.ts'
import { readCommit, readRefs, resolveCommit, zeroId } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { type Origin, originOf } from '../../spaces/projects/facts/origin.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { ciFileOf, skipsCi } from '../config/index.ts'
import { skipPipeline, tryCreatePipeline } from '../pipeline_creation/create.ts'
import type { PipelineInput } from '../pipeline_creation/input.ts'
import { parsePushOptions } from './options.ts'

/** Maximum references of one push that get pipelines: a push of more of them is a mirror, not work (public documentation, CI limits). */
const MOST_PIPELINES = 4

type Asked = Static<(typeof payloads)['start_pipeline']>

/** Creates the pipelines of a push. A failed one is retried by itself. Idempotent. */
export async function startPipelines(
  deps: Deps,
  { moves, options = [] }: Events['repository.updated'],
  { id, actor_id, project_id }: RecordedEvent<'repository.updated'>,
  origin: Origin,
): Promise<void> {
  if (actor_id === null || project_id === null || options.includes(withoutPipelines)) return
  const pushed = moves.filter(move => move.new !== zeroId).slice(0, MOST_PIPELINES)
  const failed: Job[] = []
  for (const move of pushed) {
    const asked: Asked = { project_id, actor_id, move, options: [...options], request_key: `push:${id}:${move.ref}` }
    await startPipeline(deps, asked, origin).catch(error => {
      deps.log.error({ err: error, project: project_id, ref: move.ref }, 'the pipeline of a push failed, and is tried again')
      failed.push({ task: 'start_pipeline', payload: asked, options: { maxAttempts: 5 } })
    })
  }
  await enqueueJobs(deps.database.db, failed)
}

/**
 * Creates the pipeline of one reference, as the user who pushed; none if there is nothing to run, and a skipped one if the push asks to
 * skip CI. Idempotent.
 */
export async function startPipeline(
  deps: Deps,
  { project_id, actor_id, move, options, request_key: requestKey }: Asked,
  origin: Origin = originOf(deps, { actor_id, project_id }),
): Promise<void> {
  const ctx = await origin.context()
  const project = await origin.project()
  const repository = project && (await findRepository(deps.storages, project))
  if (!ctx || !project || !repository) return
  const sha = await resolveCommit(repository, move.new)
  const commit = sha === undefined ? undefined : await readCommit(repository, sha)
  const [present] = await readRefs(repository, [move.ref])
  // The reference was removed meanwhile; or there is no CI file, as in most projects.
  if (!commit || present === undefined || !(await ciFileOf(ctx, project, commit.id))) return
  const { skips, variables } = parsePushOptions(options)
  const input: PipelineInput = { source: 'push', ref: move.ref, sha: commit.id, before_sha: move.old, variables, requestKey, quietly: true }
  if (skips || skipsCi(commit.message)) return skipPipeline(ctx, project, input, commit)
  const granted = await tryCreatePipeline(ctx, project, input)
  if (granted.kind === 'refused')
    deps.log.debug({ project: project_id, ref: move.ref, errors: granted.errors }, 'a push has not made a pipeline')
}
