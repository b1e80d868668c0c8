/**
 * SHA-256 of streamed bytes. On processors without instructions for it a gigabyte takes seconds, during which the event loop would be
 * blocked: all but small amounts are hashed on threads (digest_thread.ts). On processors that have them the way to a thread and back takes as
 * much of the event loop as the digest, and more of the processor: there all is hashed where it is.
 */
import { createHash, type Hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** Bytes per message to a thread; smaller amounts are hashed on the main thread. */
const BLOCK = 1024 * 1024
/** Blocks per digest, which bound its memory: one is filled while the others wait. */
const BLOCKS = 4
/** When all threads are busy, digests share them. */
const MOST_THREADS = Math.min(4, availableParallelism())

/** Bytes a millisecond that a processor hashes which has instructions for it: others reach half of it at most. */
const QUICK = 700_000

let quick: boolean | undefined

/** Does this processor hash as fast as bytes come? Tried once, in less than a millisecond; a busy machine may try in vain, which costs speed alone. */
export function hashesQuickly(): boolean {
  if (quick !== undefined) return quick
  const bytes = Buffer.alloc(65_536)
  const times = Array.from({ length: 8 }, () => {
    const began = performance.now()
    createHash('sha256').update(bytes).digest()
    return performance.now() - began
  })
  quick = bytes.length / Math.min(...times) >= QUICK
  return quick
}

/** A message to a thread: bytes of a digest, or its end. */
export type ToThread = { readonly digest: number } & (
  | { readonly block: ArrayBuffer; readonly length: number }
  | { readonly ends: 'wanted' | 'dropped' }
)

/** A message from a thread: a block may be reused, or the digest in hex. */
export type FromThread = { readonly digest: number } & ({ readonly block: ArrayBuffer } | { readonly sha256: string })

/** A consumer of a thread's messages. */
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
    // An idle thread does not keep the process alive.
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

/** The threads started so far. */
const threads = new Set<Thread>()

/** The least busy thread; a new one if all are busy and the limit permits. */
function someThread(): Thread {
  const [least] = [...threads].sort((a, b) => a.waiting.size - b.waiting.size)
  if (least && (least.waiting.size === 0 || threads.size >= MOST_THREADS)) return least
  const thread = new Thread()
  threads.add(thread)
  return thread
}

let lastDigest = 0

/** An unfinished digest. Either `finish` or `drop` ends it. */
export class Digest {
  readonly #here: Hash | undefined
  #small: Buffer[] = []
  #size = 0
  #isDropped = false
  #onThread: ThreadDigest | undefined

  /** @param where large amounts are hashed: here or on a thread */
  constructor(where: 'here' | 'thread' = hashesQuickly() ? 'here' : 'thread') {
    if (where === 'here') this.#here = createHash('sha256')
  }

  /** Takes bytes in order and resolves when more may be given. @throws Error if the thread has failed */
  async update(bytes: Buffer): Promise<void> {
    if (this.#here) {
      this.#here.update(bytes)
      return
    }
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
    if (this.#isDropped) throw new Error('the digest was dropped')
    if (this.#here) return this.#here.digest('hex')
    if (this.#onThread) return this.#onThread.finish()
    const hash = createHash('sha256')
    for (const chunk of this.#small) hash.update(chunk)
    return hash.digest('hex')
  }

  /** Abandons the digest. */
  drop(): void {
    this.#isDropped = true
    this.#onThread?.drop()
  }
}

/** A digest on a thread: bytes are collected in blocks, which are transferred there and back. */
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
    // It may be rejected before a caller awaits it.
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
