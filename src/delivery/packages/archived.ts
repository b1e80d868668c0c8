/** What archives of packages say of themselves: one small file of a tar. */
import { pipeline, type Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'

/** Where a file of a tar is, and how much is read for it. */
export interface WantedFile {
  /** Whether the tar is compressed by gzip. */
  readonly isCompressed: boolean
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
export async function fileOfTar(source: Readable, { isCompressed, isWanted, size, within }: WantedFile): Promise<Buffer | undefined> {
  let failed: Error | undefined
  source.once('error', error => {
    failed = error
  })
  const tar = extract()
  const bounded = boundedBy(within)
  // The reader below sees an error of any of them.
  if (isCompressed) pipeline(source, createGunzip(), bounded, tar, () => {})
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
