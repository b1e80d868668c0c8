/** The lines of a file's diff as a table: old and new ones below each other, or beside each other. Pure. */
import type { DiffLine } from '../../../../platform/git/index.ts'
import { icon } from '../../../../platform/pages/components/icon.ts'
import { escapeHtml, Html, html } from '../../../../platform/pages/html.ts'
import { shownTurns } from '../../highlight/turning.ts'
import { lineNameOf } from '../anchor.ts'
import type { Look } from '../look.ts'
import type { Sides } from './code.ts'
import { changedWords } from './intraline.ts'
import { type Range, withMarks } from './marks.ts'
import { type Block, type Gap, type Row, runsOf } from './rows.ts'

/** A mark beside the number of a line: its class, and what it means. */
export interface LineMark {
  readonly kind: string
  readonly says: string
}

/** What the view of lines needs besides them. */
export interface LinesOptions {
  /** The path of the file. */
  readonly path: string
  /** Begins the names of the lines. */
  readonly id: string
  readonly look: Look
  /** Highlighted lines of both sides, where there are some. */
  readonly sides?: Sides | undefined
  /** The address that loads lines which are left out; undefined where none can be loaded. */
  readonly expansion?: string | undefined
  /** What is known of a line of the new file: a mark beside its number. */
  readonly markOf?: ((line: DiffLine) => LineMark | undefined) | undefined
  /** Stands in a row of its own below a line. */
  readonly belowLine?: ((line: DiffLine) => Html | undefined) | undefined
}

/** Lines that a button shows. */
export const STEP = 20

/** Lines that are shown by one request, however many are left out. */
export const MOST_EXPANDED = 2_000

/** Characters of a line that are shown: one of a megabyte would take a browser seconds. */
const LONGEST = 2_000

export const linesTable = (blocks: readonly Block[], options: LinesOptions): Html =>
  html`<table class="code diff ${options.look.view === 'parallel' ? 'parallel' : 'inline parts'}" aria-label="Changes of ${options.path}">${options.look.view === 'parallel' && columns}${bodiesOf(blocks, options)}</table>`

const side = html`<col class="number"><col class="sign"><col>`
const columns = html`<colgroup>${side}${side}</colgroup>`

/** The blocks as parts of a table. */
export const bodiesOf = (blocks: readonly Block[], options: LinesOptions): Html =>
  html`${blocks.map(block => ('gap' in block ? gapBody(block.gap, options) : linesBody(block.lines, options)))}`

type Words = ReadonlyMap<DiffLine, readonly Range[]>

function linesBody(lines: readonly DiffLine[], options: LinesOptions): Html {
  const words = changedWords(lines, options.look.ignoresWhitespace)
  if (options.look.view === 'inline')
    return html`${partsOf(lines).map((part, index) => html`<tbody${index > 0 && part.length === PART && html` class="skippable"`}>${part.map(line => inlineRow(line, words, options))}</tbody>`)}`
  return html`${runsOf(lines).map(({ isChange, rows }) => html`<tbody${isChange && html` class="change"`}>${rows.map(row => parallelRow(row, words, options))}</tbody>`)}`
}

/** Lines of a part of a table: the browser skips those after the first that are not seen. The style sheet has the height of as many lines. */
const PART = 10

const partsOf = (lines: readonly DiffLine[]): (readonly DiffLine[])[] =>
  Array.from({ length: Math.ceil(lines.length / PART) }, (_, index) => lines.slice(index * PART, (index + 1) * PART))

const nameOf = (line: DiffLine, { id }: LinesOptions): string => lineNameOf(id, line)

function inlineRow(line: DiffLine, words: Words, options: LinesOptions): Html {
  const { type, old_line } = line
  const name = nameOf(line, options)
  const below = options.belowLine?.(line)
  return html`<tr id="${name}" class="${type}"><td class="number">${number(old_line, name, type === 'context')}</td>${newNumber('', line, name, options)}<td class="sign"></td><td class="text">${textOf(line, words, options)}</td></tr>${below && html`<tr class="below-line"><td colspan="4">${below}</td></tr>`}`
}

function parallelRow({ left, right }: Row, words: Words, options: LinesOptions): Html {
  const isContext = left === right
  const belowLeft = left && !isContext ? options.belowLine?.(left) : undefined
  const belowRight = right && options.belowLine?.(right)
  return html`<tr>${cells(left, 'old', isContext, words, options)}${cells(right, 'new', isContext, words, options)}</tr>${(belowLeft || belowRight) && html`<tr class="below-line"><td class="old${!belowLeft && ' blank'}" colspan="3">${belowLeft}</td><td class="new${!belowRight && ' blank'}" colspan="3">${belowRight}</td></tr>`}`
}

/** The cells of one side; an unchanged line has its name and its buttons on the right. */
function cells(line: DiffLine | undefined, column: 'old' | 'new', isContext: boolean, words: Words, options: LinesOptions): Html {
  if (!line)
    return html`<td class="number ${column} blank"></td><td class="sign ${column} blank"></td><td class="text ${column} blank"></td>`
  const isNamed = column === 'new' || !isContext
  const kind = `${column} ${line.type}`
  const name = nameOf(line, options)
  const numbered =
    column === 'new'
      ? newNumber(` ${kind}`, line, name, options, true)
      : html`<td class="number ${kind}"${isNamed && html` id="${name}"`}>${number(line.old_line, name, !isNamed)}</td>`
  return html`${numbered}<td class="sign ${kind}"></td><td class="text ${kind}">${textOf(line, words, options)}</td>`
}

/** The cell of a line's number in the new file, with its mark. */
function newNumber(classes: string, line: DiffLine, name: string, { markOf }: LinesOptions, isNamed = false): Html {
  const mark = line.new_line === null ? undefined : markOf?.(line)
  return html`<td class="number${classes}${mark && ` ${mark.kind}`}"${isNamed && html` id="${name}"`}${mark && html` title="${mark.says}"`}>${number(line.new_line, name)}${mark && html`<span class="sr-only">${mark.says}</span>`}</td>`
}

/** `isSecond`: the line has another number, which Tab leads to. */
const number = (line: number | null, name: string, isSecond = false): Html | undefined =>
  line === null ? undefined : html`<a href="#${name}" data-line="${line}" aria-label="Line ${line}"${isSecond && html` tabindex="-1"`}></a>`

/** The text of a line: an unchanged one is as the new file has it, also where white space differs. */
function textOf(line: DiffLine, words: Words, { sides }: LinesOptions): Html {
  const { type, text, old_line, new_line, without_end } = line
  const [before, after] = sides ?? []
  const isOld = type === 'removed'
  const at = (isOld ? old_line : new_line) ?? 0
  const rest = text.length - LONGEST
  const code = rest > 0 ? undefined : (isOld ? before : after)?.lines?.[at - 1]?.text
  const shown = code ?? shownTurns(escapeHtml(text.slice(0, LONGEST)))
  const ranges = words.get(line)
  const marked = ranges ? withMarks(shown, ranges, type === 'added' ? 'ins' : 'del') : shown
  return html`${type !== 'context' && html`<span class="sr-only">${type}: </span>`}${Html.trusted(marked)}${rest > 0 && html`<span class="aside"> … ${rest} more characters</span>`}${without_end && html`<span class="aside"> (no line end)</span>`}`
}

function gapBody(gap: Gap, options: LinesOptions): Html {
  const [first, rest] = options.look.view === 'parallel' ? [2, 4] : [2, 2]
  return html`<tbody class="gap"><tr class="hunk"><td class="gap-links" colspan="${first}">${options.expansion === undefined ? '…' : gapLinks(gap, options, options.expansion)}</td><td class="hunk-heading" colspan="${rest}">${gap.heading.slice(0, 200)}</td></tr></tbody>`
}

/** Which of the lines that are left out are shown: the first, the last, or all. */
export const takes = ['first', 'last', 'all'] as const
export type Take = (typeof takes)[number]

function gapLinks({ old_from, new_from, count, at }: Gap, { look }: LinesOptions, expansion: string): Html {
  const link = (take: Take, name: 'fold-down' | 'fold-up' | 'unfold', says: string) => {
    const query = new URLSearchParams({ old_from: String(old_from), new_from: String(new_from), at, take, view: look.view })
    if (count !== undefined) query.set('count', String(count))
    if (look.ignoresWhitespace) query.set('w', '1')
    return html`<a href="${expansion}?${query.toString()}" data-expand rel="nofollow" title="${says}" aria-label="${says}">${icon(name)}</a>`
  }
  const isShort = count !== undefined && count <= STEP
  const all = count === undefined ? 'Show the lines to the end of the file' : count === 1 ? 'Show 1 line' : `Show all ${count} lines`
  return html`${!isShort && at !== 'top' && link('first', 'fold-down', `Show ${STEP} lines from line ${new_from}`)}${!isShort && at !== 'bottom' && link('last', 'fold-up', `Show ${STEP} lines up to line ${new_from + (count ?? 0) - 1}`)}${link('all', 'unfold', all)}`
}
