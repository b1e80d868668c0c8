/** The files of an archive as a tar.gz stream. */
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Pack, pack } from 'tar-stream'
import type { Deps } from '../../../platform/kernel/context.ts'

/** A file in the object store, and its place in the archive. */
export interface StoredFile {
  readonly path: string
  readonly key: string
  readonly size: number
}

/** The files below a folder, by their paths from it. */
async function* filesBelow(root: string): AsyncGenerator<string, void, void> {
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) yield relative(root, join(entry.parentPath, entry.name))
}

async function add(archive: Pack, name: string, size: number, bytes: () => Readable | Promise<Readable>): Promise<void> {
  const entry = archive.entry({ name: `./${name}`, size, mode: 0o644 })
  if (size === 0) entry.end(Buffer.alloc(0))
  else await pipeline(await bytes(), entry)
}

/** The archive as a stream, made while it is read, at constant memory. */
export function streamArchive(
  { objects }: Pick<Deps, 'objects'>,
  folder: string,
  files: readonly StoredFile[] = [],
  oids: readonly string[] = [],
): Readable {
  const archive = pack()
  const compressed = new PassThrough()
  const fill = async () => {
    for await (const path of filesBelow(folder)) {
      const { size } = await stat(join(folder, path))
      await add(archive, path, size, () => createReadStream(join(folder, path)))
    }
    // Each with the kinds of repositories that need it: 0 is that of the project.
    if (oids.length > 0) {
      const list = Buffer.from(JSON.stringify(Object.fromEntries(oids.map(oid => [oid, [0]]))))
      await add(archive, 'lfs-objects.json', list.length, () => Readable.from([list]))
    }
    for (const { path, key, size } of files) await add(archive, path, size, () => objects.read(key))
    archive.finalize()
  }
  pipeline(archive, createGzip(), compressed).catch(() => {})
  fill().catch(error => {
    archive.destroy(error)
    compressed.destroy(error)
  })
  return compressed
}
