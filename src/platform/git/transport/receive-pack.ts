/**
 * Receives a push without hook processes.
 *
 * The command list is at the head of the request, so it is read, authorised and recorded before git sees the pack; refused commands never
 * reach git. git's progress is forwarded immediately; its report is held back until the consequences of the push are recorded. A crash at
 * any moment leaves either nothing, or a journal entry that the reconciler compares with the references (`outcomesOf`).
 */

import type { Readable, Writable } from 'node:stream'
import { GitError } from '../errors.ts'
import { readRefs } from '../objects/objects.ts'
import { zeroId } from '../objects/oid.ts'
import { type GitProcess, startGit, withConfiguration } from '../process/run.ts'
import type { RefMove } from '../refs/loose-refs.ts'
import { isValidRefName } from '../refs/names.ts'
import { lockRefusals } from '../refs/update.ts'
import type { Repository } from '../storage/repository.ts'
import { holdPack, type PackSource } from './held-pack.ts'
import { type PackLimit, PackMeter, wholePackLine } from './pack-limit.ts'
import { PktReader, pktLine, sideband, splitPkts } from './pkt-line.ts'
import type { PushResult } from './push-report.ts'
import { formatFatal, formatReport, type GitReport, type PushReport, parseReport } from './push-report.ts'
import { BadPush, bringsPack, formatPushRequest, hasCapability, type PushRequest, readPushRequest } from './push-request.ts'
import { denyRewrites, judgeRewrites, needsGuard, type RewriteRefusal } from './rewrites.ts'
import { writeTo } from './upload-pack.ts'

/** One push and the decisions about it, which the caller makes. */
export interface Push {
  /** The request's bytes, decompressed. */
  readonly request: Readable
  /** Where progress and report go; ended when the push is over. */
  readonly response: Writable
  /** Whether the request ends by itself (HTTP). Over SSH it stays open, so unneeded input is not read. */
  readonly requestEnds: boolean
  /** For each command the message that refuses it, or undefined. Reads the current state and changes nothing. */
  readonly authorize: (
    commands: readonly RefMove[],
    push: { readonly options: readonly string[] },
  ) => Promise<readonly (string | undefined)[]>
  /** Which references must not lose commits, and the message that says so; by default all may. */
  readonly rewriteRefusal?: RewriteRefusal
  /**
   * Asked after the commands are authorised. Where it answers a function, the pack is held beside the repository first, and that is asked for each
   * command's refusal, with the environment in which git reads the objects of the pack. Nothing has moved or been recorded then.
   */
  readonly inspection?: () => Promise<Inspection | undefined>
  /** Called after the commands are authorised; by default a pack may have any size. */
  readonly packLimit?: () => Promise<PackLimit | undefined>
  /**
   * Stores the intended moves durably before git starts. Returns for each move the message that refuses it after all, because of a
   * concurrent push or API call, or undefined.
   */
  readonly record: (moves: readonly RefMove[]) => Promise<readonly (string | undefined)[]>
  /**
   * Stores the results and their consequences before the client is notified. Called once after every `record`. Returns messages for the
   * client.
   */
  readonly settled: (results: readonly PushResult[]) => Promise<readonly string[]>
  readonly signal?: AbortSignal
}

/** Looks at what a push brings: the message that refuses each move, or undefined. */
export type Inspection = (
  moves: readonly RefMove[],
  environment: Readonly<Record<string, string>>,
) => Promise<readonly (string | undefined)[]>

/**
 * Serves one push and returns the outcome of every command (none if the client only probed). If a callback fails, the client is informed
 * that the push failed and the error is thrown. A request that is not a push gets an error line; the promise rejects with `invalid`.
 */
export async function receivePack(repository: Repository, push: Push): Promise<readonly PushResult[]> {
  // A client that disconnects must not stop the consequences of its push.
  push.response.on('error', () => {})
  const reader = new PktReader(push.request as AsyncIterable<Buffer>)
  let request: PushRequest | undefined
  try {
    request = await readPushRequest(reader)
    if (request.commands.length === 0) return []
    const report = await decide(repository, push, request, reader)
    await writeTo(push.response, formatReport(request, report))
    return request.commands.map((command, index) => ({ ...command, refusal: report.refusals[index] }))
  } catch (error) {
    const message = error instanceof GitError && error.kind === 'invalid' ? error.message : 'The push failed on the server'
    await writeTo(push.response, formatFatal(error instanceof BadPush ? error : request, message))
    if (error instanceof BadPush) await discard(push, reader).catch(() => {})
    throw error
  } finally {
    push.response.end()
  }
}

/** The message for every command of a push that names a reference twice: one command could invalidate the decision about the other. */
export const namedTwice = (ref: string): string => `The push names ${ref} more than once.`

async function decide(repository: Repository, push: Push, request: PushRequest, reader: PktReader): Promise<PushReport> {
  const { commands } = request
  const refusals = await refusalsOf(repository, push, request)
  const allowed = commands.filter((_, index) => refusals[index] === undefined)
  if (allowed.length === 0) {
    await discard(push, reader)
    return { unpack: 'ok', refusals }
  }

  const limit = bringsPack(allowed) ? await push.packLimit?.() : undefined
  try {
    const inspection = await push.inspection?.()
    const judged = { allowed, refusals, limit, source: reader }
    return await (inspection ? inspected(repository, push, request, judged, inspection) : receive(repository, push, request, judged))
  } finally {
    await limit?.end()
  }
}

/** A push with authorised commands, and the rest of its request. */
interface Judged {
  readonly allowed: readonly RefMove[]
  readonly refusals: readonly (string | undefined)[]
  readonly limit: PackLimit | undefined
  readonly source: PackSource
}

/** Holds the pack, has it looked at, and gives git what is left of the push. */
async function inspected(
  repository: Repository,
  push: Push,
  request: PushRequest,
  { allowed, refusals, limit, source }: Judged,
  inspection: Inspection,
): Promise<PushReport> {
  const meter = limit && new PackMeter(limit)
  const held = bringsPack(allowed) ? await holdPack(repository, source, { meter, endsWithPack: !push.requestEnds }) : undefined
  if (!held) await discard(push, source)
  try {
    const bad = held?.refusal && (meter?.refusal ?? (limit?.refusesThin ? wholePackLine : held.refusal))
    const found = bad
      ? allowed.map(() => bad)
      : orNone(await inspection(allowed, held?.environment ?? {}), hasCapability(request, 'atomic'))
    const left = allowed.filter((_, index) => found[index] === undefined)
    const outcomes = found[Symbol.iterator]()
    const merged = refusals.map(refusal => refusal ?? (outcomes.next().value as string | undefined))
    if (left.length === 0) return { unpack: bad ?? 'ok', refusals: merged }
    return await receive(repository, push, request, { allowed: left, refusals: merged, limit, source: held ?? nothingMore })
  } finally {
    await held?.remove()
  }
}

/** What is left of a push without a pack. */
const nothingMore: PackSource = {
  async *rest() {},
}

async function receive(
  repository: Repository,
  push: Push,
  request: PushRequest,
  { allowed, refusals, limit, source }: Judged,
): Promise<PushReport> {
  const isAtomic = hasCapability(request, 'atomic')
  const overtaken = orNone(await push.record(allowed), isAtomic)
  const going = allowed.filter((_, index) => overtaken[index] === undefined)
  const { rewriteRefusal = () => undefined } = push
  const isGuarded = needsGuard(going, rewriteRefusal)
  const meter = limit && new PackMeter(limit)
  if (going.length === 0) await discard(push, source)
  const report = going.length === 0 ? undefined : await runReceivePack(repository, push, request, going, source, { isGuarded, meter })
  const found = await resultsOf(repository, going, report)
  const packRefusal = meter && refusalOfPack(meter, report)
  const reported = packRefusal === undefined ? found : found.map(result => ({ ...result, refusal: result.refusal && packRefusal }))
  const judged = isGuarded ? await judgeRewrites(repository, reported, { isAtomic, rewriteRefusal }) : reported
  const results = filledIn(allowed, overtaken, judged)
  const notes = await push.settled(results)
  if (notes.length > 0 && hasCapability(request, 'side-band-64k')) await writeTo(push.response, sideband(2, `${notes.join('\n')}\n`))
  const outcomes = results[Symbol.iterator]()
  return {
    unpack: packRefusal ?? (going.length === 0 ? 'ok' : (report?.unpack ?? 'failed')),
    refusals: refusals.map(refusal => refusal ?? (outcomes.next().value as PushResult).refusal),
  }
}

/** The message for a pack over its limit; undefined for a pack that git accepted, or about which git did not report. */
function refusalOfPack(meter: PackMeter, report: GitReport | undefined): string | undefined {
  if (meter.refusal !== undefined) return meter.refusal
  return meter.limit.refusesThin && report !== undefined && report.unpack !== 'ok' ? wholePackLine : undefined
}

/** For an atomic push: if one command is refused, all are. */
const orNone = (refusals: readonly (string | undefined)[], isAtomic: boolean): readonly (string | undefined)[] =>
  isAtomic && refusals.some(refusal => refusal !== undefined) ? refusals.map(refusal => refusal ?? 'atomic push failure') : refusals

/** The outcome of all moves, in order: those that `record` refused, and those that git processed. */
function filledIn(moves: readonly RefMove[], overtaken: readonly (string | undefined)[], seen: readonly PushResult[]): PushResult[] {
  const outcomes = seen[Symbol.iterator]()
  return moves.map((move, index) => {
    const refusal = overtaken[index]
    return refusal === undefined ? (outcomes.next().value as PushResult) : { ...move, refusal }
  })
}

/** The first repeated name. */
function firstRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}

/** The refusal of each command before git sees it, in order; undefined for those that are allowed. */
async function refusalsOf(repository: Repository, push: Push, request: PushRequest): Promise<(string | undefined)[]> {
  const { commands, pushOptions: options } = request
  const twice = firstRepeated(commands.map(({ ref }) => ref))
  if (twice !== undefined) return commands.map(() => namedTwice(twice))
  const answers = await push.authorize(commands, { options })
  const refusals = commands.map(({ ref }, index) => (isValidRefName(ref) ? answers[index] : 'funny refname'))
  const locked = lockRefusals(
    repository,
    commands.map(({ ref }) => ref).filter((_, index) => refusals[index] === undefined),
  )
  const judged = refusals.map((refusal, index) => refusal ?? locked.get(commands[index]!.ref))
  return [...orNone(judged, hasCapability(request, 'atomic'))]
}

/** The actual outcome: git's report, or, if there is none, the references themselves. */
async function resultsOf(repository: Repository, allowed: readonly RefMove[], report: GitReport | undefined): Promise<PushResult[]> {
  const now = await readRefs(
    repository,
    allowed.map(({ ref }) => ref),
  )
  return allowed.map((move, index) => {
    const verdict = report?.verdicts[index]
    const moved = (now[index] ?? zeroId) === move.new
    // Another push may have moved it again: a reference that git reports as moved has been moved.
    return { ...move, refusal: moved ? undefined : verdict ? verdict.refusal : 'the push was interrupted' }
  })
}

/** Packs are stored as packs: as loose objects similar files would take a thousand times the space. */
const keepPacks = withConfiguration([['receive.unpackLimit', '1']])

/** Makes git refuse thin packs instead of completing them. The option is named for git's tests, but no other option does this. */
const refuseThin = '--reject-thin-pack-for-testing'

/** Limit of the memory for one object, so that a delta of a few bytes cannot claim all of it. Larger files are streamed. */
const memoryLimit = { GIT_ALLOC_LIMIT: '1g' } as const

/** Runs git with the allowed commands and the pack. Resolves with its report when it has ended, whatever its exit. */
async function runReceivePack(
  repository: Repository,
  push: Push,
  request: PushRequest,
  allowed: readonly RefMove[],
  source: PackSource,
  { isGuarded, meter }: { readonly isGuarded: boolean; readonly meter: PackMeter | undefined },
): Promise<GitReport | undefined> {
  const git = await startGit(repository, {
    subcommand: 'receive-pack',
    flags: ['--stateless-rpc', ...(meter?.limit.refusesThin ? [refuseThin] : [])],
    values: ['.'],
    environment: { ...memoryLimit, ...(isGuarded && denyRewrites), ...(meter && keepPacks) },
    signal: push.signal,
  })
  const output = hasCapability(request, 'side-band-64k') ? passProgress(git, push.response) : collect(git)
  const fed = feed(git, push, request, allowed, source, meter)
  const [report] = await Promise.all([output, fed])
  // A failure shows in the report, or in its absence; the references show the rest.
  await git.done.catch(error => {
    if (!(error instanceof GitError)) throw error
  })
  return parseReport(report, allowed)
}

/**
 * Sends the head and the pack to git and stops when git has ended. If the client disconnects, git's input ends in the middle of the pack,
 * which git reports as unreadable: nothing moves, and nothing is left over.
 */
async function feed(
  git: GitProcess,
  push: Push,
  request: PushRequest,
  allowed: readonly RefMove[],
  source: PackSource,
  meter: PackMeter | undefined,
): Promise<void> {
  const forward = async () => {
    // If only the deletions of a push remain, git expects no pack.
    let open = bringsPack(allowed)
    // Once git has ended, its input is closed: the rest of the request is read and discarded.
    for await (const chunk of source.rest()) {
      await meter?.count(chunk)
      const isRefused = meter?.refusal !== undefined
      // git finds that its pack ends too early, and moves nothing.
      if (isRefused && open) git.stdin.end()
      if (isRefused) open = false
      if (isRefused && !push.requestEnds) return
      if (open) open = await writeTo(git.stdin, chunk)
    }
  }
  await writeTo(git.stdin, formatPushRequest(request, allowed))
  // How the client disconnected does not matter: git's report has the result.
  if (push.requestEnds) await forward().catch(() => {})
  else if (bringsPack(allowed)) await Promise.race([forward(), git.done]).catch(() => {})
  git.stdin.end()
}

/** Forwards bands 2 and 3 immediately; returns band 1: the report. */
async function passProgress(git: GitProcess, response: Writable): Promise<Buffer> {
  const report: Buffer[] = []
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
    const split = splitPkts(Buffer.concat([rest, chunk]))
    rest = split.rest
    for (const pkt of split.pkts) {
      if (pkt.type !== 'data') continue
      // An empty band 1 is git's keepalive.
      if (pkt.payload[0] === 1 && pkt.payload.length > 1) report.push(Buffer.from(pkt.payload.subarray(1)))
      else await writeTo(response, pktLine(pkt.payload))
    }
  }
  return Buffer.concat(report)
}

async function collect(git: GitProcess): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of git.stdout as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Reads a refused push to its end, so that the client, which is still sending, receives the answer. */
async function discard(push: Push, source: PackSource): Promise<void> {
  if (!push.requestEnds) return
  for await (const _ of source.rest());
}
