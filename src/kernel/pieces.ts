/**
 * Long work of the processor, done in pieces: the event loop serves others in between. Work is a generator that pauses where it can be
 * interrupted. What cannot be cut into pieces goes to a thread (markdown/reading.ts).
 */
import { setImmediate } from 'node:timers/promises'

/** How long the event loop may be held at a time, in milliseconds. */
const PIECE = 5

/** Does the work at once: for tests, and where nobody else waits. */
export function inOneGo<T>(work: Generator<unknown, T, void>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Does the work, and lets others have their turn after every few milliseconds of it. */
export async function inPieces<T>(work: Generator<unknown, T, void>): Promise<T> {
  let began = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - began < PIECE) continue
    await setImmediate()
    began = performance.now()
  }
}
