/** The memory of a running Ingot. */
import { setTimeout as pause } from 'node:timers/promises'
import { familyOf, proportionalSize, type Shares, sharesOf } from './processes.ts'

/** Megabytes (of 1,000,000 bytes) of Ingot and of its database; undefined where the system does not tell. */
export async function memoryOf(ingot: number): Promise<Shares | undefined> {
  const family = await familyOf(ingot)
  return family && sharesOf(family, async ({ id }) => (await proportionalSize(id)) / 1e6)
}

/** How often memory is looked at, in milliseconds. */
const INTERVAL = 100

/** Megabytes by which Ingot, without its database, outgrew what it had before the work; NaN where the system does not tell. */
export async function growthDuring(ingot: number, work: () => Promise<unknown>): Promise<number> {
  const now = async () => (await memoryOf(ingot))?.program ?? Number.NaN
  const before = await now()
  let most = before
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      most = Math.max(most, await now())
      await pause(INTERVAL)
    }
  })()
  try {
    await work()
  } finally {
    over.abort()
    await watching
  }
  return most - before
}
