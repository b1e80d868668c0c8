/** Creates the pipelines of pushed branches and tags. */

import type { Static } from 'typebox'
import { withoutPipelines } from '../../code/ref_updates/continuations.ts'
import type { Events } from '../../platform/events/catalog.ts'
import { hasJobs } from '../../platform/events/queue_state.ts'
import type { RecordedEvent } from '../../platform/events/recorded.ts'
import { enqueue, type payloads } from '../../platform/events/worker.ts'
import { readCommit, readRefs, resolveCommit, zeroId } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { type Origin, originOf } from '../../spaces/projects/facts/origin.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { ciFileOf, RemoteNeeded, skipsCi } from '../config/index.ts'
import { skipPipeline, tryCreatePipeline } from '../pipeline_creation/create.ts'
import type { PipelineInput } from '../pipeline_creation/input.ts'
import { parsePushOptions } from './options.ts'

/** Maximum references of one push that get pipelines: a push of more of them is a mirror, not work (public documentation, CI limits). */
const MOST_PIPELINES = 4

type Asked = Static<(typeof payloads)['start_pipeline']>

/** Those of a project that wait for other servers, one after another: a later push has the later pipeline. */
const queueOf = (projectId: number): string => `pipelines:${projectId}`

/**
 * Creates the pipelines of a push. A failed one is retried by itself, and one whose CI file includes files of other servers has a task of its own: other
 * listeners and events do not wait for them. Idempotent.
 */
export async function startPipelines(
  deps: Deps,
  { moves, options = [] }: Events['repository.updated'],
  { id, actor_id, project_id }: RecordedEvent<'repository.updated'>,
  origin: Origin,
): Promise<void> {
  if (actor_id === null || project_id === null || options.includes(withoutPipelines)) return
  const pushed = moves.filter(move => move.new !== zeroId).slice(0, MOST_PIPELINES)
  const { db } = deps.database
  let waits = await hasJobs(db, queueOf(project_id))
  for (const move of pushed) {
    const asked: Asked = { project_id, actor_id, move, options: [...options], request_key: `push:${id}:${move.ref}` }
    waits ||= !(await startsNow(deps, asked, origin))
    // The event may be delivered twice.
    const jobKey = `start_pipeline:${asked.request_key}`
    if (waits)
      await enqueue(db, 'start_pipeline', asked, {
        jobKey,
        queueName: queueOf(project_id),
        turnOf: actor_id,
        inOrder: true,
        maxAttempts: 5,
      })
  }
}

/** Creates a pipeline, unless that fails or other servers have to be waited for. */
async function startsNow(deps: Deps, asked: Asked, origin: Origin): Promise<boolean> {
  try {
    await startPipeline(deps, asked, origin, false)
    return true
  } catch (error) {
    const { project_id: project, move } = asked
    if (!(error instanceof RemoteNeeded))
      deps.log.error({ err: error, project, ref: move.ref }, 'the pipeline of a push failed, and is tried again')
    return false
  }
}

/**
 * Creates the pipeline of one reference, as the user who pushed; none if there is nothing to run, and a skipped one if the push asks to
 * skip CI. Idempotent.
 */
export async function startPipeline(
  deps: Deps,
  { project_id, actor_id, move, options, request_key: requestKey }: Asked,
  origin: Origin = originOf(deps, { actor_id, project_id }),
  mayWait = true,
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
  const asked = { ref: move.ref, sha: commit.id, before_sha: move.old, variables, requestKey, quietly: true }
  const input: PipelineInput = { source: 'push', ...asked, withoutRemote: !mayWait }
  if (skips || skipsCi(commit.message)) return skipPipeline(ctx, project, input, commit)
  const granted = await tryCreatePipeline(ctx, project, input)
  if (granted.kind === 'refused')
    deps.log.debug({ project: project_id, ref: move.ref, errors: granted.errors }, 'a push has not made a pipeline')
}
