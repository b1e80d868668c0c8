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

/**
 * Writes a zip of these files, named from `root`.
 * @param signal ends it: a job that is over must not go on archiving, which takes hours where its files are large
 * @throws Error for one that cannot be read
 */
export async function writeZip(root: string, files: readonly string[], target: string, signal: AbortSignal): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // It says so here where a file cannot be read, and its output goes on waiting.
  zip.on('error', error => output.destroy(error))
  const written = pipeline(output, createWriteStream(target, { mode: 0o600 }), { signal })
  written.catch(() => {})
  let reading: ReadStream | undefined
  try {
    for (const file of files) {
      signal.throwIfAborted()
      const path = join(root, file)
      const { mode, mtime, size } = await lstat(path)
      if ((mode & KIND) === LINK) zip.addBuffer(Buffer.from(await readlink(path)), file, { mode, mtime })
      else
        zip.addReadStreamLazy(file, { mode, mtime, size }, done => {
          openPlain(path).then(
            stream => {
              reading = stream
              if (signal.aborted) stream.destroy()
              done(null, stream)
            },
            error => done(error, undefined as never),
          )
        })
    }
    zip.end()
  } catch (error) {
    output.destroy(error as Error)
  }
  try {
    await written
  } finally {
    reading?.destroy()
  }
}

/** Writes files as members of one gzip stream, each with its name. `signal` ends it. */
export async function writeGzip(root: string, files: readonly string[], target: string, signal: AbortSignal): Promise<void> {
  for (const [index, file] of files.entries())
    await pipeline(
      await openPlain(join(root, file)),
      createGzip(),
      createWriteStream(target, { flags: index === 0 ? 'w' : 'a', mode: 0o600 }),
      { signal },
    )
}

/** Copies a file. `signal` ends it. */
export const writeRaw = async (path: string, target: string, signal: AbortSignal): Promise<void> =>
  pipeline(await openPlain(path), createWriteStream(target, { mode: 0o600 }), { signal })

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
 * @param signal ends it
 */
export async function unzipInto(archive: string, folder: string, signal: AbortSignal): Promise<number> {
  const zip = await openPromise(archive)
  const root = await realpath(folder)
  // Links come last: no file can be written through one.
  const links: { path: string; target: string }[] = []
  let count = 0
  try {
    for await (const entry of zip.eachEntry()) {
      signal.throwIfAborted()
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
        await pipeline(stream, createWriteStream(path, { flags: 'wx' }), { signal })
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
