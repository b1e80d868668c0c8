/** The view of a diff: the same for commits, comparisons and merge requests. */
import type { ChangedFile, DiffEntry } from '../../../platform/git/index.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { withParameter } from '../../../platform/pages/lists.ts'
import { anchorOf, type DiffExtras, fileView } from './file_view.ts'
import { FILES_PER_PAGE, type ShownDiff } from './load.ts'

/** What the view needs besides the diff. */
export interface DiffView {
  readonly diff: ShownDiff
  /** The address of the page that shows it; `page` of its query says which files. */
  readonly address: string
  /** The page of a file: as it is after the change, or was before its end. */
  readonly fileHref: (file: ChangedFile) => string | undefined
  /** Lines added and removed in all files; undefined where they are not counted. */
  readonly stats?: { readonly additions: number; readonly deletions: number } | undefined
  readonly extras?: DiffExtras
}

/** Names of files that the list holds. */
const MOST_NAMES = 1000

/** The changed files with their lines: those of the page, and after them frames that load the next ones when they come into view. */
export function diffView(view: DiffView): Html {
  const { diff, address, stats } = view
  const { files, page } = diff
  const summary = html`<p class="muted" role="status">${files.length} ${files.length === 1 ? 'file' : 'files'} changed${stats && html`, <span class="added-count">${stats.additions} added</span> and <span class="removed-count">${stats.deletions} removed</span> lines`}${page > 1 && html`. <a href="${withParameter(address, 'page', undefined)}">From the first file</a>`}</p>`
  if (files.length < 2) return html`${summary}${filesOf(view)}`
  return html`${summary}<div class="diff-layout">${fileList(view)}<div>${filesOf(view)}</div></div>`
}

/** The files of a page as the content of the frame that stands for them on the page before. */
export const filesFrame = (view: DiffView): Html => html`<turbo-frame id="${frameName(view.diff.page)}">${filesOf(view)}</turbo-frame>`

export const frameName = (page: number): string => `files-${page}`

function filesOf({ diff, address, fileHref, extras }: DiffView): Html {
  const { entries, page, pages } = diff
  const next = withParameter(address, 'page', String(page + 1))
  return html`<div class="stack">${entries.map((entry: DiffEntry) => fileView(entry, fileHref(entry), extras))}${page < pages && html`<turbo-frame id="${frameName(page + 1)}" src="${next}" loading="lazy" target="_top"><p><a class="btn" href="${next}">Show the next files</a></p></turbo-frame>`}</div>`
}

function fileList({ diff, address }: DiffView): Html {
  const { files, page } = diff
  const hrefOf = (path: string, index: number) => {
    const on = Math.floor(index / FILES_PER_PAGE) + 1
    return `${on === page ? '' : withParameter(address, 'page', String(on))}#${anchorOf(path)}`
  }
  return html`<details class="changed-files"${files.length <= FILES_PER_PAGE && html` open`}><summary>Changed files</summary><nav aria-label="Changed files"><ul class="plain-list">${files.slice(0, MOST_NAMES).map((file, index) => html`<li><a href="${hrefOf(file.new_path, index)}">${file.new_path}</a>${kindOf(file)}</li>`)}</ul>${files.length > MOST_NAMES && html`<p class="muted">And ${files.length - MOST_NAMES} more.</p>`}</nav></details>`
}

function kindOf({ new_file, deleted_file, renamed_file }: ChangedFile): Html | undefined {
  const kind = new_file ? 'new' : deleted_file ? 'deleted' : renamed_file ? 'renamed' : undefined
  return kind && html` <span class="muted small">${kind}</span>`
}
