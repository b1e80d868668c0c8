/** A server with its data set. */
import { join } from 'node:path'
import pino from 'pino'
import { parseConfig } from '../src/platform/config.ts'
import type { Deps } from '../src/platform/kernel/context.ts'
import { openInstance } from '../src/server/setup/instance.ts'
import { type RunningIngot, startIngot } from './ingot.ts'
import { loadWorld, type World } from './world/projects.ts'
import type { Size } from './world/sizes.ts'

export interface Site {
  readonly ingot: RunningIngot
  /** The same instance opened in this process, to take requests apart and to find repositories. */
  readonly deps: Deps
  readonly world: World
  /** Closes the instance and stops the server. */
  close(): Promise<void>
}

/** Loads the data set into a server that runs on `dataDir`. */
export async function furnishSite(ingot: RunningIngot, dataDir: string, size: Size): Promise<Site> {
  const config = parseConfig({}, {}, { dataDir, rateLimit: 'off', workers: '0' })
  const instance = await openInstance({ config, log: pino({ level: 'error' }), shared: true })
  const close = async () => {
    await instance.close()
    await ingot.stop()
  }
  try {
    return { ingot, deps: instance.deps, world: await loadWorld(instance.deps.database, size), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts a server with a data set of its own in `scratch`. */
export async function openSite(scratch: string, name: string, size: Size): Promise<Site> {
  const dataDir = join(scratch, name)
  return furnishSite(await startIngot(dataDir), dataDir, size)
}
