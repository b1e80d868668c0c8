/** The sections of a log: runners mark their beginnings and ends by lines of their own. Pure. */

/** A line of a log, without its end. */
export interface LogLine {
  /** From 1. */
  readonly number: number
  readonly text: string
}

/** A part of a log that folds. Its first line is its heading. */
export interface LogSection {
  readonly name: string
  readonly heading: LogLine | undefined
  readonly isCollapsed: boolean
  /** When it began, in seconds since 1970, by the clock of the runner. */
  readonly since: number
  /** In seconds; undefined while it runs, and where its end is elsewhere. */
  readonly duration: number | undefined
  readonly content: readonly LogPiece[]
}

export type LogPiece = LogLine | LogSection

export const isSection = (piece: LogPiece): piece is LogSection => 'content' in piece

/** `section_start:1560896352:build[collapsed=true]`, after which the line is erased. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: runners write it so
const mark = /section_(start|end):(\d{1,12}):([\w.-]{1,100})(?:\[([^\]\r]{0,200})\])?\r?(?:\u001b\[0K)?/g

interface Open {
  readonly name: string
  readonly since: number
  readonly isCollapsed: boolean
  heading: LogLine | undefined
  readonly content: LogPiece[]
}

/** Sections within sections that are kept apart; deeper ones are lines of the one around them. */
const DEEPEST = 8

/** Lines with their sections. Ends without a beginning, which lies in an earlier part of the log, are left out. */
export function sectionsOf(lines: readonly LogLine[]): LogPiece[] {
  const top: LogPiece[] = []
  const open: Open[] = []
  const into = () => open.at(-1)?.content ?? top
  const close = (section: Open, duration: number | undefined) => {
    const { name, heading, isCollapsed, since, content } = section
    into().push({ name, heading, isCollapsed, since, duration, content })
  }
  for (const { number, text } of lines) {
    let began: Open | undefined
    for (const [, kind, time, name = '', options = ''] of text.matchAll(mark)) {
      if (kind === 'start' && open.length < DEEPEST) {
        began = { name, since: Number(time), isCollapsed: /\bcollapsed=true\b/.test(options), heading: undefined, content: [] }
        open.push(began)
      }
      if (kind === 'end' && open.some(section => section.name === name)) {
        // Those within that never ended end with it.
        for (let last = open.pop(); last; last = open.pop()) {
          close(last, last.name === name ? Math.max(0, Number(time) - last.since) : undefined)
          if (last === began) began = undefined
          if (last.name === name) break
        }
      }
    }
    const rest = text.replace(mark, '')
    const isMark = rest !== text
    // A line that holds marks alone is none of the log.
    if (isMark && rest.trim() === '' && !began) continue
    const line = { number, text: rest }
    if (began) began.heading = line
    else into().push(line)
  }
  for (let last = open.pop(); last; last = open.pop()) close(last, undefined)
  return top
}
