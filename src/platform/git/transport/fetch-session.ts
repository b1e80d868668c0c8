/**
 * Serves all that a client asks for on one channel, as over SSH. By version 2 of the protocol that is any number of requests, each whole in itself, for
 * as long as the client likes: each is answered by a process of its own, and is read only when the one before is answered.
 */
import type { Readable, Writable } from 'node:stream'
import { GitError } from '../errors.ts'
import type { Repository } from '../storage/repository.ts'
import { readLength } from './pkt-line.ts'
import { advertiseRefs, atMost, feed, MOST_ASKED, pour, startUploadPack, uploadPack, wantsVersion2, writeTo } from './upload-pack.ts'

export interface FetchSession {
  readonly request: Readable
  readonly response: Writable
  readonly protocol?: string | undefined
  readonly signal?: AbortSignal
  /**
   * Asks, before each request but the first, whether the client may still fetch, and where the repository is now.
   * @throws what ends the session
   */
  readonly again: () => Promise<Repository>
}

/**
 * Advertises, and answers until the client asks for nothing more; both directions are streamed with back pressure. Earlier versions of the protocol
 * have one negotiation, which `again` is not asked about. Resolves when the response is written and ended.
 */
export async function serveFetchSession(first: Repository, { again, ...fetch }: FetchSession): Promise<void> {
  const { request, response, protocol, signal } = fetch
  if (!wantsVersion2(protocol)) return uploadPack(first, { ...fetch, stateless: false })
  for await (const chunk of advertiseRefs(first, 'git-upload-pack', { protocol, framing: 'plain' }))
    if (!(await writeTo(response, chunk))) throw new GitError('aborted', 'The client went away')
  const requests = new Requests(atMost(MOST_ASKED, request))
  let isRefused = false
  for (let count = 0; !isRefused && (await requests.next()); count += 1) {
    const repository = count === 0 ? first : await again()
    isRefused = !(await answer(repository, requests.bytes(), { response, protocol, signal }))
  }
  response.end()
}

/** Answers one request; false where git refused it, which ends a session. */
async function answer(
  repository: Repository,
  request: AsyncIterable<Buffer>,
  { response, protocol, signal }: Pick<FetchSession, 'response' | 'protocol'> & { readonly signal: AbortSignal | undefined },
): Promise<boolean> {
  const git = await startUploadPack(repository, { protocol, stateless: true, signal })
  let failure: unknown
  const fed = feed(request, git.stdin).catch(error => {
    failure = error
    git.kill()
  })
  const { exitCode } = await pour(git, response).catch(error => {
    throw failure ?? error
  })
  if (exitCode !== 0) return false
  await fed
  return true
}

/** The requests in the bytes of a client, one after the other. Each ends with a flush. */
class Requests {
  readonly #source: AsyncIterator<Buffer>
  #unread: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** Waits for a request. Is there one? As for git, a flush in its place asks for nothing more. `invalid` if the bytes end in its length. */
  async next(): Promise<boolean> {
    while (this.#unread.length < 4)
      if (!(await this.#fill())) {
        if (this.#unread.length === 0) return false
        throw cut()
      }
    const length = readLength(this.#unread.subarray(0, 4))
    return !('special' in length && length.special === 'flush')
  }

  /** The bytes of the request that `next` waited for, in whole packets as they arrive. `invalid` if they end before it does. */
  async *bytes(): AsyncGenerator<Buffer, void, void> {
    for (let isWhole = false; !isWhole; ) {
      let at = 0
      while (!isWhole && this.#unread.length - at >= 4) {
        const length = readLength(this.#unread.subarray(at, at + 4))
        const end = at + 4 + ('special' in length ? 0 : length.payload)
        if (end > this.#unread.length) break
        at = end
        isWhole = 'special' in length && length.special === 'flush'
      }
      const packets = this.#unread.subarray(0, at)
      this.#unread = this.#unread.subarray(at)
      if (packets.length > 0) yield packets
      if (!isWhole && !(await this.#fill())) throw cut()
    }
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    if (done) return false
    this.#unread = this.#unread.length === 0 ? value : Buffer.concat([this.#unread, value])
    return true
  }
}

const cut = () => new GitError('invalid', 'The client went away in the middle of a request')
