/** The view of a log: lines with numbers that are links, and sections that fold. Pure. */
import { durationText } from '../../../platform/pages/components/numbers.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { colouredLines } from './ansi.ts'
import type { FoundLines } from './search.ts'
import { isSection, type LogLine, type LogPiece, sectionsOf } from './sections.ts'

/** Lines of a part that are shown: a part of empty lines alone would otherwise be a page of many megabytes. */
const MOST_LINES = 8_000

/** A part of a log with the colours of its lines. `query`: of the links of lines, where the page does not show the whole log. */
export function partView(lines: readonly LogLine[], query: (line: number) => string): Html {
  const pieces = sectionsOf(lines.slice(0, MOST_LINES))
  const flat = flatOf(pieces)
  const texts = colouredLines(flat.map(({ text }) => text))
  const shown = new Map(flat.map((line, index) => [line, texts[index] as Html]))
  const left = lines.length - MOST_LINES
  return html`<div class="log-part">${pieces.map(piece => pieceView(piece, { texts: shown, query }))}${left > 0 && html`<p class="muted">The raw log has ${left} short lines more that belong here.</p>`}</div>`
}

/** The lines of pieces in their order: colours go on from one to the next. */
const flatOf = (pieces: readonly LogPiece[]): LogLine[] =>
  pieces.flatMap(piece => (isSection(piece) ? [...(piece.heading ? [piece.heading] : []), ...flatOf(piece.content)] : [piece]))

interface Shown {
  readonly texts: ReadonlyMap<LogLine, Html>
  readonly query: (line: number) => string
}

function pieceView(piece: LogPiece, shown: Shown): Html {
  if (!isSection(piece)) return lineView(piece, shown)
  const { name, heading, isCollapsed, since, duration, content } = piece
  const began = new Date(since * 1000).toISOString().slice(11, 19)
  const face = heading
    ? lineView(heading, shown)
    : html`<span class="log-line"><span class="log-text">${name.replaceAll('_', ' ')}</span></span>`
  return html`<details class="log-section"${!isCollapsed && html` open`}><summary>${face}${duration !== undefined && html`<span class="chip log-time" title="Time of the section, which began at ${began} UTC">${durationText(duration)}</span>`}</summary>${content.map(inner => pieceView(inner, shown))}</details>`
}

const lineView = (line: LogLine, { texts, query }: Shown): Html =>
  html`<span class="log-line" id="L${line.number}"><a class="number" href="${query(line.number)}#L${line.number}" data-line="${line.number}" aria-label="Line ${line.number}"></a><span class="log-text">${texts.get(line)}</span></span>`

/** The lines that were searched for, as links to them. `to`: the address of a line's part. */
export function foundView(
  { lines, isCut }: FoundLines,
  { text, page, to }: { readonly text: string; readonly page: string; readonly to: (line: number) => string },
): Html {
  const count = isCut ? `The first ${lines.length} lines that have` : lines.length === 1 ? '1 line has' : `${lines.length} lines have`
  return html`<section class="panel" aria-label="Lines that were found"><header class="row apart"><h2 class="small"><span role="status">${lines.length === 0 ? 'No line has' : count} <q>${text}</q></span></h2><a class="btn btn-sm" href="${page}">Close</a></header>${lines.length > 0 && html`<div class="log log-found">${lines.map(line => html`<span class="log-line"><a class="number" href="${to(line.number)}#L${line.number}" data-line="${line.number}" aria-label="Line ${line.number}"></a><span class="log-text">${markedText(line.text, text)}</span></span>`)}</div>`}</section>`
}

/** A text whose first occurrence of another is marked. */
function markedText(text: string, wanted: string): Html {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0) return html`${text}`
  return html`${text.slice(0, at)}<mark>${text.slice(at, at + wanted.length)}</mark>${text.slice(at + wanted.length)}`
}

/** Some lines without numbers: the end of a log on another page. */
export const linesView = (lines: readonly string[]): Html =>
  html`<div class="log" tabindex="0" role="region" aria-label="End of the log"><div class="log-part">${colouredLines(lines.map(line => line.replace(/section_(start|end):\S*\r?/g, ''))).map(text => html`<span class="log-line"><span class="log-text">${text}</span></span>`)}</div></div>`
