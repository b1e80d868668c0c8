/**
 * Runners that ask at the same time are handed their jobs together: the queue is looked at once for those that are alike, their jobs are
 * held and moved by one statement each, and what jobs of a pipeline have in common is found once. Each is told of its own job when that
 * is on disk. Nobody waits for what somebody else holds, nor for jobs for which more is to be done: those are taken alone.
 */

import { batched } from '../../../platform/db/batching.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { isConnectionFailure, isRetryable } from '../../../platform/db/errors.ts'
import { requestDb } from '../../../platform/db/handles.ts'
import { transactUnflushed } from '../../../platform/db/transact.ts'
import { awaitWalFlush } from '../../../platform/db/wal_flush.ts'
import { queueDeliveries } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { digestOf, newToken } from '../../../platform/kernel/secrets.ts'
import type { Secret } from '../../../platform/secret.ts'
import { variableSources } from '../../job_variables/for_job.ts'
import { type Place, placeIn } from '../../job_variables/place.ts'
import { followTaking } from '../../jobs/transitions/move.ts'
import { writeAssignments } from '../../jobs/transitions/write.ts'
import { type RunnerInfo, rejectToken, runnerByToken } from '../../runners/access.ts'
import { lockRunners, type RunnerRow, runnersByDigests } from '../../runners/queries.ts'
import { type Dependency, dependenciesOf, type Missing } from '../dependencies.ts'
import { type JobPayload, payloadOf } from '../payload.ts'
import { waitingRoom } from './long_polls.ts'
import { announcedJobs, type Candidate, claimAll, nextJobs, nextJobsByDigests } from './queue.ts'
import { assignmentBlocker, ClientGone, type Held, takeAlone } from './single.ts'

/** Who asks, with what it says of itself. */
export interface Asking {
  readonly ctx: Context
  readonly token: string
  readonly info: RunnerInfo
}

/** What is looked for: any job, or one that the runner was told of. */
type Where = 'queue' | { readonly jobId: number }

/** The runner as it is, and the job that it has taken, if it has. */
export interface Taken {
  readonly runner: RunnerRow
  readonly job: JobPayload | undefined
}

/**
 * Takes the next job that the runner of a token may run, or the one that it was told of, or else the next.
 * @throws Refusal 403 for a wrong token
 */
export async function takeJob(asking: Asking, where: Where): Promise<Taken> {
  const { ctx } = asking
  const jobId = where === 'queue' ? undefined : where.jobId
  const answer = await askInLine(ctx.db, LINE, { ...asking, digest: digestOf(asking.token), jobId }).catch(
    async (error): Promise<Answer> => {
      if (isConnectionFailure(error) || isRetryable(error)) throw error
      // Whatever it is, it is the matter of the job that is found then.
      return { outcome: 'alone', runner: await runnerByToken(ctx, asking.token), candidates: [] }
    },
  )
  switch (answer.outcome) {
    case 'refused':
      return rejectToken(ctx)
    case 'taken':
      await awaitWalFlush(ctx.db)
      return answer
    case 'nothing':
      return jobId === undefined || ctx.request.signal.aborted ? { runner: answer.runner, job: undefined } : takeJob(asking, 'queue')
    case 'alone': {
      const { runner, candidates } = answer
      const found = candidates.length > 0 ? candidates : await nextJobs(ctx.db, runner.id)
      return { runner, job: await takeAlone(ctx, { ...asking, runner }, found) }
    }
  }
}

/** Somebody who stands in the line. */
interface Ask extends Asking {
  /** Of the token. */
  readonly digest: string
  readonly jobId: number | undefined
}

/** What is answered to one who asks. */
type Answer =
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'nothing'; readonly runner: RunnerRow }
  | { readonly outcome: 'taken'; readonly runner: RunnerRow; readonly job: JobPayload }
  /** What it may take is not for all together; without candidates, others have held it. */
  | { readonly outcome: 'alone'; readonly runner: RunnerRow; readonly candidates: readonly Candidate[] }

/** All who ask stand in one line, in which those behind find what those before them have left. */
const LINE = 0

/** Handed out together at most: everybody waits for the looks of all. */
const MOST = 16

const askInLine = batched((db, _line, asks: readonly Ask[]) => serve(db, asks), MOST)

/** One who may take a job: these, the best first. */
interface Taker {
  readonly ask: Ask
  readonly runner: RunnerRow
  readonly candidates: readonly Candidate[]
}

async function serve(db: Db, asks: readonly Ask[]): Promise<Answer[]> {
  const looked = await look(db, asks)
  const takers = looked.flatMap(each => (each && each.candidates.length > 0 && !isGone(each) ? [each] : []))
  const taken = takers.length === 0 ? new Map<Taker, Answer>() : await takeAll(db, takers)
  return looked.map(each => {
    if (!each) return { outcome: 'refused' }
    return taken.get(each) ?? { outcome: 'nothing', runner: each.runner }
  })
}

const isGone = ({ ask }: Taker): boolean => ask.ctx.request.signal.aborted

/** Who asks, and which jobs they may have; undefined for a wrong token and for one that has ended. */
async function look(db: Db, asks: readonly Ask[]): Promise<(Taker | undefined)[]> {
  const [first] = asks
  if (!first) return []
  // Who has waited for long asks at this moment.
  const now = first.ctx.deps.now()
  const digests = [...new Set(asks.map(({ digest }) => digest))]
  const told = asks.flatMap(({ digest, jobId }) => (jobId === undefined ? [] : [{ digest, jobId }]))
  const others = [...new Set(asks.flatMap(({ digest, jobId }) => (jobId === undefined ? [digest] : [])))]
  // They go out at once.
  const handle = requestDb(db)
  const [runners, announced, queue] = await Promise.all([
    runnersByDigests(handle, digests, now),
    announcedJobs(handle, told),
    nextJobsByDigests(handle, others),
  ])
  return asks.map(ask => {
    const runner = runners.get(ask.digest)
    if (!runner) return undefined
    const found = ask.jobId === undefined ? queue.get(runner.id) : announced.get(runner.id)?.filter(({ id }) => id === ask.jobId)
    return { ask, runner, candidates: found ?? [] }
  })
}

async function takeAll(db: Db, takers: readonly Taker[]): Promise<ReadonlyMap<Taker, Answer>> {
  const holding = new Set<number>()
  try {
    return await transactUnflushed(db, tx => takeWithin(tx, takers, holding))
  } catch (error) {
    // Of several each is tried alone. Nothing has happened to the job; whoever waits in this process may have it.
    if (!(error instanceof ClientGone) || takers.length > 1) throw error
    for (const id of holding) waitingRoom((takers[0] as Taker).ask.ctx.deps).announce(id)
    return new Map()
  }
}

/** One who holds a job. */
interface Holder extends Held {
  readonly taker: Taker
  readonly candidate: Candidate
}

interface Ready extends Holder {
  readonly dependencies: readonly (Dependency | Missing)[]
}

/** @param holding is told the jobs that are held */
async function takeWithin(db: Db, takers: readonly Taker[], holding: Set<number>): Promise<ReadonlyMap<Taker, Answer>> {
  const answers = new Map<Taker, Answer>()
  const leave = (taker: Taker, candidates: readonly Candidate[]) =>
    answers.set(taker, { outcome: 'alone', runner: taker.runner, candidates })
  const holders = await claimFor(db, takers, leave)
  for (const { waiting } of holders) holding.add(waiting.id)
  const dependencies = await Promise.all(holders.map(({ taker, waiting }) => dependenciesOf({ ...taker.ask.ctx, db }, waiting)))
  const ready: Ready[] = []
  for (const [index, holder] of holders.entries()) {
    const { ctx, info } = holder.taker.ask
    const each = { ...holder, dependencies: dependencies[index] ?? [] }
    if (assignmentBlocker(each, info, ctx.deps.now())) leave(holder.taker, [holder.candidate])
    else ready.push(each)
  }
  for (const [taker, answer] of await handOver(db, ready, leave)) answers.set(taker, answer)
  if (takers.some(isGone)) throw new ClientGone()
  return answers
}

type Leave = (taker: Taker, candidates: readonly Candidate[]) => void

/** Holds a job for each of them, as far as nobody else does, with its runner; who is left is told. Places are read after the jobs are held. */
async function claimFor(db: Db, takers: readonly Taker[], leave: Leave): Promise<Holder[]> {
  const holders: Holder[] = []
  const spokenFor = new Set<number>()
  const places = new Map<number, Place | undefined>()
  let open = takers
  while (open.length > 0) {
    const wishes: { readonly taker: Taker; readonly candidate: Candidate }[] = []
    for (const taker of open) {
      const candidate = taker.candidates.find(({ id }) => !spokenFor.has(id))
      if (candidate) spokenFor.add(candidate.id)
      if (candidate?.is_plain) wishes.push({ taker, candidate })
      else leave(taker, candidate ? [candidate] : [])
    }
    if (wishes.length === 0) break
    const ids = wishes.map(({ candidate }) => candidate.id)
    const pipelineIds = [...new Set(wishes.map(({ candidate }) => candidate.pipeline_id))]
    const runnerIds = [...new Set(wishes.map(({ taker }) => taker.runner.id))]
    const [rows, runners] = await Promise.all([
      claimAll(db, ids),
      lockRunners(db, runnerIds),
      ...pipelineIds.map(async id => void places.set(id, await placeIn(db, id))),
    ])
    const waitings = new Map(rows.map(row => [row.id, row]))
    const isHeld = new Set(runners)
    const next: Taker[] = []
    for (const wish of wishes) {
      const waiting = waitings.get(wish.candidate.id)
      const place = places.get(wish.candidate.pipeline_id)
      if (!isHeld.has(wish.taker.runner.id)) leave(wish.taker, [wish.candidate])
      else if (waiting && place) holders.push({ ...wish, waiting, place })
      else next.push(wish.taker)
    }
    open = next
  }
  return holders
}

/** Moves the jobs, and says all that their runners need for them. */
async function handOver(db: Db, ready: readonly Ready[], leave: Leave): Promise<[Taker, Answer][]> {
  const [first] = ready
  if (!first) return []
  const { ctx } = first.taker.ask
  const tokens = new Map(ready.map(({ waiting }) => [waiting.id, newToken()]))
  const tokenOf = ({ waiting }: Held): Secret => tokens.get(waiting.id) as Secret
  const takings = ready.map(each => ({ id: each.waiting.id, runner_id: each.taker.runner.id, token_digest: digestOf(tokenOf(each)) }))
  // What the move writes is none of the variables' sources.
  const [moved, sources] = await Promise.all([
    writeAssignments(db, takings, ctx.deps.now()),
    variableSources(
      { ...ctx, db },
      ready.map(({ waiting, place, dependencies }) => ({
        job: waiting,
        place,
        given: dependencies.flatMap(each => (each === 'missing' ? [] : [each.id])),
      })),
    ),
  ])
  await queueDeliveries(
    db,
    moved.map(({ recorded }) => recorded),
  )
  const started = new Map(moved.map(({ id, started_at }) => [id, started_at]))
  const answers: [Taker, Answer][] = []
  for (const [index, each] of ready.entries()) {
    const { taker, candidate, waiting, place, dependencies } = each
    const { runner, ask } = taker
    const started_at = started.get(waiting.id)
    const source = sources[index]
    if (started_at === undefined || !source) {
      leave(taker, [candidate])
      continue
    }
    // The address is the one by which each of them knows the server.
    const own = { ...source, facts: { ...source.facts, url: ask.ctx.url } }
    const running = { ...waiting, status: 'running' as const, started_at, runner_id: runner.id }
    const job = await payloadOf({ ...ask.ctx, db }, running, { token: tokenOf(each), runner, dependencies, place, sources: own })
    answers.push([taker, { outcome: 'taken', runner, job }])
  }
  const pipelines = new Map(ready.map(({ place }) => [place.pipeline.id, place.pipeline]))
  // In the order of their ids, for others may ask for the same ones.
  const inOrder = [...pipelines.values()].sort((a, b) => a.id - b.id)
  await Promise.all(inOrder.map(pipeline => followTaking(db, pipeline)))
  return answers
}
