/**
 * Assigns one job to one runner, in a transaction of its own: for jobs that need more than a move, and for those that
 * a batch could not assign (batch.ts).
 */
import { type TokenSigner, tokenSigner } from '../../../identity/signing_keys/commands.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { isConnectionFailure, isRetryable } from '../../../platform/db/errors.ts'
import { transact, transactSyncCommit } from '../../../platform/db/transact.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { digestOf, newToken } from '../../../platform/kernel/secrets.ts'
import { type VariableSources, variableSources } from '../../job_variables/for_job.ts'
import { type Place, placeIn, placeOf } from '../../job_variables/place.ts'
import type { JobRow } from '../../jobs/queries.ts'
import { finishJob } from '../../jobs/transitions/finish.ts'
import { afterAssignment, moveJob, moveJobs } from '../../jobs/transitions/move.ts'
import { featuresOf, type RunnerInfo, runnerByToken } from '../../runners/access.ts'
import type { RunnerRow } from '../../runners/queries.ts'
import { type Dependency, dependenciesOf, givingVariables, isMissing, type Missing } from '../payload/dependencies.ts'
import { missingFeatures } from '../payload/features.ts'
import { type JobPayload, payloadOf } from '../payload/payload.ts'
import { longPollsOf } from './long_polls.ts'
import { type Candidate, claimOne, nextJobs } from './queue.ts'

/** The request: the runner, and its description of itself. */
export interface Requester {
  readonly runner: RunnerRow
  readonly token: string
  readonly info: RunnerInfo
}

/** Attempts if other requests take every candidate. */
const TRIES = 20

/** The client disconnected while its job was prepared. */
export class ClientGone extends Error {}

/** Moves the first of these jobs, and builds the payload for the runner; undefined if there is none. */
export async function assignSingle(ctx: Context, asking: Requester, found: readonly Candidate[]): Promise<JobPayload | undefined> {
  let candidates = found
  for (let attempt = 1; attempt <= TRIES; ) {
    const taken = await attemptAssignment(ctx, asking, candidates)
    if (typeof taken === 'object') return taken
    if (taken === 'none') return undefined
    if (taken === 'busy') attempt++
    candidates = await nextJobs(ctx.db, asking.runner.id)
  }
  return undefined
}

/** One attempt. `dropped`: the next job failed instead of being assigned, and the one after it can be tried. */
async function attemptAssignment(
  ctx: Context,
  asking: Requester,
  [first, ...others]: readonly Candidate[],
): Promise<JobPayload | 'busy' | 'none' | 'dropped'> {
  if (!first) return 'none'
  const now = ctx.deps.now()
  const sign = await tokenSigner(ctx)
  let jobId: number | undefined
  try {
    // No other request waits for the job.
    return await transactSyncCommit(ctx.db, async db => {
      const here = { ...ctx, db, now }
      const held = await claimNext(db, [first, ...others])
      if (held === undefined) return 'busy'
      jobId = held.waiting.id
      return handOver(here, held, asking, sign)
    })
  } catch (error) {
    // The job is unchanged. Another waiting runner of this process may have it.
    if (error instanceof ClientGone) {
      if (jobId !== undefined) longPollsOf(ctx.deps).announce(jobId)
      return 'none'
    }
    if (jobId === undefined || isConnectionFailure(error) || isRetryable(error)) throw error
    // A runner that has just been removed is not the job's fault either.
    await runnerByToken(ctx, asking.token)
    // The job would fail for every other runner too, and block all jobs behind it.
    ctx.log.error({ err: error, job_id: jobId }, 'a job cannot be handed to a runner')
    const id = jobId
    await transact(ctx.db, db => moveJob({ ...ctx, db, now }, id, 'drop', { failure_reason: 'data_integrity_failure' }))
    return 'dropped'
  }
}

/** A locked job, and where it runs. */
export interface LockedJob {
  readonly waiting: JobRow
  readonly place: Place
}

/** Locks the first of these jobs, skipping locked ones. The place is read after the lock (see `afterAssignment`). */
async function claimNext(db: Db, candidates: readonly [Candidate, ...Candidate[]]): Promise<LockedJob | undefined> {
  // Most likely the first candidate is locked, so the place of its pipeline is loaded concurrently.
  const [waiting, likely] = await Promise.all([claimOne(db, candidates), placeIn(db, candidates[0].pipeline_id)])
  if (!waiting) return undefined
  return { waiting, place: likely?.pipeline.id === waiting.pipeline_id ? likely : await placeOf(db, waiting) }
}

/** Why a locked job must fail instead of being assigned; undefined if nothing prevents it. Pure. */
export function assignmentBlocker(
  { waiting, place, dependencies }: LockedJob & { readonly dependencies: readonly (Dependency | Missing)[] },
  info: RunnerInfo,
  now: Date,
): 'missing_dependency_failure' | 'runner_unsupported' | undefined {
  // Contract: a job whose artifacts are gone fails before it runs (public documentation of `dependencies`).
  if (dependencies.some(each => isMissing(each, now))) return 'missing_dependency_failure'
  // Contract: a runner that is too old for a job fails it, and is not skipped (public behaviour at 14.0).
  const missing = missingFeatures({ options: waiting.options, ref: place.pipeline.ref }, featuresOf(info))
  return missing.length > 0 ? 'runner_unsupported' : undefined
}

async function handOver(
  ctx: Context,
  { waiting, place }: LockedJob,
  { runner, info }: Requester,
  sign: TokenSigner,
): Promise<JobPayload | 'busy' | 'dropped'> {
  const dependencies = await dependenciesOf(ctx, waiting)
  const failure_reason = assignmentBlocker({ waiting, place, dependencies }, info, ctx.now)
  if (failure_reason) {
    await finishJob(ctx, waiting.id, { state: 'failed', failure_reason })
    return 'dropped'
  }
  const token = newToken()
  const token_digest = digestOf(token)
  // The sources of the variables do not depend on the move.
  const [[job], [sources]] = await Promise.all([
    moveJobs(ctx, [waiting.id], 'run', { runner_id: runner.id, token_digest, handed_out_digest: token_digest }),
    variableSources(ctx, [{ job: waiting, place, given: givingVariables(dependencies) }]),
  ])
  if (job?.status !== 'running') return job ? 'dropped' : 'busy'
  const payload = await payloadOf(ctx, job, { token, runner, dependencies, place, sources: sources as VariableSources, sign })
  if (ctx.request.signal.aborted) throw new ClientGone()
  await afterAssignment(ctx.db, place.pipeline)
  return payload
}
