/** Unpacks an archive that anybody may have made into a folder of its own. */
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { BeyondTurn, TURN_BYTES } from '../turns.ts'
import { ArchiveRefused } from './refused.ts'
import { readTar, type TarEntry } from './tar.ts'

/** What an archive may come to. */
export interface UnpackLimits {
  /** Bytes of all files together, unpacked. */
  readonly bytes: number
  /** Number of files and folders, and of what tells more of them. */
  readonly entries: number
  /** Bytes that may be unpacked before the archive gives way to others; any number where it is absent. */
  readonly turn?: number | undefined
}

const GIGABYTE = 1024 ** 3

/** Bounds of what one import may write. */
export const unpackLimits: UnpackLimits = { bytes: 50 * GIGABYTE, entries: 500_000 }

/** The same, for those that give way. */
export const turnLimits: UnpackLimits = { ...unpackLimits, turn: TURN_BYTES }

/** Most segments of a path, and bytes of each. */
const MOST_SEGMENTS = 32
const LONGEST_SEGMENT = 255

/** The segments of a path below the folder. @throws ArchiveRefused for one that leads out of it, or that no file system takes */
function segmentsOf({ path, kind }: TarEntry): string[] {
  if (kind === 'other') throw new ArchiveRefused(`The archive has a link or a special file: ${shown(path)}`)
  const segments = path.split('/').filter(segment => segment !== '' && segment !== '.')
  const isBad = path.startsWith('/') || segments.includes('..') || /[\\\p{Cc}]/u.test(path)
  if (isBad) throw new ArchiveRefused(`The archive has a file outside of its folder: ${shown(path)}`)
  if (segments.length > MOST_SEGMENTS || segments.some(segment => Buffer.byteLength(segment) > LONGEST_SEGMENT))
    throw new ArchiveRefused(`The archive has an entry with a name that is too long: ${shown(path)}`)
  return segments
}

const shown = (path: string): string => path.replace(/\p{Cc}/gu, '?').slice(0, 200)

/** Counts unpacked bytes, those between the files too, and ends a stream that has more than it may. */
const meter = (most: number, turn: number | undefined): Transform => {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (turn !== undefined && bytes > turn) done(new BeyondTurn())
      else if (bytes > most) done(new ArchiveRefused(`The archive is larger than ${most} bytes when it is unpacked.`))
      else done(null, chunk)
    },
  })
}

/**
 * Unpacks a tar.gz stream into an empty folder, at constant memory. Files get the plain mode of this process; links, special files, paths that lead
 * out, and more than the limits allow are refused.
 * @throws ArchiveRefused, or BeyondTurn where it gives way
 */
export async function unpackArchive(source: Readable, folder: string, limits: UnpackLimits = unpackLimits): Promise<void> {
  const gunzip = createGunzip()
  const metered = meter(limits.bytes, limits.turn)
  const inflating = pipeline(source, gunzip, metered)
  inflating.catch(() => {})
  let entries = 0
  const folders = new Set<string>()
  const within = async (path: string) => {
    if (folders.has(path)) return
    await mkdir(path, { recursive: true })
    folders.add(path)
  }
  try {
    for await (const entry of readTar(metered as AsyncIterable<Buffer>)) {
      entries += 1 + entry.extensions
      if (entries > limits.entries) throw new ArchiveRefused(`The archive has more than ${limits.entries} files.`)
      const segments = segmentsOf(entry)
      if (segments.length === 0) continue
      const path = join(folder, ...segments)
      if (entry.kind === 'directory') {
        await within(path)
        continue
      }
      await within(dirname(path))
      // `wx`: an archive that has two files of one name is wrong, and nothing that is there is written through.
      if (entry.size === 0) await writeFile(path, '', { flag: 'wx' })
      else await pipeline(entry.body, createWriteStream(path, { flags: 'wx' }))
    }
    await inflating
  } catch (error) {
    throw refusalOf(error)
  } finally {
    source.destroy()
    gunzip.destroy()
    metered.destroy()
    await inflating.catch(() => {})
  }
}

/** Errors of zlib are the archive's; a file in the place of a folder, or a second one of the same name, too. */
function refusalOf(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('Z_')) return new ArchiveRefused('The archive is damaged or is no tar.gz file.', 'archive', { cause: error })
  if (['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(code))
    return new ArchiveRefused('The archive has two files of the same name.', 'archive', { cause: error })
  return error
}
