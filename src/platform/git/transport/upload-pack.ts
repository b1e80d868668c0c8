/**
 * Serves fetches: the advertisement and the exchange. Nothing here knows HTTP: over HTTP each function is one request, over SSH an
 * advertisement is followed by the exchange on the same channel.
 */
import type { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { GitError } from '../errors.ts'
import { type GitExit, type GitProcess, startGit, streamGit } from '../process/run.ts'
import { stateOfConfig } from '../refs/state.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'
import { flushPkt, pktLine, splitPkts } from './pkt-line.ts'

export type TransportService = 'git-upload-pack' | 'git-receive-pack'

const subcommandOf = { 'git-upload-pack': 'upload-pack', 'git-receive-pack': 'receive-pack' } as const

/** The value of a client's `Git-Protocol` header as git's environment, or nothing if it is malformed. */
function protocolEnvironment(protocol: string | undefined): Record<string, string> {
  return protocol !== undefined && /^[a-z0-9=:.-]{1,200}$/i.test(protocol) ? { GIT_PROTOCOL: protocol } : {}
}

export function wantsVersion2(protocol: string | undefined): boolean {
  return protocolEnvironment(protocol).GIT_PROTOCOL?.split(':').includes('version=2') ?? false
}

/**
 * The references and capabilities that a client sees first (`GET /info/refs?service=...` over HTTP). `framing` is `http` for the smart HTTP
 * protocol, which announces the service before all but protocol v2; `plain` otherwise. `refusesThin` asks pushing clients for
 * self-contained packs.
 */
export async function* advertiseRefs(
  repository: Repository,
  service: TransportService,
  {
    protocol,
    framing,
    refusesThin = false,
  }: { readonly protocol?: string | undefined; readonly framing: 'http' | 'plain'; readonly refusesThin?: boolean },
): AsyncGenerator<Buffer, void, void> {
  if (framing === 'http' && !(service === 'git-upload-pack' && wantsVersion2(protocol))) {
    yield Buffer.concat([pktLine(`# service=${service}\n`), flushPkt])
  }
  // Version 2 names what git and the configuration allow, and no references.
  const state = service === 'git-upload-pack' && wantsVersion2(protocol) ? stateOfConfig(repository) : undefined
  if (state !== undefined) {
    yield await capabilities.get(`${state}\0${protocol}`, () => buffer(advertisementOf()))
    return
  }
  const advertisement = advertisementOf()
  yield* refusesThin ? withCapability(advertisement, 'no-thin') : advertisement

  function advertisementOf() {
    return streamGit(repository, {
      subcommand: subcommandOf[service],
      flags: ['--stateless-rpc', '--http-backend-info-refs'],
      values: ['.'],
      environment: protocolEnvironment(protocol),
    })
  }
}

/** What git advertises by version 2 of the protocol. */
const capabilities = new ImmutableCache<Buffer>(1_000)

/** Adds a capability to an advertisement, after the others on the line of the first reference. */
async function* withCapability(advertisement: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer, void, void> {
  let unread: Buffer<ArrayBufferLike> | undefined = Buffer.alloc(0)
  for await (const chunk of advertisement) {
    if (unread === undefined) {
      yield chunk
      continue
    }
    const { pkts, rest } = splitPkts(Buffer.concat([unread, chunk]))
    unread = rest
    for (const pkt of pkts) {
      const isFirst: boolean = unread !== undefined && pkt.type === 'data' && pkt.payload.includes(0)
      if (pkt.type !== 'data') yield flushPkt
      else yield pktLine(isFirst ? Buffer.from(`${pkt.payload.toString('latin1').replace(/\n$/, '')} ${name}\n`, 'latin1') : pkt.payload)
      if (isFirst) unread = undefined
    }
    if (unread === undefined && rest.length > 0) yield rest
  }
  if (unread !== undefined && unread.length > 0) yield unread
}

/**
 * Serves one fetch. Both directions are streamed with back pressure; git is ended if the response is closed early, and has ended when this settles. `stateless`: one
 * exchange, as over HTTP (`POST /git-upload-pack`, body already decompressed); otherwise git advertises first and negotiates to the end, as
 * over SSH. Resolves when the response is written and ended.
 */
export async function uploadPack(
  repository: Repository,
  fetch: {
    readonly request: Readable
    readonly response: Writable
    readonly protocol?: string | undefined
    readonly stateless: boolean
    readonly signal?: AbortSignal
  },
): Promise<void> {
  const git = await startUploadPack(repository, fetch)
  let refused: GitError | undefined
  feed(atMost(MOST_ASKED, fetch.request), git.stdin).catch(error => {
    if (error instanceof GitError) refused = error
    git.kill()
  })
  await deliver(git, fetch.response).catch(error => {
    throw refused ?? error
  })
}

/**
 * Bytes of what a client asks for and says that it has, decompressed: names of 300,000 objects. git looks at each, which takes it a second for some
 * ten thousand of them, and a compressed request is a thousandth of that.
 */
export const MOST_ASKED = 16 * 1024 * 1024

/** Passes bytes on. @throws GitError `invalid` beyond the limit */
export async function* atMost(limit: number, source: Readable): AsyncGenerator<Buffer, void, void> {
  // Not `for await`, which would end the connection with the request.
  const chunks: AsyncIterator<Buffer> = source[Symbol.asyncIterator]()
  let bytes = 0
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    bytes += next.value.length
    if (bytes > limit) throw new GitError('invalid', 'The request names too many objects')
    yield next.value
  }
}

/**
 * The answer to one whole request of a fetch over HTTP (body already decompressed), as git makes it. What git refuses is a part of the answer;
 * returns whether it refused nothing.
 */
export async function* answerFetch(
  repository: Repository,
  { request, protocol, signal }: { readonly request: Buffer; readonly protocol?: string | undefined; readonly signal?: AbortSignal },
): AsyncGenerator<Buffer, boolean, void> {
  const git = await startUploadPack(repository, { protocol, stateless: true, signal })
  git.stdin.end(request)
  try {
    yield* git.stdout as AsyncIterable<Buffer>
    return (await git.done).exitCode === 0
  } finally {
    git.kill()
    git.stdout.destroy()
    await git.done.catch(() => {})
  }
}

export const startUploadPack = (
  repository: Repository,
  {
    protocol,
    stateless,
    signal,
  }: { readonly protocol?: string | undefined; readonly stateless: boolean; readonly signal?: AbortSignal | undefined },
): Promise<GitProcess> =>
  startGit(repository, {
    subcommand: 'upload-pack',
    flags: stateless ? ['--stateless-rpc', '--strict'] : ['--strict'],
    values: ['.'],
    environment: protocolEnvironment(protocol),
    // git exits with these on invalid requests, after reporting the error to the client.
    answers: [1, 128],
    signal,
  })

/**
 * Passes the output of git on, with back pressure, and settles when git has ended.
 * @throws GitError `aborted` if the client goes away before the end
 */
export async function deliver(git: GitProcess, response: Writable): Promise<void> {
  try {
    await pipeline(git.stdout, response)
    await git.done
  } catch (error) {
    throw isPrematureClose(error) ? new GitError('aborted', 'The client went away') : error
  } finally {
    git.kill()
    await git.done.catch(() => {})
  }
}

/**
 * The same, where the response goes on after it.
 * @throws GitError `aborted` if the client goes away before the end
 */
export async function pour(git: GitProcess, response: Writable): Promise<GitExit> {
  try {
    for await (const chunk of git.stdout) if (!(await writeTo(response, chunk))) throw new GitError('aborted', 'The client went away')
    return await git.done
  } finally {
    git.kill()
    await git.done.catch(() => {})
  }
}

const isPrematureClose = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'

/**
 * What one whole request of a fetch asks for: the list of references, or a pack with nothing left to negotiate. Undefined for any other, also for what
 * is no request of git.
 */
export function wantedBy(request: Buffer): 'references' | 'pack' | undefined {
  try {
    const { pkts, rest } = splitPkts(request)
    const lines = pkts.flatMap(pkt => (pkt.type === 'data' ? [pkt.payload.toString('latin1').replace(/\n$/, '')] : []))
    if (rest.length > 0) return undefined
    return lines[0] === 'command=ls-refs' ? 'references' : lines.includes('done') ? 'pack' : undefined
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}

/** Forwards the request as long as git reads. Not a `pipeline`, which would end the connection with the request. */
export async function feed(request: AsyncIterable<Buffer>, stdin: Writable): Promise<void> {
  const source: AsyncIterator<Buffer> = request[Symbol.asyncIterator]()
  for (let next = await source.next(); !next.done; next = await source.next()) {
    if (!(await writeTo(stdin, next.value))) return
  }
  stdin.end()
}

/** Writes with back pressure; false once the other side has disconnected. */
export function writeTo(stream: Writable, data: Buffer): Promise<boolean> {
  if (stream.destroyed) return Promise.resolve(false)
  if (stream.write(data)) return Promise.resolve(true)
  return new Promise(resolve => {
    const settle = () => {
      stream.off('drain', settle)
      stream.off('close', settle)
      resolve(!stream.destroyed)
    }
    stream.on('drain', settle)
    stream.on('close', settle)
  })
}
