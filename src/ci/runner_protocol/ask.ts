/** A runner asks for a job: it is handed the next one, or waits for one, or is told that there is none (runner protocol c.2). */
import type { Db } from '../../db/connection.ts'
import { isConnectionFailure, isRetryable } from '../../db/errors.ts'
import { transact, transactToDisk } from '../../db/transact.ts'
import type { Context } from '../../kernel/context.ts'
import { digestOf, newToken } from '../../kernel/secrets.ts'
import { finishJob } from '../jobs/moving/finish.ts'
import { followTaking, moveJob, moveJobs } from '../jobs/moving/move.ts'
import type { JobRow } from '../jobs/queries.ts'
import { featuresOf, newsOf, noteContact, type RunnerInfo, runnerByToken } from '../runners/access.ts'
import type { RunnerRow } from '../runners/queries.ts'
import { variableSources } from '../variables/for_job.ts'
import { type Place, placeIn, placeOf } from '../variables/place.ts'
import { dependenciesOf, isMissing } from './dependencies.ts'
import { missingFeatures } from './features.ts'
import { type JobPayload, payloadOf } from './payload.ts'
import { type Candidate, holdOne, jobByToken, nextJobs, nextJobsByToken } from './queue.ts'
import { waitingRoom } from './waiting.ts'

/** What a runner is told. */
export interface Told {
  readonly job: JobPayload | undefined
  /** Names the state of the queue, for the runner to send back. */
  readonly version: string | undefined
}

/** What a runner says when it asks. */
export interface Asked {
  /** What it is. */
  readonly info?: RunnerInfo
  /** What it was told last of the queue. */
  readonly lastUpdate?: string | undefined
}

/** Who asks: the runner, and what it says of itself. */
interface Asking {
  readonly runner: RunnerRow
  readonly token: string
  readonly info: RunnerInfo
}

/** Times that a runner looks again when others take every job that it could have. */
const TRIES = 20

/** The client went away while a job was made ready for it. */
class ClientGone extends Error {}

/**
 * Hands the runner of this token a job. Where there is none it waits, as long as the configuration says.
 * @throws Refusal 403 for a wrong token, also one that has become wrong while its runner waited
 */
export async function askForJob(ctx: Context, token: string, { info, lastUpdate }: Asked): Promise<Told> {
  const { deps, request } = ctx
  const room = waitingRoom(deps)
  let version = room.version
  let seen = room.changes
  // Whoever has been told that there is nothing in this very queue need not look, unless the runner has changed.
  const known = version !== undefined && lastUpdate === version ? room.known.ofToken(token) : undefined
  let runner: RunnerRow
  let job: JobPayload | undefined
  // Who waits learns while it waits that its token has become wrong; of whoever does not the row is read.
  if (known && deps.config.runnerWait > 0 && !newsOf(ctx, known, info)) {
    runner = known
    room.known.meet(known, ctx.now)
  } else {
    const looked = await look(ctx, token, known ? 'nothing' : 'queue')
    runner = await noteContact(ctx, looked.runner, info)
    room.remember(token, runner, seen)
    job = await takeJob(ctx, { runner, token, info }, looked.found)
  }
  const end = performance.now() + deps.config.runnerWait * 1000
  while (!job && performance.now() < end) {
    const why = await room.wait(runner.id, { milliseconds: end - performance.now(), seen, signal: request.signal })
    if (why === 'gone') break
    // Nothing was announced since it looked.
    if (why === 'late' && version !== undefined && room.isHeard && room.changes === seen) break
    // Before looking: what changes while it looks is not told as known.
    version = room.version
    seen = room.changes
    const announced = typeof why === 'object' ? why : undefined
    try {
      // Whoever is woken for a job takes that one, if it can: all who are woken at once would else reach for the same ones.
      const looked = await look(ctx, token, announced ?? 'queue')
      room.remember(token, looked.runner, seen)
      const found = announced && looked.found.length === 0 ? await nextJobs(ctx.db, runner.id) : looked.found
      job = await takeJob(ctx, { runner: looked.runner, token, info }, found)
    } catch (error) {
      if (announced) room.announce(announced.jobId)
      throw error
    }
    if (why === 'late') break
    // Somebody else may wait for the job that this one was woken for.
    if (announced && job && job.id !== announced.jobId) room.announce(announced.jobId)
  }
  return { job, version: job ? undefined : version }
}

/** The runner of the token, and the jobs that it may have of the queue or of one job: looked for at once. @throws Refusal 403 for a wrong token */
async function look(
  ctx: Context,
  token: string,
  where: 'nothing' | 'queue' | { readonly jobId: number },
): Promise<{ readonly runner: RunnerRow; readonly found: readonly Candidate[] }> {
  const found = where === 'nothing' ? [] : where === 'queue' ? nextJobsByToken(ctx.db, token) : jobByToken(ctx.db, token, where.jobId)
  const [runner, jobs] = await Promise.all([runnerByToken(ctx, token), found])
  return { runner, found: jobs }
}

/** Moves the first of these jobs, and says all that the runner needs for it; undefined where there is none. */
async function takeJob(ctx: Context, asking: Asking, found: readonly Candidate[]): Promise<JobPayload | undefined> {
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
    return await transactToDisk(ctx.db, async db => {
      const here = { ...ctx, db, now }
      const held = await holdNext(db, [first, ...others])
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
interface Held {
  readonly waiting: JobRow
  readonly place: Place
}

/** Takes hold of the first of these jobs that nobody else has taken hold of. The place is read after that (see `followTaking`). */
async function holdNext(db: Db, candidates: readonly [Candidate, ...Candidate[]]): Promise<Held | undefined> {
  // Most likely it is a job of the pipeline whose turn it is, whose place is asked for at once.
  const [waiting, likely] = await Promise.all([holdOne(db, candidates), placeIn(db, candidates[0].pipeline_id)])
  if (!waiting) return undefined
  return { waiting, place: likely?.pipeline.id === waiting.pipeline_id ? likely : await placeOf(db, waiting) }
}

async function handOver(ctx: Context, { waiting, place }: Held, { runner, info }: Asking): Promise<JobPayload | 'busy' | 'dropped'> {
  const dependencies = await dependenciesOf(ctx, waiting)
  // Contract: a job whose artifacts are gone fails before it runs (public documentation of `dependencies`).
  if (dependencies.some(each => isMissing(each, ctx.now))) {
    await finishJob(ctx, waiting.id, { state: 'failed', failure_reason: 'missing_dependency_failure' })
    return 'dropped'
  }
  // Contract: a runner that is too old for a job fails it, and is not passed over (public behaviour at 14.0).
  if (missingFeatures({ options: waiting.options, ref: place.pipeline.ref }, featuresOf(info)).length > 0) {
    await finishJob(ctx, waiting.id, { state: 'failed', failure_reason: 'runner_unsupported' })
    return 'dropped'
  }
  const token = newToken()
  const token_digest = digestOf(token)
  const given = dependencies.flatMap(each => (each === 'missing' ? [] : [each.id]))
  // What the move writes is none of the variables' sources.
  const [[job], sources] = await Promise.all([
    moveJobs(ctx, [waiting.id], 'run', { runner_id: runner.id, token_digest, handed_out_digest: token_digest }),
    variableSources(ctx, waiting, { place, given }),
  ])
  if (job?.status !== 'running') return job ? 'dropped' : 'busy'
  const payload = await payloadOf(ctx, job, { token, runner, dependencies, place, sources })
  if (ctx.request.signal.aborted) throw new ClientGone()
  await followTaking(ctx.db, place.pipeline)
  return payload
}
