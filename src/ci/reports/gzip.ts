/**
 * Concatenated gzip files: runners pack every file that a pattern of `reports` names by itself
 * (runner protocol at 14.0). A reader that inflates them as one stream loses the boundaries.
 */
import { createInflateRaw } from 'node:zlib'

const FLAG_CHECKSUM = 2
const FLAG_EXTRA = 4
const FLAG_NAME = 8
const FLAG_COMMENT = 16
const TRAILER = 8

/** The bytes are not gzip, or are truncated. */
export class UnfitGzip extends Error {
  override name = 'UnfitGzip'
}

/**
 * Bytes of all files of one report together, inflated. Twenty megabytes can become as many gigabytes, and a parser of XML keeps a text in memory
 * to its end.
 */
const MOST_INFLATED = 128 * 1024 * 1024

/** The chunks of each file, inflated on demand. All of one file must be read before the next. @throws UnfitGzip also where they are too large */
export async function* filesIn(packed: Buffer): AsyncGenerator<AsyncIterable<Buffer>> {
  const room = { left: MOST_INFLATED }
  for (let at = 0; at < packed.length; ) {
    const inflate = createInflateRaw()
    const start = headerEnd(packed, at)
    inflate.end(packed.subarray(start))
    yield piecesOf(inflate, room)
    if (!inflate.readableEnded) throw new Error('a file was not read to its end')
    at = start + inflate.bytesWritten + TRAILER
  }
}

async function* piecesOf(inflate: AsyncIterable<Buffer>, room: { left: number }): AsyncGenerator<Buffer> {
  try {
    for await (const piece of inflate) {
      room.left -= piece.length
      if (room.left < 0) throw new UnfitGzip('the report is too large')
      yield piece
    }
  } catch (error) {
    if (error instanceof UnfitGzip) throw error
    throw new UnfitGzip('the file is no gzip, or not all of one', { cause: error })
  }
}

/** Where the header that begins at `at` ends (RFC 1952, 2.3). */
function headerEnd(bytes: Buffer, at: number): number {
  const flags = bytes[at + 3] ?? 0
  if (bytes[at] !== 0x1f || bytes[at + 1] !== 0x8b || bytes[at + 2] !== 8) throw new UnfitGzip('the file is no gzip')
  let end = at + 10
  if (flags & FLAG_EXTRA) end += 2 + (bytes[end] ?? 0) + (bytes[end + 1] ?? 0) * 256
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) if (flags & flag) end = bytes.indexOf(0, end) + 1 || Number.POSITIVE_INFINITY
  if (flags & FLAG_CHECKSUM) end += 2
  if (end > bytes.length) throw new UnfitGzip('the file is not all of a gzip')
  return end
}
