/** Suggestions in texts: fenced blocks with the new content of lines of a file (suggest changes). Pure. */

import { eachLine, runInSlices } from '../../platform/kernel/answer/time_slicing.ts'

/** A suggestion as parsed. */
export interface Suggested {
  /** Number of lines to replace before and after the line of the note. */
  readonly lines_above: number
  readonly lines_below: number
  /** The new lines, each with its line end; empty to delete. */
  readonly to_content: string
}

/** Upper bound of the lines that are replaced on either side. */
const MOST_LINES = 100

/**
 * Suggestions of one text: those beyond are blocks of code. A text of a megabyte has room for 58,000, each of which would be stored, shown and compared
 * with the file; a commit takes no more of them than this either.
 */
export const MOST_SUGGESTIONS = 100

/** What every suggestion has. */
const MARK = 'suggestion'

const opening = /^ {0,3}(`{3,}|~{3,})suggestion(?::-(\d{1,4})\+(\d{1,4}))?[ \t]*$/

/** The first suggestions in a text, in order and read in slices; an unclosed block extends to the end. */
export const suggestionsIn = async (text: string): Promise<Suggested[]> => (text.includes(MARK) ? runInSlices(suggesting(text)) : [])

function* suggesting(text: string): Generator<void, Suggested[], void> {
  const found: Suggested[] = []
  let fence: string | undefined
  let head: RegExpMatchArray | null = null
  let lines: string[] = []
  const close = () => {
    if (head)
      found.push({
        lines_above: Math.min(Number(head[2] ?? 0), MOST_LINES),
        lines_below: Math.min(Number(head[3] ?? 0), MOST_LINES),
        to_content: lines.map(line => `${line}\n`).join(''),
      })
    fence = undefined
    head = null
    lines = []
  }
  yield* eachLine(text, line => {
    if (fence === undefined) {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
      if (mark === undefined) return
      fence = mark
      head = found.length < MOST_SUGGESTIONS ? line.match(opening) : null
    } else if (isClosing(line, fence)) close()
    else if (head) lines.push(line)
  })
  if (fence !== undefined) close()
  return found
}

function isClosing(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length
}
