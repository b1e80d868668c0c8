/** Archives of a working copy: written with permissions and links, and unpacked without leaving the folder. */
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, lstat, mkdir, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Entry, openPromise } from 'yauzl'
import { ZipFile } from 'yazl'

const LINK = 0o120000
const KIND = 0o170000

/** Writes a zip of these files, named from `root`. */
export async function writeZip(root: string, files: readonly string[], target: string): Promise<void> {
  const zip = new ZipFile()
  const written = pipeline(zip.outputStream, createWriteStream(target, { mode: 0o600 }))
  for (const file of files) {
    const path = join(root, file)
    const { mode, mtime } = await lstat(path)
    if ((mode & KIND) === LINK) zip.addBuffer(Buffer.from(await readlink(path)), file, { mode, mtime })
    else zip.addFile(path, file, { mode, mtime })
  }
  zip.end()
  await written
}

/** Writes files as members of one gzip stream, each with its name. */
export async function writeGzip(root: string, files: readonly string[], target: string): Promise<void> {
  for (const [index, file] of files.entries())
    await pipeline(
      createReadStream(join(root, file)),
      createGzip(),
      createWriteStream(target, { flags: index === 0 ? 'w' : 'a', mode: 0o600 }),
    )
}

/** Unpacks an archive into a folder. Entries outside of it, and links that lead out, are an error. */
export async function unzipInto(archive: string, folder: string): Promise<number> {
  const zip = await openPromise(archive)
  const root = await realpath(folder)
  // Links come last: no entry can be written through one.
  const links: { path: string; target: string }[] = []
  let count = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const path = placeOf(entry, root)
      const mode = entry.externalFileAttributes >>> 16
      if (entry.fileName.endsWith('/')) {
        await mkdir(path, { recursive: true })
        continue
      }
      await mkdir(dirname(path), { recursive: true })
      if (!(await isInside(dirname(path), root))) throw new Error(`${entry.fileName} lies behind a link`)
      const stream = await zip.openReadStreamPromise(entry)
      if ((mode & KIND) === LINK) links.push({ path, target: await text(stream) })
      else {
        await rm(path, { recursive: true, force: true })
        await pipeline(stream, createWriteStream(path, { flags: 'wx' }))
        if ((mode & 0o777) !== 0) await chmod(path, mode & 0o777)
      }
      count++
    }
  } finally {
    zip.close()
  }
  for (const { path, target } of links) {
    if (!within(resolve(dirname(path), target), root)) throw new Error(`the link ${basename(path)} leads out of the working copy`)
    await rm(path, { recursive: true, force: true })
    await symlink(target, path)
  }
  return count
}

const within = (path: string, root: string): boolean => path === root || path.startsWith(root + sep)

const isInside = async (folder: string, root: string): Promise<boolean> => within(await realpath(folder), root)

function placeOf({ fileName }: Entry, root: string): string {
  const path = resolve(root, fileName)
  if (fileName.startsWith('/') || fileName.includes('\0') || !within(path, root))
    throw new Error(`${fileName} is no name within an archive`)
  return path
}
