/**
 * An archive in production: written to a file, and read from there by all clients, each at its own pace. It is cancelled when the last client
 * disconnects; one that takes nothing is disconnected (kernel/connections/guard.ts).
 *
 * Git runs ahead of the clients as long as the file may grow. From then on the archive will not be kept: new bytes take the place of those that all
 * clients have read, the file keeps its size, and git waits for the slowest client.
 */
import { type FileHandle, open } from 'node:fs/promises'

/** Bytes per read. */
const PIECE = 256 * 1024

export interface ProductionOptions {
  /** Path of the new file. */
  readonly file: string
  /** Produces the bytes; the signal cancels it. */
  readonly make: (signal: AbortSignal) => AsyncIterable<Buffer>
  /** Called with the new file; the returned function counts bytes that are added to it. */
  readonly opened: (handle: FileHandle) => Promise<(bytes: number) => void>
  /** How many bytes a file of this size may grow by. A file without a byte may. */
  readonly growth: (bytes: number) => number
  /** Called when the file no longer grows: what git does from now on lasts as long as clients read. The returned function is called at the end. */
  readonly follows: (signal: AbortSignal) => Promise<(() => void) | undefined>
  /** Called with the size of the complete file, if all of the archive is in it. */
  readonly keep: (bytes: number) => Promise<void>
  /** Called when nobody can join afterwards: at the end, however it came, and before that when it is cancelled or the file no longer grows. */
  readonly ended: () => void
}

/** A client. The bytes before its position are read. */
interface Reader {
  position: number
}

export class Production {
  /** Settles when the archive is complete, or rejects with the failure. */
  readonly done: Promise<void>
  /** Settles when git has ended, or follows the clients. */
  readonly ranAhead: Promise<void>
  readonly #unwanted = new AbortController()
  readonly #ended: () => void
  #handle: FileHandle | undefined
  #written = 0
  /** Size of the file from which on bytes are overwritten. */
  #size = Number.POSITIVE_INFINITY
  #state: 'running' | 'whole' | { readonly failed: unknown } = 'running'
  readonly #readers = new Set<Reader>()
  /** For clients: bytes were written, or it has ended. */
  #progress = Promise.withResolvers<void>()
  /** For git: a client has read bytes, or left. */
  #wasRead = Promise.withResolvers<void>()

  constructor(options: ProductionOptions) {
    this.#ended = options.ended
    const follows = Promise.withResolvers<void>()
    this.done = this.#run(options, follows.resolve)
    this.ranAhead = Promise.race([this.done, follows.promise])
    // Readers get the error, too.
    this.done.catch(() => {})
    this.ranAhead.catch(() => {})
  }

  async #run({ file, make, opened, growth, follows, keep }: ProductionOptions, hasRunAhead: () => void): Promise<void> {
    const { signal } = this.#unwanted
    let release: (() => void) | undefined
    try {
      this.#handle = await open(file, 'wx+', 0o600)
      const grew = await opened(this.#handle)
      for await (const bytes of make(signal)) {
        // A disk that is nearly full takes a part of them.
        for (let taken = 0; taken < bytes.length; ) {
          let room = this.#isFollowing ? 0 : growth(this.#written)
          if (!this.#isFollowing && room <= 0) {
            this.#size = this.#written
            this.#ended()
            release = await follows(signal)
            hasRunAhead()
          }
          if (this.#isFollowing) room = await this.#freed(signal)
          const at = this.#written % this.#size
          const { bytesWritten } = await this.#handle.write(bytes, taken, Math.min(bytes.length - taken, room), at)
          if (!this.#isFollowing) grew(bytesWritten)
          taken += bytesWritten
          this.#written += bytesWritten
          this.#report()
        }
      }
      if (!this.#isFollowing) await keep(this.#written)
      this.#state = 'whole'
    } catch (error) {
      this.#state = { failed: error }
      throw error
    } finally {
      release?.()
      this.#ended()
      this.#report()
      if (this.#readers.size === 0) await this.#handle?.close()
    }
  }

  get #isFollowing(): boolean {
    return this.#size < Number.POSITIVE_INFINITY
  }

  /** How many bytes after the last one all clients have read; waits until there are any. */
  async #freed(signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted()
      const wasRead = this.#wasRead.promise
      const slowest = Math.min(...[...this.#readers].map(({ position }) => position))
      const free = slowest + this.#size - this.#written
      if (free > 0) return Math.min(free, this.#size - (this.#written % this.#size))
      await wasRead
    }
  }

  #report(): void {
    this.#progress.resolve()
    this.#progress = Promise.withResolvers()
  }

  #reportRead(): void {
    this.#wasRead.resolve()
    this.#wasRead = Promise.withResolvers()
  }

  /** Adds a reader, which must read the bytes or close the iterator. Only possible before `ended`. @throws the failure of the production */
  async join(): Promise<AsyncIterator<Buffer> & AsyncIterable<Buffer>> {
    const reader: Reader = { position: 0 }
    this.#readers.add(reader)
    const bytes = this.#read(reader)
    try {
      while (this.#written === 0 && this.#state === 'running') await this.#progress.promise
      if (typeof this.#state === 'object') throw this.#state.failed
    } finally {
      // A generator that was never started does not run its `finally`.
      await bytes.next()
      if (typeof this.#state === 'object') await bytes.return()
    }
    return bytes as AsyncGenerator<Buffer, void, void>
  }

  /** Yields nothing first, so that the generator is started before it is returned. */
  async *#read(reader: Reader): AsyncGenerator<Buffer | undefined, void, void> {
    try {
      yield undefined
      for (;;) {
        const progress = this.#progress.promise
        const state = this.#state
        if (typeof state === 'object') throw state.failed
        const left = this.#written - reader.position
        if (left > 0) {
          const at = reader.position % this.#size
          const bytes = Buffer.allocUnsafe(Math.min(PIECE, left, this.#size - at))
          const { bytesRead } = await (this.#handle as FileHandle).read(bytes, 0, bytes.length, at)
          reader.position += bytesRead
          this.#reportRead()
          yield bytes.subarray(0, bytesRead)
        } else if (state === 'running') await progress
        else return
      }
    } finally {
      await this.#leave(reader)
    }
  }

  async #leave(reader: Reader): Promise<void> {
    this.#readers.delete(reader)
    if (this.#readers.size === 0 && this.#state === 'running') {
      // It takes a while to end: who comes meanwhile must not fail with it.
      this.#ended()
      this.#unwanted.abort()
    } else if (this.#readers.size === 0) await this.#handle?.close()
    this.#reportRead()
  }
}
