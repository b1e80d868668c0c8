/** The view of a log: lines with numbers that are links, and sections that fold. Pure. */
import { durationText } from '../../../platform/pages/components/numbers.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { colouredLines } from './ansi.ts'
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
  const { name, heading, isCollapsed, duration, content } = piece
  const face = heading
    ? lineView(heading, shown)
    : html`<span class="log-line"><span class="log-text">${name.replaceAll('_', ' ')}</span></span>`
  return html`<details class="log-section"${!isCollapsed && html` open`}><summary>${face}${duration !== undefined && html`<span class="chip log-time" title="Time of the section">${durationText(duration)}</span>`}</summary>${content.map(inner => pieceView(inner, shown))}</details>`
}

const lineView = (line: LogLine, { texts, query }: Shown): Html =>
  html`<span class="log-line" id="L${line.number}"><a class="number" href="${query(line.number)}#L${line.number}" data-line="${line.number}" aria-label="Line ${line.number}"></a><span class="log-text">${texts.get(line)}</span></span>`

/** Some lines without numbers: the end of a log on another page. */
export const linesView = (lines: readonly string[]): Html =>
  html`<div class="log" tabindex="0" role="region" aria-label="End of the log"><div class="log-part">${colouredLines(lines.map(line => line.replace(/section_(start|end):\S*\r?/g, ''))).map(text => html`<span class="log-line"><span class="log-text">${text}</span></span>`)}</div></div>`
