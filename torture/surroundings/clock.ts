/** A clock that is set back by a day while the server runs, and forward again: libfaketime, where it is installed. */
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newDirectory } from '../../src/server/cli/scene.ts'
import type { Disturbance } from './disturbance.ts'

const LIBRARIES = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(name => `/usr/lib/${name}/faketime/libfaketime.so.1`)

async function library(): Promise<string | undefined> {
  for (const path of LIBRARIES)
    try {
      await access(path)
      return path
    } catch {
      // The next one.
    }
  return undefined
}

let file = ''

export const clockSetBack: Disturbance = {
  name: 'clock set back a day',
  missing: async () => ((await library()) === undefined ? 'libfaketime is not installed' : undefined),
  async prepare() {
    const cwd = await newDirectory()
    await mkdir(join(cwd, 'clock'))
    file = join(cwd, 'clock', 'offset')
    await writeFile(file, '+0\n')
    const env = {
      LD_PRELOAD: (await library()) as string,
      FAKETIME_TIMESTAMP_FILE: file,
      // Seconds until the file is read again, and the time by which timers are set stays true.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
    return { cwd, env }
  },
  begin: () => writeFile(file, '-1d\n'),
  end: () => writeFile(file, '+0\n'),
  dispose: () => rm(file, { force: true }),
}
