/** What the object store of a scene has on disk. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, places } from '../src/platform/config.ts'

/** Bytes of all objects, and of those that are on their way. */
export async function storedBytes(config: Config): Promise<number> {
  const folder = places(config).objects
  // The folder is made with the first object.
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  // What ends meanwhile is moved or deleted.
  const files = await Promise.all(names.map(name => stat(join(folder, name)).catch(() => undefined)))
  return files.reduce((bytes, file) => bytes + (file?.isFile() ? file.size : 0), 0)
}
