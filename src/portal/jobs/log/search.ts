/** The lines of a log that have a text. The whole log is read, a piece at a time. */
import { StringDecoder } from 'node:string_decoder'
import type { JobLog } from '../../../ci/traces/log.ts'
import { plainOf, shownText } from './ansi.ts'
import type { LogLine } from './sections.ts'

/** Lines that are found at most. */
export const MOST_FOUND = 200

/** Characters of a line without an end that are kept while its end is read; what is longer is searched up to here. */
const LONGEST_LINE = 1_000_000

/** Characters before what was found, and after it. */
const BEFORE = 100
const AFTER = 300

/** A line as a terminal would show it, without colours; of a long one the part with the text. */
export type FoundLine = LogLine

export interface FoundLines {
  readonly lines: readonly FoundLine[]
  /** Are there more than these? */
  readonly isCut: boolean
}

/** Finds the lines that have a text, whatever the case of its letters and whatever colours it has. */
export async function linesWith(log: JobLog, text: string): Promise<FoundLines> {
  const wanted = text.toLowerCase()
  const found: FoundLine[] = []
  let ended = 0
  let open = ''
  const look = (lines: string) => {
    // Most pieces have nothing: those are looked through as a whole.
    const isCandidate = plainOf(lines).toLowerCase().includes(wanted)
    for (const line of isCandidate ? lines.split('\n') : []) {
      ended++
      const shown = shownText(line.replace(/\r$/, ''))
      const at = shown.toLowerCase().indexOf(wanted)
      if (at >= 0) found.push({ number: ended, text: around(shown, at, wanted.length) })
      if (found.length > MOST_FOUND) return
    }
    if (!isCandidate) ended += lines.split('\n').length
  }
  const decoder = new StringDecoder('utf8')
  for await (const piece of log.read(0, log.size)) {
    const read = open + decoder.write(piece)
    const end = read.lastIndexOf('\n')
    if (end >= 0) look(read.slice(0, end))
    open = read.slice(end + 1, end + 1 + LONGEST_LINE)
    if (found.length > MOST_FOUND) break
  }
  if (open !== '' && found.length <= MOST_FOUND) look(open)
  return { lines: found.slice(0, MOST_FOUND), isCut: found.length > MOST_FOUND }
}

const around = (line: string, at: number, length: number): string =>
  `${at > BEFORE ? '…' : ''}${line.slice(Math.max(0, at - BEFORE), at + length + AFTER)}${line.length > at + length + AFTER ? '…' : ''}`
