/** For how long at a time the event loop is held, so that it serves nobody else. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds for which nothing may hold the loop; what holds it longer goes to a thread or is done in pieces. */
export const LIMIT = 50

/** Below this a single sample is enough. */
const CLEARLY_SHORT = LIMIT / 4

/** Samples of what may be too long: a collection of garbage is in some of them and not in all. */
const SAMPLES = 5

/** Processor time of this thread, in milliseconds: what other programs do on the machine is not in it. */
function spent(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The longest turn of the loop while the work is done. */
async function holdOnce(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  await nextTurn()
  let before = spent()
  const turn = () => {
    const now = spent()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
    await nextTurn()
  } finally {
    isOver = true
  }
  return longest
}

/**
 * The longest hold of the loop during the work, in milliseconds of the processor: the least of several samples, after one that is not
 * counted, since it compiles and loads what is needed.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  await holdOnce(work)
  let least = Number.POSITIVE_INFINITY
  for (let sample = 0; sample < SAMPLES && least > CLEARLY_SHORT; sample++) least = Math.min(least, await holdOnce(work))
  return least
}
