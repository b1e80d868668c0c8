/**
 * A file as a stream. As the body of an answer it is sent through two reused buffers: allocating one per chunk costs more CPU time in
 * garbage collection than sending the bytes.
 */
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ByteRange } from './store.ts'

/** Bytes per read for an answer, and for other consumers. */
const PIECE = 256 * 1024
const CHUNK = 64 * 1024

export class FileStream extends Readable {
  readonly #handle: FileHandle
  #at: number
  /** Offset of the last byte to read. */
  readonly #last: number

  private constructor(handle: FileHandle, { start, end }: ByteRange) {
    super({ highWaterMark: CHUNK })
    this.#handle = handle
    this.#at = start
    this.#last = end
  }

  /** Opens a file, or a part of it. @throws system errors such as `ENOENT` */
  static async open(path: string, range?: ByteRange): Promise<FileStream> {
    return new FileStream(await open(path), range ?? { start: 0, end: Number.POSITIVE_INFINITY })
  }

  override _read(): void {
    const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(CHUNK, this.#left)))
    this.#fill(buffer).then(
      length => this.push(length === 0 ? null : buffer.subarray(0, length)),
      error => this.destroy(error),
    )
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Waits for the running read.
    this.#handle.close().then(
      () => done(error),
      failure => done(error ?? failure),
    )
  }

  override pipe<Destination extends NodeJS.WritableStream>(destination: Destination, options?: { end?: boolean }): Destination {
    // Other destinations may keep the buffers that they get; the connection of an answer does not.
    if (!(destination instanceof ServerResponse)) return super.pipe(destination, options)
    this.#sendTo(destination).catch(error => this.destroy(error))
    return destination
  }

  get #left(): number {
    return this.#last - this.#at + 1
  }

  /** Reads the next bytes and returns their number; 0 at the end. */
  async #fill(buffer: Buffer): Promise<number> {
    const length = Math.min(buffer.length, this.#left)
    if (length <= 0) return 0
    const { bytesRead } = await this.#handle.read(buffer, 0, length, this.#at)
    this.#at += bytesRead
    return bytesRead
  }

  async #sendTo(answer: ServerResponse): Promise<void> {
    const size = Math.max(0, Math.min(PIECE, this.#left))
    let [reading, writing] = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)]
    let written: Promise<void> = Promise.resolve()
    for (;;) {
      const length = await this.#fill(reading)
      await written
      if (length === 0) break
      written = writeTo(answer, reading.subarray(0, length))
      // If the connection breaks while the next chunk is read, the error is thrown at the next `await`.
      written.catch(() => {})
      ;[reading, writing] = [writing, reading]
    }
    answer.end()
    this.push(null)
    this.resume()
  }
}

const writeTo = (answer: ServerResponse, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    answer.write(bytes, error => (error ? reject(error) : resolve()))
  })
