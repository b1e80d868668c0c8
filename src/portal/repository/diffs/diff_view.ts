/** The view of a diff: the same for commits, comparisons and merge requests. */
import { createHash } from 'node:crypto'
import { type Diff, type DiffEntry, type DiffLine, linesOf } from '../../../platform/git/index.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { changedWords } from './intraline.ts'

/** Files on a page of a diff. */
export const FILES_PER_PAGE = 30

/** What the view needs besides the diff. */
export interface DiffPage {
  readonly diff: Diff
  /** From 1. */
  readonly page: number
  /** The page of a file after the change; undefined where there is none. */
  readonly fileHref: ((path: string) => string) | undefined
  /** Links to the other pages of files. */
  readonly links: Html | undefined
}

/** The changed files with their lines. */
export function diffView({ diff, page, fileHref, links }: DiffPage): Html {
  const files = diff.entries.slice((page - 1) * FILES_PER_PAGE, page * FILES_PER_PAGE)
  return html`<p class="muted" role="status">${diff.files} ${diff.files === 1 ? 'file' : 'files'} changed${diff.overflow && html`; not all of it is shown, because it is too much`}</p>
${files.length > 1 && fileList(files)}
<div class="stack">${files.map(entry => fileView(entry, fileHref))}</div>${links}`
}

/** The name of a file's part of the page; stable, so that links to it are. */
const anchorOf = (path: string): string => `diff-${createHash('sha1').update(path).digest('hex').slice(0, 16)}`

const fileList = (files: readonly DiffEntry[]): Html =>
  html`<details class="changed-files"><summary>Files on this page</summary><ul class="plain-list">${files.map(({ new_path }) => html`<li><a href="#${anchorOf(new_path)}">${new_path}</a></li>`)}</ul></details>`

function fileView(entry: DiffEntry, fileHref: DiffPage['fileHref']): Html {
  const { old_path, new_path, a_mode, b_mode } = entry
  const id = anchorOf(new_path)
  const isModeChange = !entry.new_file && !entry.deleted_file && a_mode !== b_mode
  return html`<section class="panel diff-file" id="${id}" aria-labelledby="${id}-name"><header class="row apart"><h2 id="${id}-name" class="mono">${entry.renamed_file && html`${old_path} → `}${new_path}</h2><div class="row">${entry.new_file && chip('New', 'success')}${entry.deleted_file && chip('Deleted', 'danger')}${entry.renamed_file && chip('Renamed', 'accent')}${isModeChange && chip(`${a_mode} → ${b_mode}`)}${fileHref && !entry.deleted_file && html`<a class="btn btn-sm" href="${fileHref(new_path)}">${icon('eye')} View<span class="sr-only"> ${new_path}</span></a>`}</div></header>${linesView(entry, id)}</section>`
}

function linesView(entry: DiffEntry, id: string): Html {
  if (entry.too_large || entry.collapsed) return html`<p class="body muted">The changes of this file are too large to be shown here.</p>`
  if (/^Binary files /m.test(entry.diff)) return html`<p class="body muted">The file is not a text.</p>`
  const lines = linesOf(entry)
  if (lines.length === 0) return html`<p class="body muted">No line changed.</p>`
  const words = changedWords(lines)
  return html`<table class="code" aria-label="Changes of ${entry.new_path}"><tbody>${lines.map((line, index) => html`${isGap(lines[index - 1], line) && html`<tr class="hunk"><td colspan="4">…</td></tr>`}${lineView(line, words.get(line), id)}`)}</tbody></table>`
}

/** Are lines left out before this one? */
function isGap(before: DiffLine | undefined, { old_reached, new_reached }: DiffLine): boolean {
  if (!before) return old_reached > 1 && new_reached > 1
  return old_reached > before.old_reached + 1 || new_reached > before.new_reached + 1
}

const signs = { context: ' ', added: '+', removed: '-' } as const

function lineView({ type, old_line, new_line, text }: DiffLine, marked: Html | undefined, id: string): Html {
  const name = `${id}-${new_line === null ? `L${old_line}` : `R${new_line}`}`
  const number = (line: number | null) =>
    line === null
      ? html`<td class="number"></td>`
      : html`<td class="number"><a href="#${name}" data-line="${line}" aria-label="Line ${line}"></a></td>`
  return html`<tr id="${name}" class="${type}">${number(old_line)}${number(new_line)}<td class="sign" aria-hidden="true">${signs[type]}</td><td class="text">${type !== 'context' && html`<span class="sr-only">${type}: </span>`}${marked ?? text}</td></tr>`
}
