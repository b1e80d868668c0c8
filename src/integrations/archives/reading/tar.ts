/**
 * Reads a tar stream entry by entry: POSIX headers, and the extensions of pax and GNU for long names. A library reads the extensions of an archive
 * whole into memory, however long it says they are; archives come from anybody, so this reader has bounds.
 */
import { ArchiveRefused } from './refused.ts'

/** An entry of an archive; `body` must be read to its end before the next entry is. */
export interface TarEntry {
  readonly path: string
  readonly kind: 'file' | 'directory' | 'other'
  /** In bytes. */
  readonly size: number
  /** How many extensions stood before it. */
  readonly extensions: number
  readonly body: AsyncIterable<Buffer>
}

const BLOCK = 512

/** Most bytes of an extension: names and times. */
const MOST_EXTENSION = 64 * 1024

/** Most extensions before an entry: pax and GNU have two kinds each. */
const MOST_EXTENSIONS = 4

const damaged = (): ArchiveRefused => new ArchiveRefused('The archive is damaged or is no tar.gz file.')

/** Takes bytes from chunks as they are asked for. */
class Bytes {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]()
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#chunks.next()
    if (done) return false
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value])
    return true
  }

  /** Exactly this many bytes; undefined at the end of the source. A part of them is a damaged archive. */
  async exactly(count: number): Promise<Buffer | undefined> {
    while (this.#held.length < count)
      if (!(await this.#fill())) {
        if (this.#held.length === 0) return undefined
        throw damaged()
      }
    const taken = this.#held.subarray(0, count)
    this.#held = this.#held.subarray(count)
    return taken
  }

  /** The next bytes, as they come, in all as many as `count`. */
  async *some(count: number): AsyncGenerator<Buffer, void, void> {
    for (let left = count; left > 0; ) {
      if (this.#held.length === 0 && !(await this.#fill())) throw damaged()
      const taken = this.#held.subarray(0, left)
      this.#held = this.#held.subarray(taken.length)
      left -= taken.length
      yield taken
    }
  }
}

const textIn = (bytes: Buffer): string => {
  const end = bytes.indexOf(0)
  return bytes.subarray(0, end < 0 ? bytes.length : end).toString('utf8')
}

/** A number of a header: octal digits, or GNU's base 256 with the first bit set. */
function numberIn(bytes: Buffer): number {
  const [first = 0] = bytes
  const text = textIn(bytes).trim()
  const value =
    (first & 0x80) === 0
      ? /^[0-7]*$/.test(text)
        ? Number.parseInt(text || '0', 8)
        : Number.NaN
      : bytes.subarray(1).reduce((sum, byte) => sum * 256 + byte, first & 0x7f)
  if (!Number.isSafeInteger(value) || value < 0) throw damaged()
  return value
}

function assertChecksum(header: Buffer): void {
  const stored = numberIn(header.subarray(148, 156))
  let sum = 8 * 32
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  if (sum !== stored) throw damaged()
}

/** What extensions say of the next entry. */
interface Extension {
  path?: string
  size?: string
}

/** Reads the records of a pax extension: `30 path=a/b\n`, the number being the bytes of the record. Those that are not used are not kept. */
function readPax(bytes: Buffer, into: Extension): void {
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const length = space < 0 ? Number.NaN : Number(bytes.subarray(at, space).toString('latin1'))
    if (!Number.isSafeInteger(length) || length <= space - at || at + length > bytes.length) throw damaged()
    const record = bytes.subarray(space + 1, at + length - 1).toString('utf8')
    const sign = record.indexOf('=')
    if (sign < 0) throw damaged()
    const key = record.slice(0, sign)
    if (key === 'path' || key === 'size') into[key] = record.slice(sign + 1)
    at += length
  }
}

const kinds: Readonly<Record<string, TarEntry['kind']>> = { '0': 'file', '\0': 'file', '7': 'file', '5': 'directory' }

/** The entries of a tar stream, in their order. @throws ArchiveRefused for bytes that are none */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry, void, void> {
  const bytes = new Bytes(source)
  let isFirst = true
  let extension: Extension = {}
  let extensions = 0
  for (;;) {
    const header = await bytes.exactly(BLOCK)
    if (!header) {
      if (isFirst) throw damaged()
      return
    }
    // The end is two empty blocks; what follows them is padding.
    if (header.every(byte => byte === 0)) {
      if (isFirst) throw damaged()
      for (;;) if (!(await bytes.exactly(BLOCK))) return
    }
    isFirst = false
    assertChecksum(header)
    const type = String.fromCharCode(header[156] as number)
    const stated = extension.size
    if (stated !== undefined && !/^\d{1,15}$/.test(stated)) throw damaged()
    const isExtension = ['x', 'g', 'L', 'K'].includes(type)
    const size = isExtension || stated === undefined ? numberIn(header.subarray(124, 136)) : Number(stated)
    const padding = (BLOCK - (size % BLOCK)) % BLOCK
    if (isExtension) {
      if (++extensions > MOST_EXTENSIONS) throw damaged()
      if (size > MOST_EXTENSION) throw new ArchiveRefused('The archive has an entry with a name that is too long.')
      const body = size === 0 ? Buffer.alloc(0) : await bytes.exactly(size)
      if (!body || (padding > 0 && !(await bytes.exactly(padding)))) throw damaged()
      if (type === 'x') readPax(body, extension)
      else if (type === 'L') extension.path = textIn(body)
      continue
    }
    const isUstar = header.subarray(257, 263).toString('latin1') === 'ustar\0'
    const prefix = isUstar ? textIn(header.subarray(345, 500)) : ''
    const name = textIn(header.subarray(0, 100))
    const path = extension.path ?? (prefix === '' ? name : `${prefix}/${name}`)
    extension = {}
    // Links and folders have no bytes, whatever their header says of a size.
    const kind = kinds[type] ?? 'other'
    let left = kind === 'directory' ? 0 : size
    const body = (async function* () {
      for await (const chunk of bytes.some(left)) {
        left -= chunk.length
        yield chunk
      }
    })()
    yield { path, kind, size: left, extensions, body }
    extensions = 0
    for await (const _rest of body) {
      // What the caller has left.
    }
    if (left > 0) throw damaged()
    if (kind !== 'directory' && padding > 0 && !(await bytes.exactly(padding))) throw damaged()
  }
}
