/** What tests left behind: processes, servers and connections that keep the test process alive or outlive it. */
import { setTimeout as delay } from 'node:timers/promises'

/** Kinds of open resources that must be closed at the end. */
const watched = new Set(['ProcessWrap', 'TCPServerWrap', 'TCPSocketWrap'])

/** How long closing may take, in milliseconds. */
const patience = 5_000

const open = () => process.getActiveResourcesInfo().filter(kind => watched.has(kind))

/**
 * Waits until no timer keeps the process alive, when all its tests are over. A library's timer of half an hour is not seen otherwise: the run
 * only takes that much longer.
 */
export async function assertNoTimers(): Promise<void> {
  const deadline = Date.now() + patience
  while (process.getActiveResourcesInfo().includes('Timeout')) {
    if (Date.now() > deadline) {
      setTimeout(() => process.exit(1), patience).unref()
      throw new Error('The tests left a timer that keeps the process alive')
    }
    await delay(10)
  }
}

/** Those who watch in this process, and what was open before the first of them came. */
const watching = { count: 0, before: 0 }

/**
 * Notes what is open now. `assertNone` waits until no more than that is open, and fails when something stays; of several
 * watchers in one process the last one does.
 */
export function watchResources(): { assertNone(): Promise<void> } {
  if (watching.count === 0) watching.before = open().length
  watching.count += 1
  return {
    async assertNone() {
      watching.count -= 1
      if (watching.count > 0) return
      const deadline = Date.now() + patience
      while (open().length > watching.before) {
        if (Date.now() > deadline) {
          // What was left keeps the process alive: the failure must be seen nevertheless.
          setTimeout(() => process.exit(1), patience).unref()
          throw new Error(`The tests left something open: ${open().join(', ')} (${watching.before} of these were open before them)`)
        }
        await delay(10)
      }
    },
  }
}
