/** The bytes of one file of a zip, streamed and inflated; never more than the directory declares. */
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import type { ByteRange } from '../../../platform/object_store/store.ts'
import { HEADER_SIZE } from './directory.ts'
import type { FoundEntry } from './find.ts'
import { bytesAt, UnfitZip } from './source.ts'

const HEADER = 0x04034b50
const IS_ENCRYPTED = 0x1
const STORED = 0
const DEFLATED = 8
/** Deflate expands one byte to at most this many. */
const MAX_RATIO = 1032
const FILE_TYPE = 0o170000
const REGULAR_FILE = 0o100000

/** Can the file be read: a regular file, not encrypted, with a known method and a possible size? */
export function isReadable({ record: { name, flags, method, unixMode, size, compressedSize } }: FoundEntry): boolean {
  const isFile = (unixMode & FILE_TYPE) === 0 || (unixMode & FILE_TYPE) === REGULAR_FILE
  if (!isFile || name.at(-1) === 0x2f || (flags & IS_ENCRYPTED) !== 0) return false
  return method === STORED ? size === compressedSize : method === DEFLATED && size <= compressedSize * MAX_RATIO
}

/** The bytes of a file for which `isReadable`, or a range of them. Aborts if they do not match the directory. @throws UnfitZip */
export async function contentsOf({ source, directoryAt, record }: FoundEntry, range?: ByteRange): Promise<Readable> {
  const header = await bytesAt(source, record.headerAt, HEADER_SIZE)
  if (header.length < HEADER_SIZE || header.readUInt32LE(0) !== HEADER) throw new UnfitZip('a file is not where its directory says')
  const start = record.headerAt + HEADER_SIZE + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + record.compressedSize > directoryAt) throw new UnfitZip('a file lies outside of it')
  const checked = new Checked(record, range)
  if (record.compressedSize === 0) {
    checked.end()
    return checked
  }
  const bytes = await source.read({ start, end: start + record.compressedSize - 1 })
  // An error here aborts the answer: the reader of `checked` gets it.
  if (record.method === STORED) pipeline(bytes, checked, () => {})
  else pipeline(bytes, createInflateRaw(), checked, () => {})
  return checked
}

/** Passes a range of the bytes, and fails if their number or checksum is not the declared one. */
class Checked extends Transform {
  readonly #record: FoundEntry['record']
  readonly #range: ByteRange
  #seen = 0
  #crc32 = 0

  constructor(record: FoundEntry['record'], range: ByteRange = { start: 0, end: record.size - 1 }) {
    super()
    this.#record = record
    this.#range = range
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { start, end } = this.#range
    const at = this.#seen
    this.#seen += chunk.length
    this.#crc32 = crc32(chunk, this.#crc32)
    if (this.#seen > this.#record.size) {
      done(new UnfitZip('a file is larger than its directory says'))
      return
    }
    const part = chunk.subarray(Math.max(0, start - at), Math.max(0, Math.min(chunk.length, end + 1 - at)))
    done(null, part.length > 0 ? part : undefined)
  }

  override _flush(done: TransformCallback): void {
    const { size, crc32: expected } = this.#record
    if (this.#seen !== size) done(new UnfitZip('a file is smaller than its directory says'))
    else done(this.#crc32 === expected ? null : new UnfitZip('the bytes of a file are not those that were packed'))
  }
}
