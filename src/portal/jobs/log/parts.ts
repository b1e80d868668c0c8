/** A log in parts: each holds the lines that begin within its bytes, so that a part is found and read without the ones before. */
import { bytesOf, type JobLog, linesBefore } from '../../../ci/traces/log.ts'
import { showsNothing } from './ansi.ts'
import type { LogLine } from './sections.ts'

/** In bytes. */
export const PART = 64 * 1024

/** Bytes of a line that are read beyond the end of its part. */
const MOST_BEYOND = 64 * 1024

/** Characters of a line that are shown. */
const LONGEST = 10_000

const LINE_END = 10

export const partsOf = ({ size }: Pick<JobLog, 'size'>): number => Math.max(1, Math.ceil(size / PART))

/** The lines of a part. The last line of a log that is being written may not have ended. */
export async function linesOfPart(log: JobLog, part: number): Promise<LogLine[]> {
  const [from, to] = [part * PART, Math.min((part + 1) * PART, log.size)]
  if (from >= log.size) return []
  // With the byte before, an end of line there says that the first byte begins one.
  const start = part === 0 ? 0 : from - 1
  const bytes = await bytesOf(log, start, Math.min(to + MOST_BEYOND, log.size))
  const first = part === 0 ? 0 : bytes.indexOf(LINE_END) + 1
  if (part > 0 && (first === 0 || start + first >= to)) return []
  const before = await linesBefore(log, start + first)
  // The last line that begins in the part ends at the first end of line at or after its last byte.
  const end = bytes.indexOf(LINE_END, to - 1 - start)
  const text = bytes.subarray(first, end < 0 ? bytes.length : end).toString('utf8')
  const lines = text.split('\n').map((line, index) => ({ number: before + index + 1, text: cut(line.replace(/\r$/, '')) }))
  // Runners reset the colour after the last end of line: that is no line.
  if (end < 0 && lines.length > 1 && showsNothing(lines.at(-1)?.text ?? '')) lines.pop()
  return lines
}

const cut = (line: string): string => (line.length > LONGEST ? `${line.slice(0, LONGEST)} …` : line)

/** The part that a line begins in; the last one for a line that is not there yet. */
export async function partOfLine(log: JobLog, line: number): Promise<number> {
  let [low, high] = [0, partsOf(log) - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    // The first line of a part is the one after those that end before it, or the next where it begins within a line.
    if ((await linesBefore(log, middle * PART)) < line) low = middle
    else high = middle - 1
  }
  return low
}

/** The last lines of the end of a log, whose first line may begin in the middle. */
export function lastLines(end: string, most: number): string[] {
  const lines = end.trimEnd().split('\n')
  return lines
    .slice(lines.length > 1 ? 1 : 0)
    .slice(-most)
    .map(line => cut(line.replace(/\r$/, '')))
}
