/** The view of one file of a diff. */
import { createHash } from 'node:crypto'
import { type DiffEntry, type DiffLine, linesOf } from '../../../platform/git/index.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { changedWords } from './intraline.ts'

/** The name of a file's part of the page; stable, so that links to it are. */
export const anchorOf = (path: string): string => `diff-${createHash('sha1').update(path).digest('hex').slice(0, 16)}`

/** What a page adds to a diff: to each line, below it, and below the head of a file. */
export interface DiffExtras {
  /** Stands in the cell of a line's sign: what can be done with the line. */
  readonly onLine?: (entry: DiffEntry, line: DiffLine) => Html | undefined
  /** Stands in a row of its own below a line. */
  readonly belowLine?: (entry: DiffEntry, line: DiffLine) => Html | undefined
  /** Stands above the lines of a file. */
  readonly aboveLines?: (entry: DiffEntry) => Html | undefined
}

/** A file with what is changed in it. `href`: its page. */
export function fileView(entry: DiffEntry, href: string | undefined, extras: DiffExtras = {}): Html {
  const { old_path, new_path, a_mode, b_mode } = entry
  const id = anchorOf(new_path)
  const lines = linesOf(entry)
  const isModeChange = !entry.new_file && !entry.deleted_file && a_mode !== b_mode
  return html`<section class="panel diff-file" id="${id}" aria-labelledby="${id}-name"><header class="row apart"><div class="row"><h2 id="${id}-name" class="mono">${entry.renamed_file && html`${old_path} → `}${new_path}</h2>${copyButton(`Copy the path ${new_path}`, new_path)}</div><div class="row">${countsOf(lines)}${entry.new_file && chip('New', 'success')}${entry.deleted_file && chip('Deleted', 'danger')}${entry.renamed_file && chip('Renamed', 'accent')}${isModeChange && chip(`${a_mode} → ${b_mode}`)}${href !== undefined && html`<a class="btn btn-sm" href="${href}">${icon('eye')} View<span class="sr-only"> ${new_path}</span></a>`}</div></header>${extras.aboveLines?.(entry)}${linesView(entry, lines, id, extras)}</section>`
}

function countsOf(lines: readonly DiffLine[]): Html | undefined {
  if (lines.length === 0) return undefined
  const count = (kind: DiffLine['type']) => lines.filter(({ type }) => type === kind).length
  const [added, removed] = [count('added'), count('removed')]
  return html`<span class="small nowrap" title="${added} lines added, ${removed} removed"><span class="added-count">+${added}</span> <span class="removed-count">−${removed}</span></span>`
}

function linesView(entry: DiffEntry, lines: readonly DiffLine[], id: string, extras: DiffExtras): Html {
  if (entry.too_large || entry.collapsed) return html`<p class="body muted">The changes of this file are too large to be shown here.</p>`
  if (/^Binary files /m.test(entry.diff)) return html`<p class="body muted">The file is not a text.</p>`
  if (lines.length === 0) return html`<p class="body muted">No line changed.</p>`
  const words = changedWords(lines)
  return html`<table class="code" aria-label="Changes of ${entry.new_path}"><tbody>${lines.map((line, index) => html`${isGap(lines[index - 1], line) && html`<tr class="hunk"><td colspan="4">…</td></tr>`}${lineView(line, words.get(line), id, extras.onLine?.(entry, line))}${belowView(extras.belowLine?.(entry, line))}`)}</tbody></table>`
}

/** Are lines left out before this one? */
function isGap(before: DiffLine | undefined, { old_reached, new_reached }: DiffLine): boolean {
  if (!before) return old_reached > 1 && new_reached > 1
  return old_reached > before.old_reached + 1 || new_reached > before.new_reached + 1
}

const signs = { context: ' ', added: '+', removed: '-' } as const

const belowView = (content: Html | undefined): Html | undefined =>
  content && html`<tr class="below-line"><td colspan="4">${content}</td></tr>`

function lineView({ type, old_line, new_line, text }: DiffLine, marked: Html | undefined, id: string, extra: Html | undefined): Html {
  const name = `${id}-${new_line === null ? `L${old_line}` : `R${new_line}`}`
  const number = (line: number | null) =>
    line === null
      ? html`<td class="number"></td>`
      : html`<td class="number"><a href="#${name}" data-line="${line}" aria-label="Line ${line}"></a></td>`
  return html`<tr id="${name}" class="${type}">${number(old_line)}${number(new_line)}<td class="sign"><span aria-hidden="true">${signs[type]}</span>${extra}</td><td class="text">${type !== 'context' && html`<span class="sr-only">${type}: </span>`}${marked ?? text}</td></tr>`
}
