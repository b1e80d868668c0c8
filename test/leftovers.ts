/** What a test left behind: processes, servers and connections that keep the test process alive or outlive it. */
import { setTimeout as delay } from 'node:timers/promises'

/** Kinds of open resources that a scene must have closed at its end. */
const watched = new Set(['ProcessWrap', 'TCPServerWrap', 'TCPSocketWrap'])

/** How long closing may take, in milliseconds. */
const patience = 5_000

const count = () => process.getActiveResourcesInfo().filter(kind => watched.has(kind)).length

/** Notes what is open now; `assertNone` waits until no more than that is open, and fails when something stays. */
export function watchLeftovers(): { assertNone(): Promise<void> } {
  const before = count()
  return {
    async assertNone() {
      const deadline = Date.now() + patience
      while (count() > before) {
        if (Date.now() > deadline) {
          const open = process.getActiveResourcesInfo().filter(kind => watched.has(kind))
          throw new Error(`The tests left something open: ${open.join(', ')} (${before} of these were open before them)`)
        }
        await delay(10)
      }
    },
  }
}
