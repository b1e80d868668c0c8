/**
 * The central directory of a zip (APPNOTE 4.3.12 to 4.3.16): where it is, and what it says of each file. Only the end of the archive is
 * read for it. It is walked as bytes: an archive of 100,000 files would otherwise become as many objects for a lookup of one file.
 */
import { type ByteSource, bytesAt, UnfitZip } from './source.ts'

/** Where the directory is. In bytes. */
export interface DirectoryPlace {
  readonly start: number
  readonly size: number
  /** Files and folders in it. */
  readonly count: number
}

/** What the directory says of a file. Sizes and offsets in bytes. */
export interface ZipRecord {
  readonly name: Buffer
  readonly extra: Buffer
  readonly flags: number
  readonly method: number
  readonly crc32: number
  readonly compressedSize: number
  readonly size: number
  /** Of the header before its bytes. */
  readonly headerAt: number
  /** The file's mode as Unix has it; 0 for archives of other systems. */
  readonly unixMode: number
}

const END = 0x06054b50
const END_SIZE = 22
const END_64 = 0x06064b50
const END_64_SIZE = 56
const LOCATOR_64 = 0x07064b50
const LOCATOR_64_SIZE = 20
const RECORD = 0x02014b50
const RECORD_SIZE = 46
/** The size of the header before the bytes of a file, without name and extra field. */
export const HEADER_SIZE = 30
const MAX_COMMENT = 0xffff
const UNIX = 3

/** Finds the directory by the end-of-directory record of the archive. @throws UnfitZip */
export async function findDirectory(source: ByteSource): Promise<DirectoryPlace> {
  const length = Math.min(source.size, LOCATOR_64_SIZE + END_SIZE + MAX_COMMENT)
  const tail = await bytesAt(source, source.size - length, length)
  const at = endIn(tail)
  const endsAt = source.size - length + at
  const locatorAt = at - LOCATOR_64_SIZE
  const is64 = locatorAt >= 0 && tail.readUInt32LE(locatorAt) === LOCATOR_64
  const place = is64
    ? await place64(source, safeNumber(tail.readBigUInt64LE(locatorAt + 8)))
    : {
        disk: tail.readUInt16LE(at + 4),
        count: tail.readUInt16LE(at + 10),
        size: tail.readUInt32LE(at + 12),
        start: tail.readUInt32LE(at + 16),
      }
  if (place.disk !== 0) throw new UnfitZip('it is one of several parts')
  if (place.start + place.size > endsAt) throw new UnfitZip('its directory lies outside of it')
  if (place.count * RECORD_SIZE > place.size) throw new UnfitZip('its directory has fewer files than it says')
  return { start: place.start, size: place.size, count: place.count }
}

/** Where the end record begins: the last one whose comment reaches to the end. */
function endIn(tail: Buffer): number {
  for (let at = tail.length - END_SIZE; at >= 0; at--)
    if (tail.readUInt32LE(at) === END && at + END_SIZE + tail.readUInt16LE(at + 20) === tail.length) return at
  throw new UnfitZip('it has no end: it is truncated, or no zip')
}

async function place64(source: ByteSource, at: number) {
  if (at + END_64_SIZE > source.size) throw new UnfitZip('its end lies outside of it')
  const end = await bytesAt(source, at, END_64_SIZE)
  if (end.readUInt32LE(0) !== END_64) throw new UnfitZip('its end is not where it says')
  return {
    disk: end.readUInt32LE(16),
    count: safeNumber(end.readBigUInt64LE(32)),
    size: safeNumber(end.readBigUInt64LE(40)),
    start: safeNumber(end.readBigUInt64LE(48)),
  }
}

function safeNumber(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new UnfitZip('it has numbers that no archive has')
  return number
}

/**
 * Walks the records that are complete in `bytes`, until `visit` returns true.
 * @returns where it stopped: the end of the last record, or `found` if `visit` returned true
 * @throws UnfitZip
 */
export function walk(bytes: Buffer, visit: (at: number) => boolean | undefined): { readonly next: number; readonly found?: number } {
  let at = 0
  while (at + RECORD_SIZE <= bytes.length) {
    if (bytes.readUInt32LE(at) !== RECORD) throw new UnfitZip('its directory is broken')
    const next = at + RECORD_SIZE + nameLength(bytes, at) + extraLength(bytes, at) + bytes.readUInt16LE(at + 32)
    if (next > bytes.length) break
    if (visit(at)) return { next, found: at }
    at = next
  }
  return { next: at }
}

/** Of the record at `at`. */
export const nameLength = (bytes: Buffer, at: number): number => bytes.readUInt16LE(at + 28)
const extraLength = (bytes: Buffer, at: number): number => bytes.readUInt16LE(at + 30)
/** Where the name of the record at `at` begins. */
export const nameAt = (at: number): number => at + RECORD_SIZE

/** The record at `at`, which must be complete in `bytes`. @throws UnfitZip */
export function recordAt(bytes: Buffer, at: number): ZipRecord {
  const extraAt = nameAt(at) + nameLength(bytes, at)
  const extra = bytes.subarray(extraAt, extraAt + extraLength(bytes, at))
  const large = numbers64(extra)
  /** A 32-bit number, or, if all its bits are set, the next number of the extra field. */
  const number = (offset: number) => {
    const value = bytes.readUInt32LE(at + offset)
    return value === 0xffffffff && large.length > 0 ? (large.shift() as number) : value
  }
  // The order is that of the extra field.
  const size = number(24)
  const compressedSize = number(20)
  const headerAt = number(42)
  return {
    name: bytes.subarray(nameAt(at), extraAt),
    extra,
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc32: bytes.readUInt32LE(at + 16),
    compressedSize,
    size,
    headerAt,
    unixMode: bytes.readUInt8(at + 5) === UNIX ? bytes.readUInt16LE(at + 40) : 0,
  }
}

/** The field of this kind in an extra field; undefined for none. */
export function extraField(extra: Buffer, kind: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === kind) return end <= extra.length ? extra.subarray(at + 4, end) : undefined
    at = end
  }
  return undefined
}

function numbers64(extra: Buffer): number[] {
  const field = extraField(extra, 0x0001)
  return Array.from({ length: Math.min(3, Math.floor((field?.length ?? 0) / 8)) }, (_, index) =>
    safeNumber((field as Buffer).readBigUInt64LE(index * 8)),
  )
}

/**
 * Passes the directory in chunks that begin with a record, in constant memory; `visit` returns how many bytes of a chunk it has read.
 * Stops early if `visit` returns `stop`.
 */
export async function inPieces(source: ByteSource, place: DirectoryPlace, visit: (bytes: Buffer) => number | 'stop'): Promise<void> {
  if (place.size === 0) return
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of await source.read({ start: place.start, end: place.start + place.size - 1 })) {
    const bytes: Buffer = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    const read = visit(bytes)
    if (read === 'stop') return
    rest = bytes.subarray(read)
  }
  if (rest.length > 0) throw new UnfitZip('its directory is broken')
}

/** Reads the whole directory, and checks that every file lies where the directory says. @throws UnfitZip */
export async function checkZip(source: ByteSource): Promise<void> {
  const place = await findDirectory(source)
  let count = 0
  await inPieces(source, place, bytes => {
    const { next } = walk(bytes, at => {
      const { headerAt, compressedSize } = recordAt(bytes, at)
      if (headerAt + HEADER_SIZE + nameLength(bytes, at) + compressedSize > place.start) throw new UnfitZip('a file lies outside of it')
      count += 1
      return false
    })
    return next
  })
  if (count !== place.count) throw new UnfitZip('its directory has another number of files than it says')
}
