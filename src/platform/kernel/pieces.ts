/**
 * Long work of the processor, done in pieces: the event loop serves others in between. Work is a generator that pauses where it can be
 * interrupted. What cannot be cut into pieces goes to a thread (collaboration/markdown/reading.ts).
 */
import { createHash } from 'node:crypto'
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

/** Bytes that are hashed at a time. */
const HASHED = 1024 * 1024

/** The digest of bytes, however many there are. */
export async function digestInPieces(bytes: Buffer, algorithm: 'sha1' | 'sha256', encoding: 'hex' | 'base64url'): Promise<string> {
  const hash = createHash(algorithm)
  for (let start = 0; start < bytes.length; start += HASHED) {
    if (start > 0) await setImmediate()
    hash.update(bytes.subarray(start, start + HASHED))
  }
  return hash.digest(encoding)
}
