/**
 * Rows in the text form of COPY, cut into parts so that a backup finds those that the one before it has. A row says by a checksum of its own bytes
 * whether a part ends after it. So a row that is added, changed, or removed changes the part that it is in, or splits or joins two, and all others
 * stay as they are, wherever they stand in the table.
 */
import { crc32 } from 'node:zlib'
import { PART } from './archive/format.ts'

/**
 * Bytes of a part on average. Of smaller ones fewer change where rows far apart do, and each costs a header, its digest, and a line of the contents:
 * with a quarter of it, a whole archive is a tenth larger.
 */
const AIM = 16 * 1024
const CHECKSUMS = 2 ** 32
const NEWLINE = 0x0a

/** @param source whole rows, each with a newline at its end and none before; cut anywhere */
export async function* partsOfRows(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let part: Buffer[] = []
  let [size, checksum, row] = [0, 0, 0]
  const take = (bytes: Buffer) => {
    part.push(bytes)
    size += bytes.length
  }
  for await (const chunk of source) {
    let taken = 0
    for (let start = 0; start < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, start)
      const end = newline === -1 ? chunk.length : newline + 1
      checksum = crc32(chunk.subarray(start, end), checksum)
      row += end - start
      start = end
      if (newline === -1) break
      // A long row ends a part as often as short ones of the same length together.
      const ends = checksum < CHECKSUMS * Math.min(1, row / AIM) || size + end - taken >= PART
      checksum = 0
      row = 0
      if (!ends) continue
      take(chunk.subarray(taken, end))
      taken = end
      yield Buffer.concat(part)
      part = []
      size = 0
    }
    if (taken < chunk.length) take(chunk.subarray(taken))
  }
  if (size > 0) yield Buffer.concat(part)
}
