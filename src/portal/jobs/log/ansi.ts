/** Text with the escape sequences of terminals as HTML: colours become classes, everything else that moves a cursor is left out. Pure. */
import Anser from 'anser'
import { type Html, html } from '../../../platform/pages/html.ts'

const ESCAPE = '\u001b'

/** Sequences that move the cursor or erase, titles of windows, and control characters but the tabulator. Those of colours end in `m`. */
const others = new RegExp(
  `${ESCAPE}\\][^\\n\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)?|${ESCAPE}\\[[0-9;?=]*(?:[A-Za-ln-z]|$)|${ESCAPE}[()][0-9A-Za-z]|${ESCAPE}(?:[^\\[\\]()]|$)|[\\u0000-\\u0008\\u000b-\\u001a\\u001c-\\u001f\\u007f]`,
  'g',
)

/** The sixteen colours, by their names in classes, as most terminals show them. */
const palette: readonly (readonly [name: string, red: number, green: number, blue: number])[] = [
  ['black', 0, 0, 0],
  ['red', 187, 0, 0],
  ['green', 0, 187, 0],
  ['yellow', 187, 187, 0],
  ['blue', 0, 0, 187],
  ['magenta', 187, 0, 187],
  ['cyan', 0, 187, 187],
  ['white', 187, 187, 187],
  ['bright-black', 85, 85, 85],
  ['bright-red', 255, 85, 85],
  ['bright-green', 0, 255, 0],
  ['bright-yellow', 255, 255, 85],
  ['bright-blue', 85, 85, 255],
  ['bright-magenta', 255, 85, 255],
  ['bright-cyan', 85, 255, 255],
  ['bright-white', 255, 255, 255],
]

/** The nearest of the sixteen colours: styles for millions of colours would have to stand in the page. */
function nearest([red, green, blue]: readonly [number, number, number]): string {
  const distance = ([, r, g, b]: (typeof palette)[number]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2
  return palette.reduce((best, colour) => (distance(colour) < distance(best) ? colour : best))[0]
}

/** A colour of the table of 256: sixteen, then a cube of 216, then greys. */
function ofTable(index: number): string {
  if (index < 16) return palette[index]?.[0] ?? 'white'
  if (index >= 232) return nearest([8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10])
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  const at = index - 16
  return nearest([level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)])
}

/** The class of a colour that the library gives: `ansi-red`, `ansi-palette-208`, or `ansi-truecolor` with its parts. */
function nameOf(prefix: string, given: string | null, truecolor: string | null): string | undefined {
  if (!given) return undefined
  if (given === 'ansi-truecolor') {
    const [red = 0, green = 0, blue = 0] = (truecolor ?? '').split(',').map(Number)
    return prefix + nearest([red, green, blue])
  }
  const index = /^ansi-palette-(\d+)$/.exec(given)?.[1]
  return prefix + (index === undefined ? given.replace(/^ansi-/, '') : ofTable(Number(index)))
}

/** Does a text show nothing: is it empty, or sequences alone? */
export const showsNothing = (text: string): boolean => plainOf(text) === ''

/** A text without the sequences. */
export const plainOf = (text: string): string => text.replace(colours, '').replace(others, '')

const colours = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g')

/** What a terminal would show of a line: what stands before a carriage return was written over, but its colours hold. */
function shownOf(line: string): string {
  const text = line.slice(line.lastIndexOf('\r') + 1)
  const before = line.slice(0, line.length - text.length)
  return `${(before.match(colours) ?? []).join('')}${text}`.replace(others, '')
}

/**
 * The pieces of a text that look alike. The library keeps a list of all decorations that were switched on, and gives each piece the whole list:
 * of a log of 64 KB that switches on the same one ten thousand times it would make hundreds of megabytes. So the list is cut to what it says
 * after each piece.
 */
function styledPieces(text: string): Anser.AnserJsonEntry[] {
  const anser = new Anser()
  const state = anser as unknown as { decorations: string[] }
  const [plain = '', ...chunks] = text.split(`${ESCAPE}[`)
  const options = { json: true, use_classes: true } as const
  return [
    { ...anser.processChunk('', options, false), content: plain },
    ...chunks.map(chunk => {
      const piece = anser.processChunk(chunk, options, true)
      state.decorations = [...new Set(state.decorations)]
      return piece
    }),
  ]
}

/** What a terminal would show of a line, without colours. */
export const shownText = (line: string): string => plainOf(shownOf(line))

/** Lines without their ends as HTML. A colour holds until it is taken back, also over the ends of lines. */
export function colouredLines(lines: readonly string[]): Html[] {
  const made: Html[][] = [[]]
  for (const { content, fg, bg, fg_truecolor, bg_truecolor, decorations } of styledPieces(lines.map(shownOf).join('\n'))) {
    const classes = [
      nameOf('ansi-', fg, fg_truecolor),
      nameOf('ansi-bg-', bg, bg_truecolor),
      ...[...new Set(decorations)].map(decoration => `ansi-${decoration}`),
    ].filter(name => name !== undefined)
    for (const [index, piece] of content.split('\n').entries()) {
      if (index > 0) made.push([])
      if (piece !== '') made.at(-1)?.push(classes.length === 0 ? html`${piece}` : html`<span class="${classes.join(' ')}">${piece}</span>`)
    }
  }
  return lines.map((_, index) => html`${made[index] ?? []}`)
}
