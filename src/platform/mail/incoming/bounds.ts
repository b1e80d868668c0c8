/** Bounds on what a mail makes this server do, beyond its size. */
import { runInNewContext } from 'node:vm'

/** Lines of a mail: 25 MB of a file have 340,000 in base64, and each costs the parser memory. */
const MOST_LINES = 400_000

/** Lines that may begin a part of a mail: each part costs the parser a thousand times what its bytes do. Patches have one such line for each file. */
const MOST_PARTS = 20_000

/** Bytes below which a line is short, and how many short ones there may be: lines of text cost more than those of a file in base64. */
const SHORT = 60
const MOST_SHORT = 100_000

const [LINE_FEED, DASH] = [0x0a, 0x2d]

/** @throws Error for a mail with more lines, or parts, than any that is a message */
export function assertFewLines(bytes: Uint8Array): void {
  let [lines, short, parts, begin] = [0, 0, 0, 0]
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, begin)) {
    if (bytes[begin] === DASH && bytes[begin + 1] === DASH) parts++
    if (at - begin < SHORT) short++
    if (++lines > MOST_LINES || short > MOST_SHORT || parts > MOST_PARTS) throw new Error('the mail has too many lines')
    begin = at + 1
  }
}

/** Levels of elements within elements: what people and their programs write has some thirty. */
const MOST_DEPTH = 200

/** Elements that have no end, or whose end is left out: they are in no other one of their kind. */
const UNCOUNTED = new Set('area base br col dd dt embed hr img input li link meta option p param source td th tr wbr'.split(' '))

/** HTML up to the place where its elements are too deep in each other: its reader takes the square of the depth. */
export function cutWhereDeep(html: string): string {
  let depth = 0
  for (const { 1: slash, 2: name = '', index } of html.matchAll(/<(\/?)([a-z][a-z0-9:-]{0,30})/gi)) {
    if (UNCOUNTED.has(name.toLowerCase())) continue
    depth = slash === '/' ? Math.max(0, depth - 1) : depth + 1
    if (depth > MOST_DEPTH) return html.slice(0, index)
  }
  return html
}

/** What `work` comes to; undefined where it has not ended after so many milliseconds: it is ended then, in the midst of a pattern too. */
export function withinTime<T>(milliseconds: number, work: () => T): T | undefined {
  try {
    return runInNewContext('work()', { work }, { timeout: milliseconds }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
