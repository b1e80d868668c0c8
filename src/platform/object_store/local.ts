/** Objects in a folder: `<root>/ab/<key>`, written as `<root>/tmp/<key>` and renamed when they are complete and on disk. */
import { createWriteStream } from 'node:fs'
import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { FileStream } from './file_stream.ts'
import { type Expected, Measured, type StoredBytes } from './measured.ts'
import { type ByteRange, isKey, type ListedObject, newKey, ObjectMissing, type ObjectStore, ObjectStoreUnfit } from './store.ts'

/** Bytes per write: each write is a task of the thread pool. */
const WRITTEN = 1024 * 1024

/** The store below `root`, an absolute path; the folder is made when it is needed. */
export function localStore(root: string): ObjectStore {
  const at = (key: string) => join(root, key)
  const unfinished = join(root, 'tmp')

  async function put(source: Readable, expected: Expected = {}, key = newKey()): Promise<StoredBytes> {
    const file = join(unfinished, basename(key))
    const target = at(key)
    const measured = new Measured(expected)
    // It may fail before it is read; the pipeline says so then. An error that nobody listens to would end the server.
    source.on('error', () => {})
    await makeDirectory(unfinished)
    try {
      // `flush`: a name must not survive a power failure that its bytes do not survive.
      await pipeline(source, measured, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: WRITTEN }))
      await makeDirectory(dirname(target))
      await rename(file, target)
      await syncDirectory(dirname(target))
    } catch (error) {
      await rm(file, { force: true })
      throw error
    }
    return { key, ...measured.total() }
  }

  return {
    put,
    async check() {
      await makeDirectory(root).catch((error: NodeJS.ErrnoException) => {
        throw new ObjectStoreUnfit(`cannot make the folder ${root} (${error.code})`, { cause: error })
      })
    },
    async read(key, range?: ByteRange) {
      return FileStream.open(at(key), range).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new ObjectMissing(key, { cause: error }) : error
      })
    },
    async sizeOf(key) {
      return stat(at(key)).then(
        ({ size }) => size,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined
          throw error
        },
      )
    },
    async delete(keys) {
      for (const key of keys) await rm(at(key), { force: true })
    },
    async *list() {
      for (const folder of await foldersOf(root)) {
        for await (const entry of await opendir(join(root, folder))) {
          const listed = await describe(root, `${folder}/${entry.name}`)
          if (listed) yield listed
        }
      }
    },
    async removeUnfinished(before) {
      await makeDirectory(unfinished)
      for (const name of await readdir(unfinished)) {
        const file = join(unfinished, name)
        const modifiedAt = await modifiedAtOf(file)
        if (modifiedAt && modifiedAt < before) await rm(file, { force: true })
      }
    },
    close: async () => {},
  }
}

const foldersOf = async (root: string): Promise<string[]> => {
  await makeDirectory(root)
  return (await readdir(root)).filter(name => /^[0-9a-f]{2}$/.test(name))
}

/** A listed object; undefined for other files, or if it has just been deleted. */
async function describe(root: string, key: string): Promise<ListedObject | undefined> {
  const modifiedAt = isKey(key) ? await modifiedAtOf(join(root, key)) : undefined
  return modifiedAt && { key, modifiedAt }
}

/** The modification time of a file; undefined if it is gone. */
async function modifiedAtOf(file: string): Promise<Date | undefined> {
  try {
    return (await stat(file)).mtime
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const makeDirectory = (path: string) => mkdir(path, { recursive: true, mode: 0o700 })

/** Syncs the names in a directory to disk. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
