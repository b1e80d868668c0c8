/** A runner asks for a job: it is handed the next one, or waits for one, or is told that there is none (runner protocol c.2). */
import type { Context } from '../../../platform/kernel/context.ts'
import { newsOf, noteContact, type RunnerInfo, runnerByToken } from '../../runners/access.ts'
import type { JobPayload } from '../payload.ts'
import { takeJob } from './batch.ts'
import { waitingRoom } from './long_polls.ts'

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

/**
 * Hands the runner of this token a job. Where there is none it waits, as long as the configuration says.
 * @throws Refusal 403 for a wrong token, also one that has become wrong while its runner waited
 */
export async function assignJob(ctx: Context, token: string, { info, lastUpdate }: Asked): Promise<Told> {
  const { deps, request } = ctx
  const room = waitingRoom(deps)
  let version = room.version
  let seen = room.changes
  let runnersSeen = room.runnerChanges
  const known = room.known.ofToken(token, ctx.now)
  // Whoever has been told that there is nothing in this very queue need not look, unless the runner has changed.
  const isToldOf = known !== undefined && version !== undefined && lastUpdate === version
  const asking = { ctx, token, info }
  let runnerId: number
  if (known && !newsOf(ctx, known, info)) {
    runnerId = known.id
    room.known.meet(known, ctx.now)
    // Who waits learns while it waits that its token has become wrong, and who looks when it looks.
    if (isToldOf && deps.config.runnerWait === 0) await runnerByToken(ctx, token)
  } else {
    const runner = await noteContact(ctx, await runnerByToken(ctx, token), info)
    runnerId = runner.id
    room.remember(token, runner, runnersSeen)
  }
  let job = isToldOf ? undefined : (await takeJob(asking, 'queue')).job
  const end = performance.now() + deps.config.runnerWait * 1000
  while (!job && performance.now() < end) {
    const why = await room.wait(runnerId, { milliseconds: end - performance.now(), seen, signal: request.signal })
    if (why === 'gone') break
    // Nothing was announced since it looked.
    if (why === 'late' && version !== undefined && room.isHeard && room.changes === seen) break
    // Before looking: what changes while it looks is not told as known.
    version = room.version
    seen = room.changes
    runnersSeen = room.runnerChanges
    const announced = typeof why === 'object' ? why : undefined
    try {
      // Whoever is woken for a job takes that one, if it can: all who are woken at once would else reach for the same ones.
      const taken = await takeJob(asking, announced ?? 'queue')
      room.remember(token, taken.runner, runnersSeen)
      job = taken.job
    } catch (error) {
      if (announced) room.announce(announced.jobId)
      throw error
    }
    if (why === 'late') break
    // Somebody else may wait for the job that this one was woken for.
    if (announced && (request.signal.aborted || (job && job.id !== announced.jobId))) room.announce(announced.jobId)
  }
  return { job, version: job ? undefined : version }
}
