/** The view of a file. */
import type { Commit } from '../../../platform/git/index.ts'
import { copyButton } from '../../../platform/pages/components/copy.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { bytesText } from '../../../platform/pages/components/numbers.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html, inOnePiece } from '../../../platform/pages/html.ts'
import { commitPage, revisionPage } from '../addresses.ts'
import type { LfsPointer } from './blob_kind.ts'
import type { LinkTarget } from './targets/link.ts'
import { shownName } from './tree_view.ts'

/** A file at a path of a revision. */
export interface ShownFile {
  readonly project: { readonly full_path: string }
  readonly ref: string
  /** ID of the commit that `ref` names now: the permanent address has it. */
  readonly commitId: string
  readonly path: string
  /** In bytes. */
  readonly size: number
  readonly lastCommit: Commit | undefined
  readonly content: FileContent
  /** The menu of what it defines. */
  readonly symbols: Html | undefined
  /** Buttons that change it, as far as the caller may. */
  readonly changing: Html | undefined
}

/** How the bytes of a text are read: what is no UTF-8 is not edited here. */
type Encoding = 'UTF-8' | 'Latin-1'

/** What is shown of a file. */
export type FileContent =
  /** `isCut`: there are more lines than these. */
  | { readonly kind: 'lines'; readonly lines: readonly Html[]; readonly text: string; readonly isCut: boolean; readonly encoding: Encoding }
  /** `own`: it is no Markdown. */
  | { readonly kind: 'rendered'; readonly body: Html; readonly look?: 'own'; readonly encoding: Encoding }
  | { readonly kind: 'picture' | 'pdf' }
  | { readonly kind: 'lfs'; readonly pointer: LfsPointer; readonly encoding: Encoding }
  | { readonly kind: 'link'; readonly target: LinkTarget }
  | { readonly kind: 'binary' | 'large' }

/** Bytes of a document that a page shows without being asked for it. */
const LARGEST_PDF = 20 * 1024 * 1024

/** Characters of a file that a button copies: its page has them twice. */
const MOST_COPIED = 256 * 1024

/** The panel of a file: its facts, its buttons, its content. */
export const fileView = (file: ShownFile): Html => html`${lastCommitLine(file)}
<section class="panel file" aria-label="${file.path}"><header class="row apart"><span class="small muted">${factsOf(file)}</span><div class="row">${buttonsOf(file)}</div></header>
${contentView(file)}</section>`

/** A line about a commit. `pipeline`: the chip of its newest one. */
export const lastCommitLine = ({ project, lastCommit }: Pick<ShownFile, 'project' | 'lastCommit'>, pipeline?: Html): Html | undefined =>
  lastCommit &&
  html`<div class="panel last-commit"><div class="row apart small"><span class="break"><strong>${lastCommit.author.name}</strong> <a class="quiet" href="${commitPage(project, lastCommit.id)}">${lastCommit.title}</a></span><span class="row muted">${pipeline}<a class="mono quiet" href="${commitPage(project, lastCommit.id)}">${lastCommit.id.slice(0, 8)}</a> ${time(lastCommit.committer.date)}</span></div></div>`

function factsOf({ size, content }: ShownFile): string {
  const lines =
    content.kind === 'lines' && !content.isCut && size > 0
      ? `${content.lines.length === 1 ? '1 line' : `${content.lines.length} lines`}, `
      : ''
  const encoding = 'encoding' in content && content.encoding !== 'UTF-8' ? `, shown as ${content.encoding}, since it is no UTF-8` : ''
  return `${lines}${bytesText(size)}${encoding}`
}

function buttonsOf({ project, ref, commitId, path, content, symbols }: ShownFile): Html {
  const isSource = content.kind === 'lines' && content.text !== ''
  /** A picture that is a text. */
  const isDrawn = content.kind === 'picture' && path.toLowerCase().endsWith('.svg')
  const page = revisionPage(project, 'blob', ref, path)
  return html`${symbols}${(content.kind === 'rendered' || isDrawn) && html`<a class="btn btn-sm" href="${page}?plain=1">Source</a>`}
<a class="btn btn-sm" href="${revisionPage(project, 'raw', ref, path)}" data-turbo="false">Raw</a>
<a class="btn btn-sm" href="${revisionPage(project, 'raw', ref, path)}?inline=false" data-turbo="false" download>${icon('download', 'Download')}</a>
${('encoding' in content || isDrawn) && html`<a class="btn btn-sm" href="${revisionPage(project, 'blame', ref, path)}">${icon('person')} Blame</a>`}
<a class="btn btn-sm" href="${revisionPage(project, 'commits', ref, path)}">${icon('history')} History</a>
<a class="btn btn-sm" href="${revisionPage(project, 'blob', commitId, path)}" data-hotkey="y" title="The address that always shows this version (y)">${icon('link', 'Permalink')}</a>
${isSource && content.text.length <= MOST_COPIED && keptWith(content.lines, copyButtons, () => copyButton('Copy the file', content.text))}`
}

/** Lines that the browser lays out together: those that are not seen it skips, which it cannot do within one table. The style sheet knows their height. */
const TOGETHER = 50

/** Lines whose rows are kept with them: they are most of the work of a page that is asked for again. */
const MOST_KEPT = 5_000

type KeptWithLines = WeakMap<readonly Html[], Html>

const rows: KeptWithLines = new WeakMap()
const copyButtons: KeptWithLines = new WeakMap()

/** What is made of the lines of a file alone. Those of a highlighted file are the same list each time, for as long as it is kept. */
function keptWith(lines: readonly Html[], kept: KeptWithLines, make: () => Html): Html {
  const known = kept.get(lines)
  if (known) return known
  if (lines.length > MOST_KEPT) return make()
  const made = inOnePiece(make())
  kept.set(lines, made)
  return made
}

const linesView = (lines: readonly Html[]): Html => keptWith(lines, rows, () => rowsOf(lines))

function rowsOf(lines: readonly Html[]): Html {
  const wide = lines.length >= 1_000 && ' wide'
  const parts = Array.from({ length: Math.ceil(lines.length / TOGETHER) }, (_, part) => part * TOGETHER)
  const row = (line: Html, number: number) =>
    html`<tr id="L${number}"><td class="number"><a href="#L${number}" data-line="${number}" aria-label="Line ${number}"></a></td><td class="text">${line}</td></tr>`
  const kind = (from: number) => from > 0 && from + TOGETHER <= lines.length && ' skippable'
  return html`${parts.map(from => html`<div class="lines${wide}${kind(from)}"><table class="code" role="presentation"><tbody>${lines.slice(from, from + TOGETHER).map((line, at) => row(line, from + at + 1))}</tbody></table></div>`)}`
}

function contentView({ project, ref, path, size, content }: ShownFile): Html {
  switch (content.kind) {
    case 'lines':
      if (content.text === '') return html`<div class="body"><p class="muted">The file is empty.</p></div>`
      return html`<line-range role="group" aria-label="Lines of ${path}">${linesView(content.lines)}</line-range>${content.isCut && html`<p class="body muted">Only the first ${content.lines.length} lines are shown. The raw file has all of them.</p>`}`
    case 'rendered':
      return content.look === 'own' ? content.body : html`<div class="body markdown-body">${content.body}</div>`
    case 'pdf':
      return html`<div class="body"><pdf-document${size <= LARGEST_PDF && html` data-src="${revisionPage(project, 'raw', ref, path)}" data-label="${path}"`}><p><a class="btn" href="${revisionPage(project, 'raw', ref, path)}" data-turbo="false" target="_blank" rel="noopener">${icon('link-external')} Open the document</a> <span class="muted">The viewer of your browser shows it in a tab.</span></p></pdf-document></div>`
    case 'picture':
      return html`<div class="body picture"><img src="${revisionPage(project, 'raw', ref, path)}" alt="${path}"></div>`
    case 'lfs':
      return html`<div class="body"><p>This file is kept by Git LFS: ${bytesText(content.pointer.size)}, <span class="mono">${content.pointer.oid}</span>.</p></div>`
    case 'large':
      return html`<div class="body"><p>The file is too large to be shown here: take it raw, or download it.</p></div>`
    case 'link':
      return linkView(project, ref, content.target)
    case 'binary':
      return html`<div class="body"><p>The file is not a text: download it to see what it holds.</p></div>`
  }
}

/** A symbolic link, which leads to its target. */
function linkView(project: ShownFile['project'], ref: string, { written, path, isOutside }: LinkTarget): Html {
  const target = html`<span class="mono break">${shownName(written)}</span>`
  // The page of a file leads on to that of a directory.
  const leads = path !== undefined && html`<a href="${revisionPage(project, path === '' ? 'tree' : 'blob', ref, path)}">${target}</a>`
  return html`<div class="body"><p>${icon('file-symlink-file')} Symbolic link to ${leads || target}</p>${path === undefined && html`<p class="muted">${isOutside ? 'That is outside of the repository.' : 'There is nothing of this name at this revision.'}</p>`}</div>`
}
