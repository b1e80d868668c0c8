/**
 * Assigns jobs to concurrent requests in one batch: similar runners share one query of the queue, jobs are locked and moved by one
 * statement each, and what jobs of a pipeline share is loaded once. A request is answered when its own job is durable. The batch
 * never waits for a lock, and leaves out jobs that need more than a move: single.ts assigns those.
 */

import { tokenSigner } from '../../../identity/signing_keys/commands.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { awaitWalFlush } from '../../../platform/db/embedded/wal_flush.ts'
import { isConnectionFailure, isRetryable } from '../../../platform/db/errors.ts'
import { requestDb } from '../../../platform/db/handles.ts'
import { batched } from '../../../platform/db/statements/batching.ts'
import { transactUnflushed } from '../../../platform/db/transact.ts'
import { queueDeliveries } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { digestOf, newToken } from '../../../platform/kernel/secrets.ts'
import type { Secret } from '../../../platform/secret.ts'
import { variableSources } from '../../job_variables/for_job.ts'
import { type Place, placeIn } from '../../job_variables/place.ts'
import { afterAssignment } from '../../jobs/transitions/move.ts'
import { writeAssignments } from '../../jobs/transitions/write.ts'
import { type RunnerInfo, rejectToken, runnerByToken } from '../../runners/access.ts'
import { lockRunners, type RunnerRow, runnersByDigests } from '../../runners/queries.ts'
import { type Dependency, dependenciesOf, givingVariables, type Missing } from '../payload/dependencies.ts'
import { type JobPayload, payloadOf } from '../payload/payload.ts'
import { longPollsOf } from './long_polls.ts'
import { announcedJobs, type Candidate, claimAll, nextJobs, nextJobsByDigests } from './queue.ts'
import { assignmentBlocker, assignSingle, ClientGone, type LockedJob } from './single.ts'

/** A request of a runner, with its description of itself. */
export interface RunnerRequest {
  readonly ctx: Context
  readonly token: string
  readonly info: RunnerInfo
}

/** The job that is requested: any, or one that was announced to the runner. */
type Where = 'queue' | { readonly jobId: number }

/** The runner as it is now, and its job, if there is one. */
export interface Assignment {
  readonly runner: RunnerRow
  readonly job: JobPayload | undefined
}

/**
 * Assigns the next job of the queue to the runner of a token, or the announced one and, failing that, the next one.
 * @throws Refusal 403 for a wrong token
 */
export async function assignJob(asking: RunnerRequest, where: Where): Promise<Assignment> {
  const { ctx } = asking
  const jobId = where === 'queue' ? undefined : where.jobId
  const answer = await assignInBatch(ctx.db, KEY, { ...asking, digest: digestOf(asking.token), jobId }).catch(
    async (error): Promise<Answer> => {
      if (isConnectionFailure(error) || isRetryable(error)) throw error
      // Whatever the error is, the single assignment handles it for the one job that it finds.
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
      return jobId === undefined || ctx.request.signal.aborted ? { runner: answer.runner, job: undefined } : assignJob(asking, 'queue')
    case 'alone': {
      const { runner, candidates } = answer
      const found = candidates.length > 0 ? candidates : await nextJobs(ctx.db, runner.id)
      return { runner, job: await assignSingle(ctx, { ...asking, runner }, found) }
    }
  }
}

/** A request in the batch. */
interface BatchedRequest extends RunnerRequest {
  /** Digest of the token. */
  readonly digest: string
  readonly jobId: number | undefined
}

/** The result for a request. */
type Answer =
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'nothing'; readonly runner: RunnerRow }
  | { readonly outcome: 'taken'; readonly runner: RunnerRow; readonly job: JobPayload }
  /** The job is not for the batch. Without candidates, other requests have locked them. */
  | { readonly outcome: 'alone'; readonly runner: RunnerRow; readonly candidates: readonly Candidate[] }

/** All requests have one batching key: a later batch sees the result of the one before. */
const KEY = 0

/** Maximum batch size: each request waits for the queries of all. */
const MAX_BATCH = 16

const assignInBatch = batched((db, _key, requests: readonly BatchedRequest[]) => assignBatch(db, requests), MAX_BATCH)

/** A request that may get one of these jobs, the best first. */
interface Requester {
  readonly request: BatchedRequest
  readonly runner: RunnerRow
  readonly candidates: readonly Candidate[]
}

async function assignBatch(db: Db, requests: readonly BatchedRequest[]): Promise<Answer[]> {
  const loaded = await loadCandidates(db, requests)
  const requesters = loaded.flatMap(each => (each && each.candidates.length > 0 && !hasDisconnected(each) ? [each] : []))
  const taken = requesters.length === 0 ? new Map<Requester, Answer>() : await assignAll(db, requesters)
  return loaded.map(each => {
    if (!each) return { outcome: 'refused' }
    return taken.get(each) ?? { outcome: 'nothing', runner: each.runner }
  })
}

const hasDisconnected = ({ request }: Requester): boolean => request.ctx.request.signal.aborted

/** Loads the runners and their candidates; undefined for a wrong or expired token. */
async function loadCandidates(db: Db, requests: readonly BatchedRequest[]): Promise<(Requester | undefined)[]> {
  const [first] = requests
  if (!first) return []
  // The current time: a long poll may have begun long ago.
  const now = first.ctx.deps.now()
  const digests = [...new Set(requests.map(({ digest }) => digest))]
  const announcements = requests.flatMap(({ digest, jobId }) => (jobId === undefined ? [] : [{ digest, jobId }]))
  const others = [...new Set(requests.flatMap(({ digest, jobId }) => (jobId === undefined ? [digest] : [])))]
  // Sent concurrently.
  const handle = requestDb(db)
  const [runners, announced, queue] = await Promise.all([
    runnersByDigests(handle, digests, now),
    announcedJobs(handle, announcements),
    nextJobsByDigests(handle, others),
  ])
  return requests.map(request => {
    const runner = runners.get(request.digest)
    if (!runner) return undefined
    const found = request.jobId === undefined ? queue.get(runner.id) : announced.get(runner.id)?.filter(({ id }) => id === request.jobId)
    return { request, runner, candidates: found ?? [] }
  })
}

async function assignAll(db: Db, requesters: readonly Requester[]): Promise<ReadonlyMap<Requester, Answer>> {
  const lockedIds = new Set<number>()
  try {
    return await transactUnflushed(db, tx => assignWithin(tx, requesters, lockedIds))
  } catch (error) {
    // Several requests are then retried one by one. The job is unchanged; another waiting runner of this process may have it.
    if (!(error instanceof ClientGone) || requesters.length > 1) throw error
    for (const id of lockedIds) longPollsOf((requesters[0] as Requester).request.ctx.deps).announce(id)
    return new Map()
  }
}

/** A request that holds the lock of a job. */
interface Claim extends LockedJob {
  readonly requester: Requester
  readonly candidate: Candidate
}

interface Ready extends Claim {
  readonly dependencies: readonly (Dependency | Missing)[]
}

/** @param lockedIds collects the ids of the locked jobs */
async function assignWithin(db: Db, requesters: readonly Requester[], lockedIds: Set<number>): Promise<ReadonlyMap<Requester, Answer>> {
  const answers = new Map<Requester, Answer>()
  const defer = (requester: Requester, candidates: readonly Candidate[]) =>
    answers.set(requester, { outcome: 'alone', runner: requester.runner, candidates })
  const lockedJobs = await claimFor(db, requesters, defer)
  for (const { waiting } of lockedJobs) lockedIds.add(waiting.id)
  const dependencies = await Promise.all(
    lockedJobs.map(({ requester, waiting }) => dependenciesOf({ ...requester.request.ctx, db }, waiting)),
  )
  const ready: Ready[] = []
  for (const [index, lockedJob] of lockedJobs.entries()) {
    const { ctx, info } = lockedJob.requester.request
    const each = { ...lockedJob, dependencies: dependencies[index] ?? [] }
    if (assignmentBlocker(each, info, ctx.deps.now())) defer(lockedJob.requester, [lockedJob.candidate])
    else ready.push(each)
  }
  for (const [requester, answer] of await start(db, ready, defer)) answers.set(requester, answer)
  if (requesters.some(hasDisconnected)) throw new ClientGone()
  return answers
}

type Defer = (requester: Requester, candidates: readonly Candidate[]) => void

/** Locks a job and its runner for each request, skipping locked rows; `defer` gets the rest. Places are read after the jobs are locked. */
async function claimFor(db: Db, requesters: readonly Requester[], defer: Defer): Promise<Claim[]> {
  const lockedJobs: Claim[] = []
  const claimed = new Set<number>()
  const places = new Map<number, Place | undefined>()
  let open = requesters
  while (open.length > 0) {
    const claims: { readonly requester: Requester; readonly candidate: Candidate }[] = []
    for (const requester of open) {
      const candidate = requester.candidates.find(({ id }) => !claimed.has(id))
      if (candidate) claimed.add(candidate.id)
      if (candidate?.is_plain) claims.push({ requester, candidate })
      else defer(requester, candidate ? [candidate] : [])
    }
    if (claims.length === 0) break
    const ids = claims.map(({ candidate }) => candidate.id)
    const pipelineIds = [...new Set(claims.map(({ candidate }) => candidate.pipeline_id))]
    const runnerIds = [...new Set(claims.map(({ requester }) => requester.runner.id))]
    const [rows, runners] = await Promise.all([
      claimAll(db, ids),
      lockRunners(db, runnerIds),
      ...pipelineIds.map(async id => void places.set(id, await placeIn(db, id))),
    ])
    const waitings = new Map(rows.map(row => [row.id, row]))
    const isLocked = new Set(runners)
    const next: Requester[] = []
    for (const claim of claims) {
      const waiting = waitings.get(claim.candidate.id)
      const place = places.get(claim.candidate.pipeline_id)
      if (!isLocked.has(claim.requester.runner.id)) defer(claim.requester, [claim.candidate])
      else if (waiting && place) lockedJobs.push({ ...claim, waiting, place })
      else next.push(claim.requester)
    }
    open = next
  }
  return lockedJobs
}

/** Moves the jobs, and builds the payloads for their runners. */
async function start(db: Db, ready: readonly Ready[], defer: Defer): Promise<[Requester, Answer][]> {
  const [first] = ready
  if (!first) return []
  const { ctx } = first.requester.request
  const tokens = new Map(ready.map(({ waiting }) => [waiting.id, newToken()]))
  const tokenOf = ({ waiting }: LockedJob): Secret => tokens.get(waiting.id) as Secret
  const assignments = ready.map(each => ({
    id: each.waiting.id,
    runner_id: each.requester.runner.id,
    token_digest: digestOf(tokenOf(each)),
  }))
  // The sources of the variables do not depend on the move.
  const [moved, sources, sign] = await Promise.all([
    writeAssignments(db, assignments, ctx.deps.now()),
    variableSources(
      { ...ctx, db },
      ready.map(({ waiting, place, dependencies }) => ({
        job: waiting,
        place,
        given: givingVariables(dependencies),
      })),
    ),
    tokenSigner({ ...ctx, db }),
  ])
  await queueDeliveries(
    db,
    moved.map(({ recorded }) => recorded),
  )
  const started = new Map(moved.map(({ id, started_at }) => [id, started_at]))
  // Concurrently: the tokens are signed by other threads.
  const answers = await Promise.all(ready.map(answerOf))
  async function answerOf(each: Ready, index: number): Promise<[Requester, Answer] | undefined> {
    const { requester, candidate, waiting, place, dependencies } = each
    const { runner, request } = requester
    const started_at = started.get(waiting.id)
    const source = sources[index]
    if (started_at === undefined || !source) {
      defer(requester, [candidate])
      return undefined
    }
    // Each runner gets the server address that it used itself.
    const own = { ...source, facts: { ...source.facts, url: request.ctx.url } }
    const running = { ...waiting, status: 'running' as const, started_at, runner_id: runner.id }
    const job = await payloadOf({ ...request.ctx, db }, running, { token: tokenOf(each), runner, dependencies, place, sources: own, sign })
    return [requester, { outcome: 'taken', runner, job }]
  }
  const pipelines = new Map(ready.map(({ place }) => [place.pipeline.id, place.pipeline]))
  // Ordered by id, since concurrent batches may lock the same ones.
  const inOrder = [...pipelines.values()].sort((a, b) => a.id - b.id)
  await Promise.all(inOrder.map(pipeline => afterAssignment(db, pipeline)))
  return answers.filter(answer => answer !== undefined)
}
