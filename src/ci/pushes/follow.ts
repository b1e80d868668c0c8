/** The pipelines of branches and tags that were pushed. */
import type { Static } from 'typebox'
import type { Events } from '../../platform/events/events.ts'
import type { RecordedEvent } from '../../platform/events/recorded.ts'
import { enqueueJobs, type Job, type payloads } from '../../platform/events/worker.ts'
import { readCommit, readRefs, resolveCommit } from '../../platform/git/objects/objects.ts'
import { zeroId } from '../../platform/git/objects/oid.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { type Origin, originOf } from '../../spaces/projects/origin.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { skipsCi } from '../config/skip.ts'
import { ciFileOf } from '../config/sources.ts'
import { grantPipeline, skipPipeline } from '../pipeline_creation/create.ts'
import type { PipelineInput } from '../pipeline_creation/input.ts'
import { parsePushOptions } from './options.ts'

/** References of one push that get a pipeline: with more of them it is not work but the making of a mirror (public documentation, CI limits). */
const MOST_PIPELINES = 4

type Asked = Static<(typeof payloads)['start_pipeline']>

/** Makes the pipelines that a push asks for. One that fails is tried again by itself. Run twice, it makes none twice. */
export async function startPipelines(
  deps: Deps,
  { moves, options = [] }: Events['repository.updated'],
  { id, actor_id, project_id }: RecordedEvent<'repository.updated'>,
  origin: Origin,
): Promise<void> {
  if (actor_id === null || project_id === null) return
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
 * Makes the pipeline of one reference, as the one who pushed; none where nothing is to run, and a skipped one where that is wished. Run
 * twice, it makes one.
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
  // Removed again meanwhile; or there is no CI file, as in most projects.
  if (!commit || present === undefined || !(await ciFileOf(ctx, project, commit.id))) return
  const { skips, variables } = parsePushOptions(options)
  const wish: PipelineInput = { source: 'push', ref: move.ref, sha: commit.id, before_sha: move.old, variables, requestKey, quietly: true }
  if (skips || skipsCi(commit.message)) return skipPipeline(ctx, project, wish, commit)
  const granted = await grantPipeline(ctx, project, wish)
  if (granted.kind === 'refused')
    deps.log.debug({ project: project_id, ref: move.ref, errors: granted.errors }, 'a push has not made a pipeline')
}
