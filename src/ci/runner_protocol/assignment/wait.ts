/** Requests of runners for a job: answers with a job, or waits for one, or answers that there is none (runner protocol c.2). */
import type { Context } from '../../../platform/kernel/context.ts'
import { newsOf, noteContact, type RunnerInfo, runnerByToken } from '../../runners/access.ts'
import type { JobPayload } from '../payload/payload.ts'
import { assignJob } from './batch.ts'
import { longPollsOf } from './long_polls.ts'

/** The answer to a runner. */
export interface JobAnswer {
  readonly job: JobPayload | undefined
  /** Names the state of the queue, for the runner to send back. */
  readonly version: string | undefined
}

/** The parameters of a request. */
export interface JobRequest {
  /** The runner's description of itself. */
  readonly info?: RunnerInfo
  /** The state of the queue in its last answer. */
  readonly lastUpdate?: string | undefined
}

/**
 * Assigns a job to the runner of this token. If there is none, the request waits as long as the configuration says.
 * @throws Refusal 403 for a wrong token, also for one that was revoked during the wait
 */
export async function waitForJob(ctx: Context, token: string, { info, lastUpdate }: JobRequest): Promise<JobAnswer> {
  const { deps, request } = ctx
  const room = longPollsOf(deps)
  let version = room.version
  let seen = room.changes
  let runnersSeen = room.runnerChanges
  const known = room.known.ofToken(token, ctx.now)
  // A runner that got no job from this very state of the queue needs no query, unless the runner has changed.
  const isQueueUnchanged = known !== undefined && version !== undefined && lastUpdate === version
  const asking = { ctx, token, info }
  let runnerId: number
  if (known && !newsOf(ctx, known, info)) {
    runnerId = known.id
    room.known.meet(known, ctx.now)
    // A waiting runner is woken when its token is revoked, and a query of the queue checks the token. Without either, it is checked here.
    if (isQueueUnchanged && deps.config.runnerWait === 0) await runnerByToken(ctx, token)
  } else {
    const runner = await noteContact(ctx, await runnerByToken(ctx, token), info)
    runnerId = runner.id
    room.remember(token, runner, runnersSeen)
  }
  let job = isQueueUnchanged ? undefined : (await assignJob(asking, 'queue')).job
  const end = performance.now() + deps.config.runnerWait * 1000
  while (!job && performance.now() < end) {
    const why = await room.wait(runnerId, { milliseconds: end - performance.now(), seen, signal: request.signal })
    if (why === 'gone') break
    // Nothing was announced since the last query.
    if (why === 'late' && version !== undefined && room.isHeard && room.changes === seen) break
    // Read before the query: a change during the query must not count as seen.
    version = room.version
    seen = room.changes
    runnersSeen = room.runnerChanges
    const announced = typeof why === 'object' ? why : undefined
    try {
      // A runner that is woken for a job tries that one first: all woken runners would otherwise compete for the same jobs.
      const taken = await assignJob(asking, announced ?? 'queue')
      room.remember(token, taken.runner, runnersSeen)
      job = taken.job
    } catch (error) {
      if (announced) room.announce(announced.jobId)
      throw error
    }
    if (why === 'late') break
    // Another runner may wait for the job that this one was woken for.
    if (announced && (request.signal.aborted || (job && job.id !== announced.jobId))) room.announce(announced.jobId)
  }
  return { job, version: job ? undefined : version }
}
