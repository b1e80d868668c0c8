/**
 * One runner takes one job, in a transaction of its own: jobs for which more is to be done than to move them, and those that could not be
 * handed out together with others (take_together.ts).
 */
import type { Db } from '../../../platform/db/connection.ts'
import { isConnectionFailure, isRetryable } from '../../../platform/db/errors.ts'
import { transact, transactSyncCommit } from '../../../platform/db/transact.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { digestOf, newToken } from '../../../platform/kernel/secrets.ts'
import { type VariableSources, variableSources } from '../../job_variables/for_job.ts'
import { type Place, placeIn, placeOf } from '../../job_variables/place.ts'
import type { JobRow } from '../../jobs/queries.ts'
import { finishJob } from '../../jobs/transitions/finish.ts'
import { followTaking, moveJob, moveJobs } from '../../jobs/transitions/move.ts'
import { featuresOf, type RunnerInfo, runnerByToken } from '../../runners/access.ts'
import type { RunnerRow } from '../../runners/queries.ts'
import { type Dependency, dependenciesOf, isMissing, type Missing } from '../dependencies.ts'
import { missingFeatures } from '../features.ts'
import { type JobPayload, payloadOf } from '../payload.ts'
import { waitingRoom } from './long_polls.ts'
import { type Candidate, claimOne, nextJobs } from './queue.ts'

/** Who asks: the runner, and what it says of itself. */
export interface Asking {
  readonly runner: RunnerRow
  readonly token: string
  readonly info: RunnerInfo
}

/** Times that a runner looks again when others take every job that it could have. */
const TRIES = 20

/** The client went away while a job was made ready for it. */
export class ClientGone extends Error {}

/** Moves the first of these jobs, and says all that the runner needs for it; undefined where there is none. */
export async function takeAlone(ctx: Context, asking: Asking, found: readonly Candidate[]): Promise<JobPayload | undefined> {
  let candidates = found
  for (let attempt = 1; attempt <= TRIES; ) {
    const taken = await takeOnce(ctx, asking, candidates)
    if (typeof taken === 'object') return taken
    if (taken === 'none') return undefined
    if (taken === 'busy') attempt++
    candidates = await nextJobs(ctx.db, asking.runner.id)
  }
  return undefined
}

/** One attempt. `dropped`: the job whose turn it was cannot run, and the next one can be taken. */
async function takeOnce(
  ctx: Context,
  asking: Asking,
  [first, ...others]: readonly Candidate[],
): Promise<JobPayload | 'busy' | 'none' | 'dropped'> {
  if (!first) return 'none'
  const now = ctx.deps.now()
  let jobId: number | undefined
  try {
    // The job is nobody else's to wait for.
    return await transactSyncCommit(ctx.db, async db => {
      const here = { ...ctx, db, now }
      const held = await claimNext(db, [first, ...others])
      if (held === undefined) return 'busy'
      jobId = held.waiting.id
      return handOver(here, held, asking)
    })
  } catch (error) {
    // Nothing has happened to the job. Whoever waits in this process may have it.
    if (error instanceof ClientGone) {
      if (jobId !== undefined) waitingRoom(ctx.deps).announce(jobId)
      return 'none'
    }
    if (jobId === undefined || isConnectionFailure(error) || isRetryable(error)) throw error
    // Nor is it the job's fault that its runner has just been removed.
    await runnerByToken(ctx, asking.token)
    // It would fail for every other runner too, and stand in the way of all jobs behind it.
    ctx.log.error({ err: error, job_id: jobId }, 'a job cannot be handed to a runner')
    const id = jobId
    await transact(ctx.db, db => moveJob({ ...ctx, db, now }, id, 'drop', { failure_reason: 'data_integrity_failure' }))
    return 'dropped'
  }
}

/** A job that is held, and where it runs. */
export interface Held {
  readonly waiting: JobRow
  readonly place: Place
}

/** Takes hold of the first of these jobs that nobody else has taken hold of. The place is read after that (see `followTaking`). */
async function claimNext(db: Db, candidates: readonly [Candidate, ...Candidate[]]): Promise<Held | undefined> {
  // Most likely it is a job of the pipeline whose turn it is, whose place is asked for at once.
  const [waiting, likely] = await Promise.all([claimOne(db, candidates), placeIn(db, candidates[0].pipeline_id)])
  if (!waiting) return undefined
  return { waiting, place: likely?.pipeline.id === waiting.pipeline_id ? likely : await placeOf(db, waiting) }
}

/** Why a job that is held fails instead of being handed out; undefined where nothing speaks against it. Pure. */
export function assignmentBlocker(
  { waiting, place, dependencies }: Held & { readonly dependencies: readonly (Dependency | Missing)[] },
  info: RunnerInfo,
  now: Date,
): 'missing_dependency_failure' | 'runner_unsupported' | undefined {
  // Contract: a job whose artifacts are gone fails before it runs (public documentation of `dependencies`).
  if (dependencies.some(each => isMissing(each, now))) return 'missing_dependency_failure'
  // Contract: a runner that is too old for a job fails it, and is not passed over (public behaviour at 14.0).
  const missing = missingFeatures({ options: waiting.options, ref: place.pipeline.ref }, featuresOf(info))
  return missing.length > 0 ? 'runner_unsupported' : undefined
}

async function handOver(ctx: Context, { waiting, place }: Held, { runner, info }: Asking): Promise<JobPayload | 'busy' | 'dropped'> {
  const dependencies = await dependenciesOf(ctx, waiting)
  const failure_reason = assignmentBlocker({ waiting, place, dependencies }, info, ctx.now)
  if (failure_reason) {
    await finishJob(ctx, waiting.id, { state: 'failed', failure_reason })
    return 'dropped'
  }
  const token = newToken()
  const token_digest = digestOf(token)
  const given = dependencies.flatMap(each => (each === 'missing' ? [] : [each.id]))
  // What the move writes is none of the variables' sources.
  const [[job], [sources]] = await Promise.all([
    moveJobs(ctx, [waiting.id], 'run', { runner_id: runner.id, token_digest, handed_out_digest: token_digest }),
    variableSources(ctx, [{ job: waiting, place, given }]),
  ])
  if (job?.status !== 'running') return job ? 'dropped' : 'busy'
  const payload = await payloadOf(ctx, job, { token, runner, dependencies, place, sources: sources as VariableSources })
  if (ctx.request.signal.aborted) throw new ClientGone()
  await followTaking(ctx.db, place.pipeline)
  return payload
}
