/** Files of a tar written as a zip, both streamed (APPNOTE 4.3). */
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { extract } from 'tar-stream'
import { TooLarge } from '../../../../platform/git/index.ts'

/** A file on its way from one archive to another. */
export interface PackedFile {
  readonly name: string
  readonly bytes: AsyncIterable<Buffer>
}

/** The regular files of a tar. Each has to be read before the next one comes. @param named gives a file its name, or leaves it out */
export async function* filesOfTar(tar: AsyncIterable<Buffer>, named: (name: string) => string | undefined): AsyncGenerator<PackedFile> {
  const files = extract()
  // The loop below sees an error of either.
  pipeline(Readable.from(tar), files, () => {})
  for await (const entry of files) {
    const name = entry.header.type === 'file' ? named(entry.header.name) : undefined
    if (name === undefined) entry.resume()
    else yield { name, bytes: entry as AsyncIterable<Buffer> }
  }
}

/** The most that a zip of this format has, which is more than `go` takes. */
const MOST_FILES = 0xffff
const MOST_BYTES = 0xffffffff

/** Sizes and checksums follow the bytes; names are UTF-8. */
const FLAGS = 0x0808
const DEFLATED = 8
/** The first of January 1980, so that the same files make the same bytes. */
const DATE = 0x21

/** What a header of a file says, in the order that the three kinds of headers have it in. */
interface Written {
  readonly name: Buffer
  readonly crc: number
  readonly compressed: number
  readonly size: number
}

function sizes({ crc, compressed, size }: Omit<Written, 'name'>): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt32LE(crc, 0)
  bytes.writeUInt32LE(compressed, 4)
  bytes.writeUInt32LE(size, 8)
  return bytes
}

const numbers = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt16LE(value, 2 * at)
  return bytes
}

const offset = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const header = (name: Buffer) =>
  Buffer.concat([Buffer.from('PK\x03\x04'), numbers(20, FLAGS, DEFLATED, 0, DATE), Buffer.alloc(12), numbers(name.length, 0), name])

const entryOf = (file: Written, at: number) =>
  Buffer.concat([
    Buffer.from('PK\x01\x02'),
    numbers(20, 20, FLAGS, DEFLATED, 0, DATE),
    sizes(file),
    numbers(file.name.length, 0, 0, 0, 0),
    Buffer.alloc(4),
    offset(at),
    file.name,
  ])

/** A zip of these files. */
export async function* zipOf(files: AsyncIterable<PackedFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let at = 0
  for await (const { name: text, bytes } of files) {
    const name = Buffer.from(text)
    const start = at
    const head = header(name)
    yield head
    const seen = { crc: 0, size: 0 }
    let compressed = 0
    for await (const chunk of deflated(bytes, seen)) {
      compressed += chunk.length
      yield chunk
    }
    const written = { name, compressed, ...seen }
    const descriptor = Buffer.concat([Buffer.from('PK\x07\x08'), sizes(written)])
    yield descriptor
    at += head.length + compressed + descriptor.length
    directory.push(entryOf(written, start))
    if (directory.length > MOST_FILES || at > MOST_BYTES) throw new TooLarge('The module', MOST_BYTES)
  }
  const listed = Buffer.concat(directory)
  yield listed
  yield Buffer.concat([
    Buffer.from('PK\x05\x06'),
    numbers(0, 0, directory.length, directory.length),
    offset(listed.length),
    offset(at),
    numbers(0),
  ])
}

function deflated(bytes: AsyncIterable<Buffer>, seen: { crc: number; size: number }): AsyncIterable<Buffer> {
  const counted = async function* () {
    for await (const chunk of bytes) {
      seen.crc = crc32(chunk, seen.crc)
      seen.size += chunk.length
      yield chunk
    }
  }
  const compressor = createDeflateRaw()
  pipeline(Readable.from(counted()), compressor, () => {})
  return compressor
}
