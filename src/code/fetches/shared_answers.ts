/**
 * Answers to fetches that many clients ask for alike, as the jobs of a pipeline do: made once by git, and sent to all of them.
 *
 * Access is checked before, for each request. What git answers follows from the request, the protocol and the references of the repository, so these
 * are the name of an answer, and one that was kept is never out of date: a reference that moves or goes gives the next request another name.
 */
import { createHash } from 'node:crypto'
import { mkdir, statfs } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { places } from '../../platform/config.ts'
import {
  answerFetch,
  ImmutableCache,
  type Repository,
  repositorySize,
  stateOfRefs,
  uploadPack,
  wantedBy,
} from '../../platform/git/index.ts'
import { refusalByDisk } from '../../platform/kernel/answer/disk_refusals.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { ArchiveCache } from '../repository/archives/cache.ts'

const MEGABYTE = 1024 * 1024

/** Bytes of a request that is looked at; longer ones negotiate about many references, which no two clients do alike. */
const MOST_ASKED = 64 * 1024

/** Bytes of packed references up to which their list is made in memory, and bytes of a list that is kept. */
const MOST_PACKED = 256 * 1024
const MOST_LISTED = 64 * 1024

/** Lists of references. */
const lists = new ImmutableCache<Buffer>(200, list => list.length > 0 && list.length <= MOST_LISTED)

/** Bytes of repositories, which their packs do not exceed. */
const sizes = new ImmutableCache<number>(1_000)

/** Requests for a pack that are remembered. A pack is kept when it is asked for again: most are wanted once. */
const REMEMBERED = 5_000

/** One request of a fetch over HTTP. */
export interface FetchRequest {
  /** Decompressed. */
  readonly request: Readable
  readonly response: Writable
  readonly protocol: string | undefined
  readonly signal: AbortSignal
}

/** Serves one request of a fetch, from what git has answered before to the same one if there is such an answer. Ends the response. */
export async function serveUploadPack(
  deps: Pick<Deps, 'config' | 'now' | 'log'>,
  repository: Repository,
  fetch: FetchRequest,
): Promise<void> {
  const { response, protocol, signal } = fetch
  const { body, rest } = await bodyOf(fetch.request)
  const wanted = rest ? undefined : wantedBy(body)
  const state = wanted && stateOfRefs(repository)
  const plainly = () => uploadPack(repository, { ...fetch, request: rest ?? Readable.from([body]), stateless: true })
  if (!state || (wanted === 'pack' ? deps.config.packCache === 0 : state.packed > MOST_PACKED)) return plainly()

  const name = createHash('sha256')
    .update(JSON.stringify([state.version, protocol]))
    .update(body)
    .digest('hex')
  if (wanted === 'references') {
    const list = await lists.get(name, () => listOf(repository, body, protocol))
    if (list.length === 0) return plainly()
    return pipeline(Readable.from([list]), response)
  }
  const { cache, asked } = packsOf(deps)
  if (!asked.again(name)) return plainly()
  const mostBytes = await sizes.get(state.version, () => repositorySize(repository))
  if (mostBytes > deps.config.packCache * MEGABYTE) return plainly()
  let isWhole = false
  async function* make(unwanted: AbortSignal) {
    isWhole = yield* answerFetch(repository, { request: body, protocol, signal: unwanted })
  }
  const get = async () => ((await hasRoom(deps, mostBytes)) ? cache.get(name, make, { isKept: () => isWhole }) : undefined)
  // A disk that cannot be written is no reason to fetch nothing.
  const found = await get().catch(error => {
    // So it is where other packs take the room.
    if (error instanceof Refusal) return undefined
    if (!refusalByDisk(error)) throw error
    deps.log.warn({ err: error }, 'a pack cannot be kept: the disk does not take it')
  })
  if (!found) return plainly()
  const bytes = 'bytes' in found ? Readable.from(found.bytes) : found.whole.createReadStream({ highWaterMark: 256 * 1024 })
  await pipeline(bytes, response, { signal })
}

/** Has the disk of the packs room for so many bytes more? A pack that does not fit would end in the midst of its answer. */
async function hasRoom({ config }: Pick<Deps, 'config'>, bytes: number): Promise<boolean> {
  const { packs } = places(config)
  await mkdir(packs, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(packs)
  return bavail * bsize >= bytes
}

/** A request as a whole, or, if it is too long, with what follows. */
async function bodyOf(request: Readable): Promise<{ readonly body: Buffer; readonly rest?: Readable }> {
  const source: AsyncIterator<Buffer> = request[Symbol.asyncIterator]()
  const read: Buffer[] = []
  for (let bytes = 0; bytes <= MOST_ASKED; ) {
    const { done, value } = await source.next()
    if (done) return { body: Buffer.concat(read) }
    read.push(value)
    bytes += value.length
  }
  async function* all() {
    yield* read
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value
  }
  return { body: Buffer.alloc(0), rest: Readable.from(all()) }
}

/** The list of references that git answers; empty if it refused the request. */
async function listOf(repository: Repository, request: Buffer, protocol: string | undefined): Promise<Buffer> {
  const pieces: Buffer[] = []
  const answer = answerFetch(repository, { request, protocol })
  let next = await answer.next()
  for (; !next.done; next = await answer.next()) pieces.push(next.value)
  return next.value ? Buffer.concat(pieces) : Buffer.alloc(0)
}

/** Which requests came before, the latest ones. */
class Asked {
  readonly #names = new Set<string>()

  /** Has this one come before? From now on it has. */
  again(name: string): boolean {
    const isKnown = this.#names.delete(name)
    this.#names.add(name)
    const [oldest] = this.#names
    if (this.#names.size > REMEMBERED) this.#names.delete(oldest as string)
    return isKnown
  }
}

interface Packs {
  readonly cache: ArchiveCache
  readonly asked: Asked
}

const kept = new WeakMap<Deps['config'], Packs>()

/** The packs of an instance. */
function packsOf({ config, now }: Pick<Deps, 'config' | 'now'>): Packs {
  let packs = kept.get(config)
  if (!packs) {
    packs = { cache: new ArchiveCache(places(config).packs, config.packCache * MEGABYTE, now), asked: new Asked() }
    kept.set(config, packs)
  }
  return packs
}
