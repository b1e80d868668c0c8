/** Reads an archive entry by entry, and checks each of them, and at its end that none is missing. */
import { createHash } from 'node:crypto'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createZstdDecompress } from 'node:zlib'
import { type Extract, extract, type Header } from 'tar-stream'
import { ObjectStoreUnavailable } from '../../../platform/object_store/store.ts'
import type { Secret } from '../../../platform/secret.ts'
import { ArchiveDamaged, ArchiveLocked, EntryChanged } from './faults.ts'
import { DIGEST_RECORD, type End, FORMAT, lineOf, linesDigest, type Manifest, partName } from './format.ts'
import { decrypting } from './frames.ts'

/** An entry; its bytes must be read before the next one is asked for. */
export interface ArchiveEntry {
  readonly name: string
  readonly size: number
  /** Hex, as the archive has it. */
  readonly sha256: string
  /** Fails at its end where the bytes are not as they were written. Once. */
  bytes(): AsyncGenerator<Buffer, void, void>
}

type TarEntry = Readable & { readonly header: Header & { readonly pax?: Readonly<Record<string, string>> | null } }

/** An open archive. */
export class ArchiveReader {
  readonly #tar: Extract
  readonly #entries: AsyncIterator<TarEntry>
  readonly #lines = linesDigest()
  #failure: Error | undefined
  #next: ArchiveEntry | undefined
  #end: End | undefined

  /** @param source the bytes of the archive */
  constructor(source: Readable, passphrase: Secret | undefined) {
    this.#tar = extract()
    const parts = [source, decrypting(passphrase), createZstdDecompress(), new PassThrough(), this.#tar as never] as const
    // The first failure is the cause; what follows from it says less.
    for (const part of parts) (part as Readable).on('error', (error: Error) => (this.#failure ??= error))
    pipeline(parts as never, () => {})
    this.#entries = (this.#tar as unknown as AsyncIterable<TarEntry>)[Symbol.asyncIterator]()
  }

  /**
   * The first entry.
   * @throws ArchiveDamaged, ArchiveLocked
   */
  async manifest(): Promise<Manifest> {
    const entry = await this.take()
    if (entry?.name !== 'manifest.json') throw new ArchiveDamaged('it has no manifest; is it a backup of Ingot?')
    const manifest = JSON.parse((await buffer(entry.bytes())).toString('utf8')) as Manifest
    if (manifest.format !== FORMAT)
      throw new ArchiveLocked(`the archive has the form ${manifest.format} of Ingot ${manifest.ingot}, and this Ingot reads ${FORMAT}`)
    return manifest
  }

  /** The entry that `take` would return; undefined at the end. */
  async peek(): Promise<ArchiveEntry | undefined> {
    this.#next ??= await this.#read()
    return this.#next
  }

  /** The next entry; undefined after the last one, which has been checked then. */
  async take(): Promise<ArchiveEntry | undefined> {
    const entry = await this.peek()
    this.#next = undefined
    return entry
  }

  /** The parts of `name`, in order, as one stream; the entry after them is not touched. */
  async *parts(name: string): AsyncGenerator<Buffer, void, void> {
    for (let expected = 1; ; expected++) {
      const entry = await this.peek()
      if (!entry?.name.startsWith(`${name}/`)) return
      if (entry.name !== partName(name, expected)) throw new ArchiveDamaged(`${entry.name} is out of order`)
      yield* ((await this.take()) as ArchiveEntry).bytes()
    }
  }

  /** The last entry, once `take` has come to the end. */
  get end(): End {
    if (!this.#end) throw new ArchiveDamaged('it was cut off')
    return this.#end
  }

  close(): void {
    this.#tar.destroy()
  }

  async #read(): Promise<ArchiveEntry | undefined> {
    if (this.#end) return undefined
    const { value, done } = await this.#failing(() => this.#entries.next())
    if (done || !value) throw new ArchiveDamaged('it was cut off')
    const entry = this.#entryOf(value)
    if (entry.name !== 'end.json') return entry
    const [entries, sha256] = [this.#lines.entries, this.#lines.total()]
    const end = JSON.parse((await buffer(entry.bytes())).toString('utf8')) as End
    if (end.entries !== entries || end.sha256 !== sha256) throw new ArchiveDamaged('entries are missing, or were changed')
    this.#end = end
    return undefined
  }

  #entryOf(source: TarEntry): ArchiveEntry {
    const { name, size = 0, pax } = source.header
    const sha256 = pax?.[DIGEST_RECORD]
    if (sha256 === undefined) throw new ArchiveDamaged(`${name} has no digest`)
    const failing = <T>(work: () => Promise<T>) => this.#failing(work)
    const lines = this.#lines
    return {
      name,
      size,
      sha256,
      async *bytes() {
        const hash = createHash('sha256')
        const chunks = (source as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
        for (;;) {
          const { value, done } = await failing(() => chunks.next())
          if (done) break
          hash.update(value)
          yield value
        }
        if (name !== 'end.json') lines.add(lineOf(name, size, sha256))
        if (hash.digest('hex') !== sha256) throw new EntryChanged(name)
      },
    }
  }

  async #failing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const cause = this.#failure ?? (error as Error)
      if (cause instanceof ArchiveDamaged || cause instanceof ArchiveLocked || cause instanceof ObjectStoreUnavailable) throw cause
      const { code } = cause as NodeJS.ErrnoException
      // Of the file itself: it is not there, or cannot be read.
      if (code !== undefined && /^E[A-Z]+$/.test(code)) throw cause
      throw new ArchiveDamaged('it was cut off or changed, or is no backup of Ingot', { cause })
    }
  }
}
