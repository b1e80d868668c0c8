/**
 * Splits CPU-bound work into pieces so that the event loop serves other requests in between. Work is a generator that pauses where it can
 * be interrupted. Work that cannot be split runs on a thread (collaboration/markdown/reading.ts).
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/** Longest time that the event loop is blocked, in milliseconds. */
const PIECE = 5

/** Runs the work synchronously: for tests, and where no other request waits. */
export function runSync<T>(work: Generator<unknown, T, void>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

/** Runs the work and yields to the event loop every few milliseconds. */
export async function runInSlices<T>(work: Generator<unknown, T, void>): Promise<T> {
  let began = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - began < PIECE) continue
    await setImmediate()
    began = performance.now()
  }
}

/** Lines, and characters of lines, between two places where reading can be interrupted. */
const LINES = 500
const CHARACTERS = 16 * 1024

/** Calls `read` with each line of a text, without what ends it. A text of a megabyte has a million lines at most. */
export function* eachLine(text: string, read: (line: string) => void): Generator<void, void, void> {
  let [paused, lines] = [0, 0]
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    read(text.slice(start, end > start && text[end - 1] === '\r' ? end - 1 : end))
    start = end + 1
    lines += 1
    if (lines < LINES && start - paused < CHARACTERS) continue
    yield
    paused = start
    lines = 0
  }
}

/** Like `Array.from(items, make)`, in slices. */
export const mapInSlices = <T, R>(items: Iterable<T>, make: (item: T, index: number) => R): Promise<R[]> =>
  runInSlices(
    (function* () {
      const made: R[] = []
      for (const item of items) {
        made.push(make(item, made.length))
        yield
      }
      return made
    })(),
  )

/**
 * For work that awaits: what is known already comes back without a turn of the event loop. The function that this returns is awaited where the
 * work can be interrupted, and yields every few milliseconds.
 */
export function breather(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < PIECE) return undefined
    return setImmediate().then(() => {
      began = performance.now()
    })
  }
}

/** Bytes that are hashed between two yields. */
const HASHED = 1024 * 1024

/** The digest of any number of bytes. */
export async function digestInSlices(bytes: Buffer, algorithm: 'sha1' | 'sha256', encoding: 'hex' | 'base64url'): Promise<string> {
  const hash = createHash(algorithm)
  for (let start = 0; start < bytes.length; start += HASHED) {
    if (start > 0) await setImmediate()
    hash.update(bytes.subarray(start, start + HASHED))
  }
  return hash.digest(encoding)
}
