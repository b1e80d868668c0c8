/** A repository as a tar archive of its files: what another server can go on with, without configuration, hooks and what is half written. */
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Pack, pack } from 'tar-stream'
import type { Repository } from './repository.ts'

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** The files below a folder, by their paths from it. Folders that vanish meanwhile, and those of unfinished pushes, are left out. */
async function filesBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(error => {
    if (isMissing(error)) return []
    throw error
  })
  const found: string[] = []
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('tmp_objdir-')) found.push(...(await filesBelow(root, path)))
    } else if (entry.isFile() && !entry.name.endsWith('.lock') && !entry.name.startsWith('tmp_')) found.push(path)
  }
  return found
}

const opened = (path: string): Promise<FileHandle | undefined> =>
  open(path, 'r').catch(error => {
    if (isMissing(error)) return undefined
    throw error
  })

/** Writes an open file, and closes it. */
async function addFile(archive: Pack, name: string, handle: FileHandle): Promise<void> {
  try {
    const { size, mtime } = await handle.stat()
    const entry = archive.entry({ name: `./${name}`, size, mtime, mode: 0o644 })
    // As many bytes as the header says: a file of this kind does not shrink.
    if (size === 0) entry.end(Buffer.alloc(0))
    else await pipeline(handle.createReadStream({ start: 0, end: size - 1, autoClose: false }), entry)
  } finally {
    await handle.close()
  }
}

const TRIES = 5

/**
 * All packs, opened: while the repository is packed again new packs come before the old ones go, so a list whose files were all there holds
 * every object of it.
 */
async function openPacks(root: string): Promise<ReadonlyMap<string, FileHandle>> {
  for (let attempt = 1; ; attempt++) {
    const handles = new Map<string, FileHandle>()
    let isWhole = true
    for (const name of await filesBelow(root, 'objects/pack')) {
      const handle = await opened(join(root, name))
      if (handle) handles.set(name, handle)
      else isWhole = false
    }
    if (isWhole || attempt === TRIES) return handles
    await Promise.all([...handles.values()].map(handle => handle.close()))
  }
}

async function fill(archive: Pack, root: string): Promise<void> {
  const addNamed = async (name: string) => {
    const handle = await opened(join(root, name))
    if (handle) await addFile(archive, name, handle)
  }
  // References first, then loose objects, then packs: objects are written before a reference names them, and move from loose to packed.
  for (const name of ['HEAD', ...(await filesBelow(root, 'refs')), 'packed-refs']) await addNamed(name)
  const loose = (await filesBelow(root, 'objects')).filter(name => !name.startsWith('objects/pack/') && !name.startsWith('objects/info/'))
  for (const name of loose) await addNamed(name)
  const packs = await openPacks(root)
  const left = new Set(packs.values())
  try {
    for (const [name, handle] of packs) {
      left.delete(handle)
      await addFile(archive, name, handle)
    }
  } finally {
    await Promise.all([...left].map(handle => handle.close()))
  }
}

/** The files of a repository as a tar archive, made while it is read. */
export async function* streamSnapshot({ path }: Pick<Repository, 'path'>, signal?: AbortSignal): AsyncGenerator<Buffer, void, void> {
  const archive = pack()
  const filled = fill(archive, path).then(
    () => archive.finalize(),
    error => archive.destroy(error),
  )
  try {
    for await (const chunk of archive) {
      signal?.throwIfAborted()
      yield chunk as Buffer
    }
  } finally {
    archive.destroy()
    await filled
  }
}
