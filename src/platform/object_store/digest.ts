/**
 * SHA-256 of bytes that pass. Where the processor has no instructions for it, a gigabyte takes seconds, in which no request could be
 * served and no byte of this one would move: all but small amounts are hashed on threads (digest_thread.ts).
 */
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Bytes that are sent to a thread at a time; as many at most are hashed where they are. */
const BLOCK = 1024 * 1024
/** Blocks of one digest, and so what it takes of memory: one is filled while the others wait. */
const BLOCKS = 4
/** Whoever comes when all are busy shares one. */
const MOST_THREADS = Math.min(4, availableParallelism())

/** What a thread is told: bytes of a digest, or its end. */
export type ToThread = { readonly digest: number } & (
  | { readonly block: ArrayBuffer; readonly length: number }
  | { readonly ends: 'wanted' | 'dropped' }
)

/** What it says: a block may be used again, or the digest in hex. */
export type FromThread = { readonly digest: number } & ({ readonly block: ArrayBuffer } | { readonly sha256: string })

/** Who waits for answers of a thread. */
interface Waiting {
  free(block: ArrayBuffer): void
  come(sha256: string): void
  fail(error: Error): void
}

class Thread {
  readonly waiting = new Map<number, Waiting>()
  readonly #worker = new Worker(new URL('./digest_thread.ts', import.meta.url))

  constructor() {
    this.#worker.on('message', (message: FromThread) => {
      const waiting = this.waiting.get(message.digest)
      if ('block' in message) waiting?.free(message.block)
      else waiting?.come(message.sha256)
    })
    this.#worker.on('error', error => this.#end(error))
    this.#worker.on('exit', () => this.#end(new Error('the thread of digests ended')))
    this.#worker.unref()
  }

  add(digest: number, waiting: Waiting): void {
    this.waiting.set(digest, waiting)
    this.#worker.ref()
  }

  remove(digest: number): void {
    this.waiting.delete(digest)
    // An idle thread keeps no program from its end.
    if (this.waiting.size === 0) this.#worker.unref()
  }

  send(message: ToThread): void {
    this.#worker.postMessage(message, 'block' in message ? [message.block] : [])
  }

  #end(error: Error): void {
    threads.delete(this)
    for (const waiting of [...this.waiting.values()]) waiting.fail(error)
  }
}

/** Those that have been needed so far. */
const threads = new Set<Thread>()

/** The one with least to do; a new one where all have something and there may be more. */
function someThread(): Thread {
  const [least] = [...threads].sort((a, b) => a.waiting.size - b.waiting.size)
  if (least && (least.waiting.size === 0 || threads.size >= MOST_THREADS)) return least
  const thread = new Thread()
  threads.add(thread)
  return thread
}

let lastDigest = 0

/** A digest in the making. Either `finish` or `drop` ends it. */
export class Digest {
  #small: Buffer[] = []
  #size = 0
  #onThread: ThreadDigest | undefined

  /** Takes bytes, in order, and resolves when more may come. @throws Error where the thread has failed */
  async update(bytes: Buffer): Promise<void> {
    this.#size += bytes.length
    if (!this.#onThread) {
      this.#small.push(bytes)
      if (this.#size <= BLOCK) return
      this.#onThread = new ThreadDigest()
      for (const chunk of this.#small) await this.#onThread.update(chunk)
      this.#small = []
    } else await this.#onThread.update(bytes)
  }

  /** The digest of all bytes, in hex. */
  async finish(): Promise<string> {
    if (this.#onThread) return this.#onThread.finish()
    const hash = createHash('sha256')
    for (const chunk of this.#small) hash.update(chunk)
    return hash.digest('hex')
  }

  /** Nobody wants to know it any more. */
  drop(): void {
    this.#onThread?.drop()
  }
}

/** A digest on a thread: bytes are gathered in blocks, which wander there and back. */
class ThreadDigest implements Waiting {
  readonly #id = ++lastDigest
  readonly #thread = someThread()
  readonly #free: ArrayBuffer[] = []
  readonly #finished = Promise.withResolvers<string>()
  #made = 0
  #block: ArrayBuffer | undefined
  #filled = 0
  #wanting: PromiseWithResolvers<ArrayBuffer> | undefined

  constructor() {
    // Who waits for a block may be told before anybody waits for the end.
    this.#finished.promise.catch(() => {})
    this.#thread.add(this.#id, this)
  }

  async update(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      this.#block ??= await this.#emptyBlock()
      const length = Math.min(BLOCK - this.#filled, bytes.length - at)
      new Uint8Array(this.#block, this.#filled).set(bytes.subarray(at, at + length))
      at += length
      this.#filled += length
      if (this.#filled === BLOCK) this.#send()
    }
  }

  finish(): Promise<string> {
    this.#send()
    this.#thread.send({ digest: this.#id, ends: 'wanted' })
    return this.#finished.promise
  }

  drop(): void {
    if (!this.#thread.waiting.has(this.#id)) return
    this.#thread.send({ digest: this.#id, ends: 'dropped' })
    this.fail(new Error('the digest was dropped'))
  }

  free(block: ArrayBuffer): void {
    if (!this.#wanting) this.#free.push(block)
    this.#wanting?.resolve(block)
    this.#wanting = undefined
  }

  #send(): void {
    if (!this.#block) return
    this.#thread.send({ digest: this.#id, block: this.#block, length: this.#filled })
    this.#block = undefined
    this.#filled = 0
  }

  async #emptyBlock(): Promise<ArrayBuffer> {
    const free = this.#free.pop()
    if (free) return free
    if (this.#made < BLOCKS) {
      this.#made++
      return new ArrayBuffer(BLOCK)
    }
    this.#wanting = Promise.withResolvers<ArrayBuffer>()
    return this.#wanting.promise
  }

  come(sha256: string): void {
    this.#thread.remove(this.#id)
    this.#finished.resolve(sha256)
  }

  fail(error: Error): void {
    this.#thread.remove(this.#id)
    this.#wanting?.reject(error)
    this.#finished.reject(error)
  }
}
