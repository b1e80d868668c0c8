/** Writes an archive, at constant memory: what is not ready yet waits for the disk. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable, type Transform } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { constants, createZstdCompress } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import type { Secret } from '../../../platform/secret.ts'
import { type Contents, tailOf } from './contents.ts'
import { DIGEST_RECORD, type End, lineOf, linesDigest, PART, partName, sha256Of } from './format.ts'
import { encrypting } from './frames.ts'
import type { ArchivePlace, Unfinished } from './places.ts'

/** Where the bytes of an entry go. */
type Sink = ReturnType<Pack['entry']>

/** What an archive shows, before its end has a digest. */
export interface WrittenContents extends Omit<Contents, 'self'> {
  readonly self: Omit<Contents['self'], 'sha256'>
}

/** An archive that is being written. */
export class ArchiveWriter {
  readonly #tar: Pack
  readonly #unfinished: Unfinished
  readonly #written: Promise<void>
  readonly #lines = linesDigest()
  readonly #passphrase: Secret | undefined
  #bytes = 0

  private constructor(unfinished: Unfinished, stages: readonly Transform[], passphrase: Secret | undefined) {
    this.#unfinished = unfinished
    this.#passphrase = passphrase
    this.#tar = pack()
    // The contents follow.
    this.#written = pipeline([Readable.from(this.#tar), ...stages, unfinished.target], { end: false })
    // The next entry fails by it.
    this.#written.catch(() => {})
  }

  /**
   * Begins an archive, which is there when `finish` resolves, and not before.
   * @throws Error there is one in this place, or none can be written
   */
  static async open(place: ArchivePlace, passphrase: Secret | undefined): Promise<ArchiveWriter> {
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 } })
    const stages = [compress, ...(passphrase ? [await encrypting(passphrase)] : [])]
    return new ArchiveWriter(await place.create(), stages, passphrase)
  }

  /** Bytes of entries so far, as they are before they are compressed. */
  get bytes(): number {
    return this.#bytes
  }

  /** Writes an entry whose bytes are at hand. */
  async add(name: string, bytes: Buffer | string): Promise<void> {
    const content = Buffer.from(bytes as string)
    await this.#entry(name, content.length, sha256Of(content), sink => write(sink, content))
  }

  /** Writes a stream of any length as parts: `name/000001` and so on, none for an empty one. */
  async addParts(name: string, source: AsyncIterable<Buffer>): Promise<void> {
    let parts = 0
    let chunks: Buffer[] = []
    let size = 0
    const flush = async () => {
      const bytes = Buffer.concat(chunks)
      chunks = []
      size = 0
      parts += 1
      await this.add(partName(name, parts), bytes)
    }
    for await (const chunk of source) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= PART) await flush()
    }
    if (size > 0) await flush()
  }

  /**
   * Writes an entry of a size and digest that are known before its bytes come.
   * @returns whether the bytes were as announced; the entry has the announced size in any case, and is then good for nothing
   */
  async addKnown(
    name: string,
    expected: { readonly size: number; readonly sha256: string },
    source: AsyncIterable<Buffer>,
  ): Promise<boolean> {
    const hash = createHash('sha256')
    let seen = 0
    await this.#entry(name, expected.size, expected.sha256, async sink => {
      for await (const chunk of source) {
        hash.update(chunk)
        const room = expected.size - seen
        seen += chunk.length
        if (room > 0) await write(sink, chunk.subarray(0, room))
      }
      for (let left = expected.size - seen; left > 0; left -= PART) await write(sink, Buffer.alloc(Math.min(left, PART)))
    })
    return seen === expected.size && hash.digest('hex') === expected.sha256
  }

  /** Writes the last entry and what the archive shows, and waits until it is kept. */
  async finish(end: Omit<End, 'entries' | 'sha256'>, { self, ...contents }: WrittenContents): Promise<void> {
    const last: End = { entries: this.#lines.entries, sha256: this.#lines.total(), ...end }
    await this.#entry('end.json', ...knownOf(JSON.stringify(last)))
    this.#tar.finalize()
    await this.#written
    const { target } = this.#unfinished
    target.end(await tailOf({ ...contents, self: { ...self, sha256: last.sha256 } }, this.#passphrase))
    await finished(target, { readable: false })
    await this.#unfinished.keep()
  }

  /** Gives up: nothing is left. */
  async abort(): Promise<void> {
    this.#tar.destroy()
    // First: a place that takes nothing any more would be waited for.
    this.#unfinished.target.destroy()
    await this.#written.catch(() => {})
    await this.#unfinished.discard()
  }

  async #entry(name: string, size: number, sha256: string, fill: (sink: Sink) => Promise<void>): Promise<void> {
    try {
      await this.#put(name, size, sha256, fill)
    } catch (error) {
      // Where the archive cannot be written, that is the reason, and not that the archive has ended.
      if (this.#tar.destroyed) await this.#written
      throw error
    }
    // The last entry has the digest of those before it.
    if (name !== 'end.json') this.#lines.add(lineOf(name, size, sha256))
    this.#bytes += size
  }

  async #put(name: string, size: number, sha256: string, fill: (sink: Sink) => Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const sink = this.#tar.entry({ name, size, mode: 0o600, pax: { [DIGEST_RECORD]: sha256 } } as never, error =>
      error ? reject(error) : resolve(),
    )
    // The callback says it, too. While nothing is written to it, nobody else listens.
    sink.on('error', reject)
    // A disk that is full, or a bucket that is gone, ends the pipeline, and with it every wait.
    const failed = this.#written.then(() => promise)
    const work = fill(sink).then(() => {
      sink.end(undefined)
      return promise
    })
    for (const each of [failed, work, promise]) each.catch(() => {})
    await Promise.race([work, failed])
  }
}

const knownOf = (text: string): [number, string, (sink: Sink) => Promise<void>] => {
  const bytes = Buffer.from(text)
  return [bytes.length, sha256Of(bytes), sink => write(sink, bytes)]
}

async function write(sink: Sink, bytes: Buffer): Promise<void> {
  if (bytes.length > 0 && !sink.write(bytes)) await once(sink, 'drain')
}
