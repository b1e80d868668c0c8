/** What archives of packages say of themselves: one small file of a tar. */
import { Duplex, pipeline, type Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { extract } from 'tar-stream'
import xz from 'xz-decompress'

/** How a tar is compressed. */
export type Compression = 'gzip' | 'xz' | 'zstd'

/** Where a file of a tar is, and how much is read for it. */
export interface WantedFile {
  /** Undefined for a tar that is not compressed. */
  readonly compression: Compression | undefined
  isWanted(name: string): boolean
  /** Bytes that the file may have. */
  readonly size: number
  /** Bytes of the tar, not compressed, in which it has to begin: a small file may expand to a very large one. */
  readonly within: number
}

/** The bytes are no such archive, or the file in them is too large. */
export class UnfitArchive extends Error {
  override name = 'UnfitArchive'
}

/** The first file of a tar that is wanted; undefined where there is none. @throws UnfitArchive; errors of the source */
export async function fileOfTar(source: Readable, { compression, isWanted, size, within }: WantedFile): Promise<Buffer | undefined> {
  let failed: Error | undefined
  source.once('error', error => {
    failed = error
  })
  const tar = extract()
  const bounded = boundedBy(within)
  // The reader below sees an error of any of them.
  if (compression) pipeline(source, decompressors[compression](), bounded, tar, () => {})
  else pipeline(source, bounded, tar, () => {})
  try {
    for await (const entry of tar) {
      if (entry.header.type === 'file' && isWanted(entry.header.name)) {
        if ((entry.header.size ?? 0) > size) throw new UnfitArchive(`${entry.header.name} is too large`)
        return await buffer(entry)
      }
      entry.resume()
    }
    return undefined
  } catch (error) {
    if (failed) throw failed
    throw error instanceof UnfitArchive ? error : new UnfitArchive('the archive cannot be read', { cause: error })
  } finally {
    source.destroy()
    tar.destroy()
  }
}

const decompressors: { readonly [name in Compression]: () => Duplex } = {
  gzip: createGunzip,
  zstd: createZstdDecompress,
  // The library keeps one decoder for all: it is free again when its stream is at its end or cancelled.
  xz: () =>
    Duplex.from(async function* (compressed: AsyncIterable<Buffer>) {
      const reader = new xz.XzReadableStream(webStream(compressed)).getReader()
      try {
        for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
      } finally {
        await reader.cancel()
      }
    }),
}

/** The same bytes as a stream of the web's kind. */
function webStream(bytes: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

/** Lets no more than this number of bytes pass. */
function boundedBy(limit: number): Transform {
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (seen > limit) done(new UnfitArchive('the archive is too large'))
      else done(null, chunk)
    },
  })
}
