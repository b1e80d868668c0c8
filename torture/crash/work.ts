/** Writing until it is over, whatever the server says; and waiting until a server is ready. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Victim } from '../victim.ts'
import type { World, Writer } from './world.ts'
import { writers } from './writers.ts'

/** How long a server may take until it is ready again, in milliseconds. */
export const RECOVERY = 30_000

async function writeUntil(isOver: () => boolean, world: World, writer: Writer, pause: number): Promise<void> {
  while (!isOver()) {
    await writer(world).catch(async () => {
      // The server is gone; or it lacks something for a moment.
      await delay(20)
    })
    if (pause > 0) await delay(pause)
  }
}

/**
 * All writers begin.
 * @param pause of each after a turn, in milliseconds
 * @returns what stops them, and waits until each has ended its turn
 */
export function startWriting(world: World, pause = 0): () => Promise<void> {
  let isOver = false
  const working = writers.map(writer => writeUntil(() => isOver, world, writer, pause))
  return async () => {
    isOver = true
    await Promise.all(working)
  }
}

/** @returns how long it took, in milliseconds; undefined where it is not ready in time */
export async function awaitReady(victim: Victim): Promise<number | undefined> {
  const began = performance.now()
  while (performance.now() - began < RECOVERY) {
    const answer = await victim.send('GET', '/-/readiness').catch(() => undefined)
    if (answer?.status === 200) return performance.now() - began
    await delay(50)
  }
  return undefined
}
