/**
 * An archive in production: written to a file as fast as git produces it, and read from there by all clients, each at its own
 * pace. It is cancelled when the last client disconnects.
 */
import { type FileHandle, open } from 'node:fs/promises'

/** Bytes per read. */
const PIECE = 256 * 1024

export interface ProductionOptions {
  /** Path of the new file. */
  readonly file: string
  /** Produces the bytes; the signal cancels it. */
  readonly make: (signal: AbortSignal) => AsyncIterable<Buffer>
  /** Called with the size of the complete file. */
  readonly keep: (bytes: number) => Promise<void>
  /** Called at the end, however it came, and before that when it is cancelled; nobody can join afterwards. */
  readonly ended: () => void
}

export class Production {
  /** Settles when the file is complete, or rejects with the failure. */
  readonly done: Promise<void>
  readonly #unwanted = new AbortController()
  readonly #ended: () => void
  #handle: FileHandle | undefined
  #written = 0
  #state: 'running' | 'whole' | { readonly failed: unknown } = 'running'
  #readers = 0
  #progress = Promise.withResolvers<void>()

  constructor(options: ProductionOptions) {
    this.#ended = options.ended
    this.done = this.#run(options)
    // Readers get the error, too.
    this.done.catch(() => {})
  }

  async #run({ file, make, keep }: ProductionOptions): Promise<void> {
    try {
      this.#handle = await open(file, 'wx+', 0o600)
      for await (const bytes of make(this.#unwanted.signal)) {
        // A disk that is nearly full takes a part of them.
        for (let taken = 0; taken < bytes.length; ) {
          const { bytesWritten } = await this.#handle.write(bytes, taken, bytes.length - taken, this.#written)
          taken += bytesWritten
          this.#written += bytesWritten
        }
        this.#report()
      }
      await keep(this.#written)
      this.#state = 'whole'
    } catch (error) {
      this.#state = { failed: error }
      throw error
    } finally {
      this.#ended()
      this.#report()
      if (this.#readers === 0) await this.#handle?.close()
    }
  }

  #report(): void {
    this.#progress.resolve()
    this.#progress = Promise.withResolvers()
  }

  /** Adds a reader, which must read the bytes or close the iterator. Only possible before `ended`. @throws the failure of the production */
  async join(): Promise<AsyncIterator<Buffer> & AsyncIterable<Buffer>> {
    this.#readers += 1
    const bytes = this.#read()
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
  async *#read(): AsyncGenerator<Buffer | undefined, void, void> {
    try {
      yield undefined
      for (let position = 0; ; ) {
        const progress = this.#progress.promise
        const state = this.#state
        if (typeof state === 'object') throw state.failed
        if (position < this.#written) {
          const bytes = Buffer.allocUnsafe(Math.min(PIECE, this.#written - position))
          const { bytesRead } = await (this.#handle as FileHandle).read(bytes, 0, bytes.length, position)
          position += bytesRead
          yield bytes.subarray(0, bytesRead)
        } else if (state === 'running') await progress
        else return
      }
    } finally {
      await this.#leave()
    }
  }

  async #leave(): Promise<void> {
    this.#readers -= 1
    if (this.#readers > 0) return
    if (this.#state === 'running') {
      // It takes a while to end: who comes meanwhile must not fail with it.
      this.#ended()
      this.#unwanted.abort()
    } else await this.#handle?.close()
  }
}
