/**
 * An archive that is being made: written to a file as fast as git makes it, and read from there by all who asked for it, each at their own
 * pace. It is given up when the last of them has gone.
 */
import { type FileHandle, open } from 'node:fs/promises'

/** Bytes that are read at a time. */
const PIECE = 256 * 1024

export interface ProductionOptions {
  /** Where it is written; no file of that name may exist. */
  readonly file: string
  /** Makes the bytes; the signal says that nobody wants them any more. */
  readonly make: (signal: AbortSignal) => AsyncIterable<Buffer>
  /** Does with the whole file what is to be done with it. */
  readonly keep: (bytes: number) => Promise<void>
  /** Called at the end, however it came: nobody can join from then on. */
  readonly ended: () => void
}

export class Production {
  /** Settles when the file is whole, or with why it is not. */
  readonly done: Promise<void>
  readonly #unwanted = new AbortController()
  #handle: FileHandle | undefined
  #written = 0
  #state: 'running' | 'whole' | { readonly failed: unknown } = 'running'
  #readers = 0
  #progress = Promise.withResolvers<void>()

  constructor(options: ProductionOptions) {
    this.done = this.#run(options)
    // Readers get the error.
    this.done.catch(() => {})
  }

  async #run({ file, make, keep, ended }: ProductionOptions): Promise<void> {
    try {
      this.#handle = await open(file, 'wx+', 0o600)
      for await (const bytes of make(this.#unwanted.signal)) {
        await this.#handle.write(bytes, 0, bytes.length, this.#written)
        this.#written += bytes.length
        this.#report()
      }
      await keep(this.#written)
      this.#state = 'whole'
    } catch (error) {
      this.#state = { failed: error }
      throw error
    } finally {
      ended()
      this.#report()
      if (this.#readers === 0) await this.#handle?.close()
    }
  }

  #report(): void {
    this.#progress.resolve()
    this.#progress = Promise.withResolvers()
  }

  /** Takes part in it; the bytes must be read, or their reading ended. To be called before it has `ended`. @throws why it cannot be made */
  async join(): Promise<AsyncIterator<Buffer> & AsyncIterable<Buffer>> {
    this.#readers += 1
    const bytes = this.#read()
    try {
      while (this.#written === 0 && this.#state === 'running') await this.#progress.promise
      if (typeof this.#state === 'object') throw this.#state.failed
    } finally {
      // One that was never begun ends without its `finally`.
      await bytes.next()
      if (typeof this.#state === 'object') await bytes.return()
    }
    return bytes as AsyncGenerator<Buffer, void, void>
  }

  /** Begins with nothing, so that it can be begun before it is handed out. */
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
    if (this.#state === 'running') this.#unwanted.abort()
    else await this.#handle?.close()
  }
}
