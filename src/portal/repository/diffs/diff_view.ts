/** The view of a diff: the same for commits, comparisons and merge requests. Pure. */
import type { ChangedFile } from '../../../platform/git/index.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { withParameter } from '../../../platform/pages/lists.ts'
import { anchorOf } from './anchor.ts'
import type { DiffEnds } from './content_view.ts'
import { type DiffExtras, fileView } from './file_view.ts'
import type { ShownDiff, ShownEntry, ShownFile } from './load.ts'
import { type Look, plainLook } from './look.ts'
import { treeView } from './tree_view.ts'

/** Marks of the files that a person has viewed. */
export interface ViewedMarks {
  readonly isViewed: (file: ShownFile | ShownEntry) => boolean
  /** Sets the mark, or takes it away. */
  readonly button: (file: ShownEntry, isViewed: boolean) => Html
}

/** What the view needs besides the diff. */
export interface DiffView {
  readonly diff: ShownDiff
  /** The address of the page that shows it; `page` of its query says which files. */
  readonly address: string
  /** The page of a file: as it is after the change, or was before its end. */
  readonly fileHref: (file: ChangedFile) => string | undefined
  /** How the caller looks at it (`lookOf`). */
  readonly look?: Look | undefined
  /** Where the files of both sides are: what is left out between the lines can be loaded, and pictures are shown. */
  readonly ends?: DiffEnds | undefined
  readonly viewed?: ViewedMarks | undefined
  readonly extras?: DiffExtras
  /** Threads on a file, which the tree shows. */
  readonly threadsOn?: (file: ChangedFile) => number
}

/** The script of pages that show a diff: they name it in `scripts`. */
export const diffScript = 'diffs.js'

/** The changed files with their lines: those of the page, and after them frames that load the next ones when they come into view. */
export function diffView(view: DiffView): Html {
  const { diff, address } = view
  const { files, only } = diff
  if (only !== undefined)
    return html`<diff-viewer>${toolbar(view)}<p><a href="${withParameter(address, 'only', undefined)}">Show all ${files.length} files</a></p>${filesOf(view)}</diff-viewer>`
  if (files.length < 2) return html`<diff-viewer>${toolbar(view)}${filesOf(view)}</diff-viewer>`
  return html`<diff-viewer>${toolbar(view)}<div class="diff-layout">${tree(view)}<div>${steps(view)}${filesOf(view)}</div></div></diff-viewer>`
}

/** The files of a page as the content of the frame that stands for them on the page before. */
export const filesFrame = (view: DiffView): Html => html`<turbo-frame id="${frameName(view.diff.page)}">${filesOf(view)}</turbo-frame>`

export const frameName = (page: number): string => `files-${page}`

/** How a file is shown on the page of its diff. */
export const optionsOf = ({ look, ends, viewed, address, diff }: DiffView, entry: ShownEntry) => {
  const isViewed = viewed?.isViewed(entry) === true
  return {
    look,
    ends,
    alone: withParameter(address, 'only', entry.new_path),
    isAlone: diff.only !== undefined,
    viewed: viewed && { isViewed, button: viewed.button(entry, isViewed) },
  }
}

function filesOf(view: DiffView): Html {
  const { diff, address, fileHref, extras } = view
  const { entries, page, pages, perPage } = diff
  const shown = entries.map(entry => fileView(entry, fileHref(entry), extras, optionsOf(view, entry)))
  if (perPage === 1) return html`<div class="stack">${shown}</div>`
  const next = addressOfPage(address, page + 1)
  return html`<div class="stack">${shown}${page < pages && html`<turbo-frame id="${frameName(page + 1)}" src="${next}" loading="lazy" target="_top"><p><a class="btn" href="${next}">Show the next files</a></p></turbo-frame>`}</div>`
}

/** The address of a page of files. Nothing: the first. */
const addressOfPage = (address: string, page?: number): string =>
  withParameter(withParameter(address, 'file', undefined), 'page', page === undefined ? undefined : String(page))

/** The address of the page that begins with a file. `number`: its place, from 1. */
const addressOfFile = (address: string, number: number): string => withParameter(address, 'file', number === 1 ? undefined : String(number))

/** From one file to the next, where a page has one. */
function steps({ diff, address }: DiffView): Html | undefined {
  const { files, page, pages, perPage, only } = diff
  if (perPage > 1 || pages < 2 || only !== undefined) return undefined
  const step = (number: number, rel: 'prev' | 'next', says: string) =>
    number >= 1 &&
    number <= pages &&
    html`<a class="btn btn-sm" rel="${rel}" href="${addressOfFile(address, number)}">${says}<span class="sr-only">: ${files[number - 1]?.new_path}</span></a>`
  return html`<nav class="row file-steps" aria-label="File by file">${step(page - 1, 'prev', 'Previous file')}<span class="small">File ${page} of ${pages}</span>${step(page + 1, 'next', 'Next file')}</nav>`
}

function tree({ diff, address, viewed, threadsOn = () => 0 }: DiffView): Html {
  const { files, page, perPage } = diff
  return treeView(files, {
    hrefOf({ new_path }, index) {
      const on = Math.floor(index / perPage) + 1
      if (perPage === 1) return `${on === page ? '' : addressOfFile(address, on)}#${anchorOf(new_path)}`
      return `${on === page ? '' : addressOfPage(address, on)}#${anchorOf(new_path)}`
    },
    isViewed: file => viewed?.isViewed(file) === true,
    threadsOn,
  })
}

function toolbar({ diff, address, viewed, look = plainLook }: DiffView): Html {
  const { files, page, perPage } = diff
  const link = (is: boolean, to: string, name: 'rows' | 'columns', says: string) =>
    html`<a class="btn btn-sm" href="${to}"${is && html` aria-current="true"`}>${icon(name)} ${says}</a>`
  const space = look.ignoresWhitespace ? '0' : '1'
  return html`<div class="diff-toolbar row apart"><div><span role="status">${summaryOf(files)}</span>${page > 1 && perPage > 1 && html` <a href="${addressOfPage(address)}">From the first file</a>`}</div><div class="row">${viewed && progress(files, viewed)}<nav class="segments" aria-label="Lines">${link(look.view === 'inline', withParameter(address, 'view', 'inline'), 'rows', 'Unified')}${link(look.view === 'parallel', withParameter(address, 'view', 'parallel'), 'columns', 'Side by side')}</nav><a class="btn btn-sm" href="${withParameter(address, 'w', space)}">${space === '1' ? 'Hide white space' : 'Show white space'}</a></div></div>`
}

function summaryOf(files: readonly ShownFile[]): Html {
  const counted = files.flatMap(({ counts }) => counts ?? [])
  const sum = (of: 'added' | 'removed') => counted.reduce((lines, counts) => lines + counts[of], 0)
  return html`${files.length} ${files.length === 1 ? 'file' : 'files'} changed${counted.length > 0 && html`, <span class="added-count">${sum('added')} added</span> and <span class="removed-count">${sum('removed')} removed</span> lines`}`
}

function progress(files: readonly ShownFile[], { isViewed }: ViewedMarks): Html {
  const done = files.filter(isViewed).length
  return html`<span class="row viewed-progress" data-viewed="${done}" data-of="${files.length}"><progress max="${files.length}" value="${done}" aria-label="Files viewed"></progress><span class="small" aria-live="polite">${done} of ${files.length} viewed</span></span>`
}
