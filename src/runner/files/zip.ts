/** Archives of a working copy: written with permissions and links, and unpacked without leaving the folder. */
import { constants, createWriteStream, type ReadStream } from 'node:fs'
import { chmod, lstat, mkdir, open, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Entry, openPromise } from 'yauzl'
import { ZipFile } from 'yazl'

const LINK = 0o120000
const KIND = 0o170000

/** Writes a zip of these files, named from `root`. @throws Error for one that cannot be read */
export async function writeZip(root: string, files: readonly string[], target: string): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // It says so here where a file cannot be read, and its output goes on waiting.
  zip.on('error', error => output.destroy(error))
  const written = pipeline(output, createWriteStream(target, { mode: 0o600 }))
  written.catch(() => {})
  try {
    for (const file of files) {
      const path = join(root, file)
      const { mode, mtime } = await lstat(path)
      if ((mode & KIND) === LINK) zip.addBuffer(Buffer.from(await readlink(path)), file, { mode, mtime })
      else zip.addFile(path, file, { mode, mtime })
    }
    zip.end()
  } catch (error) {
    output.destroy(error as Error)
  }
  await written
}

/** Writes files as members of one gzip stream, each with its name. */
export async function writeGzip(root: string, files: readonly string[], target: string): Promise<void> {
  for (const [index, file] of files.entries())
    await pipeline(
      await openPlain(join(root, file)),
      createGzip(),
      createWriteStream(target, { flags: index === 0 ? 'w' : 'a', mode: 0o600 }),
    )
}

/** Copies a file. */
export const writeRaw = async (path: string, target: string): Promise<void> =>
  pipeline(await openPlain(path), createWriteStream(target, { mode: 0o600 }))

/** Opens what a job has left. A named pipe has nobody who writes: opened plainly it would hold one of the few threads for ever. @throws Error */
async function openPlain(path: string): Promise<ReadStream> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  if ((await file.stat()).isFile()) return file.createReadStream()
  await file.close()
  throw new Error(`${basename(path)} is no plain file`)
}

/**
 * Unpacks an archive into a folder. Entries outside of it, and links that lead out, are an error. The folder may have links of its own, and each link of
 * the archive changes where the next one lies: so each entry is placed by where its folder really is at that moment.
 */
export async function unzipInto(archive: string, folder: string): Promise<number> {
  const zip = await openPromise(archive)
  const root = await realpath(folder)
  // Links come last: no file can be written through one.
  const links: { path: string; target: string }[] = []
  let count = 0
  try {
    for await (const entry of zip.eachEntry()) {
      const path = placeOf(entry, root)
      const mode = entry.externalFileAttributes >>> 16
      if (entry.fileName.endsWith('/')) {
        await folderInside(path, root)
        continue
      }
      await folderInside(dirname(path), root)
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
    const place = await folderInside(dirname(path), root)
    if (!within(resolve(place, target), root)) throw new Error(`the link ${basename(path)} leads out of the working copy`)
    await rm(path, { recursive: true, force: true })
    await symlink(target, path)
  }
  return count
}

/** Makes a folder and those above it, up to the root, and returns where it really lies. @throws Error where that is outside; nothing is made there */
async function folderInside(path: string, root: string): Promise<string> {
  if (path === root) return root
  await folderInside(dirname(path), root)
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const place = await realpath(path)
  if (!within(place, root)) throw new Error(`${relative(root, path)} leads out of the working copy`)
  return place
}

const within = (path: string, root: string): boolean => path === root || path.startsWith(root + sep)

function placeOf({ fileName }: Entry, root: string): string {
  const path = resolve(root, fileName)
  if (fileName.startsWith('/') || fileName.includes('\0') || !within(path, root))
    throw new Error(`${fileName} is no name within an archive`)
  return path
}
