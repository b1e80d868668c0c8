/** A disk that is full, and folders that cannot be written: a small file system in memory, and mounts that are read only. Mounting takes root. */
import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { newDirectory } from '../../src/server/cli/scene.ts'
import type { Disturbance } from './disturbance.ts'

const execute = promisify(execFile)
const mount = (...args: string[]) => execute('mount', args)
const unmount = (folder: string) => execute('umount', ['-l', folder]).catch(() => {})

const missing = async () => (process.getuid?.() === 0 ? undefined : 'mounting a file system takes root')

/** Room for a database, and not for much more. */
const SIZE = '400m'

/** Fills a file until there is no room for a byte more. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, 'w')
  try {
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 4))
      for (const piece = Buffer.alloc(size, 1); ; )
        try {
          const { bytesWritten } = await handle.write(piece)
          if (bytesWritten < size) break
        } catch {
          break
        }
  } finally {
    await handle.close()
  }
}

let data = ''

/** No byte is left for the database, repositories and files. */
export const fullDisk: Disturbance = {
  name: 'disk full',
  missing,
  async prepare() {
    const cwd = await newDirectory()
    data = join(cwd, 'data')
    await mkdir(data)
    await mount('-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', data)
    return { cwd }
  },
  begin: () => fill(join(data, 'ballast')),
  end: () => rm(join(data, 'ballast')),
  dispose: async () => void (await unmount(data)),
}

const readOnlyFolders = (dataDir: string) => ['repositories', 'objects'].map(name => join(dataDir, name))

/** Repositories and files can be read, and not be written. */
export const readOnly: Disturbance = {
  name: 'data read only',
  missing,
  async prepare() {
    const cwd = await newDirectory()
    for (const folder of readOnlyFolders(join(cwd, 'data'))) {
      await mkdir(folder, { recursive: true })
      await mount('--bind', folder, folder)
    }
    return { cwd }
  },
  async begin({ dataDir }) {
    // Not while a file is open to be written: what runs in the background ends soon.
    for (const folder of readOnlyFolders(dataDir))
      for (let attempt = 1; ; attempt++)
        try {
          await mount('-o', 'remount,ro,bind', folder)
          break
        } catch (error) {
          if (attempt === 100) throw error
          await delay(100)
        }
  },
  async end({ dataDir }) {
    for (const folder of readOnlyFolders(dataDir)) await mount('-o', 'remount,rw,bind', folder)
  },
  async dispose(victim) {
    if (victim) for (const folder of readOnlyFolders(victim.dataDir)) await unmount(folder)
  },
}
