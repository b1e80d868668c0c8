/** The tree of files beside a diff. Pure. */
import { icon } from '../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import type { ShownFile } from './load.ts'
import { type Folder, type Leaf, treeOf } from './tree.ts'

/** What the tree says of its files besides their names. */
export interface TreeOptions {
  /** Where a file is, by its place in the diff. */
  readonly hrefOf: (file: ShownFile, index: number) => string
  readonly isViewed: (file: ShownFile) => boolean
  /** Threads on a file. */
  readonly threadsOn: (file: ShownFile) => number
}

/** Files that the tree holds. */
const MOST_FILES = 1_000

/** Files above which the tree is folded at first. */
const MOST_OPEN = 300

export function treeView(files: readonly ShownFile[], options: TreeOptions): Html {
  const shown = files.slice(0, MOST_FILES)
  return html`<details class="changed-files" open><summary>Changed files</summary><div class="tree-filter" hidden data-tree-filter><label class="sr-only" for="tree-filter">Part of a path</label><input class="form-control input-sm" type="search" id="tree-filter" placeholder="Find a file" autocomplete="off" spellcheck="false"><p class="sr-only" role="status"></p></div><nav aria-label="Changed files">${folderContent(treeOf(shown), options, shown.length <= MOST_OPEN)}</nav>${files.length > MOST_FILES && html`<p class="muted">And ${files.length - MOST_FILES} more.</p>`}</details>`
}

const folderContent = ({ folders, files }: Folder, options: TreeOptions, isOpen: boolean): Html =>
  html`<ul class="plain-list file-tree">${folders.map(folder => html`<li><details${isOpen && html` open`}><summary>${icon('file-directory-fill')}<span>${folder.name}</span></summary>${folderContent(folder, options, isOpen)}</details></li>`)}${files.map(leaf => leafView(leaf, options))}</ul>`

function leafView({ name, file, index }: Leaf, { hrefOf, isViewed, threadsOn }: TreeOptions): Html {
  const { counts, new_path } = file
  const threads = threadsOn(file)
  const viewed = isViewed(file)
  return html`<li data-path="${new_path}"${viewed && html` class="viewed"`}><a href="${hrefOf(file, index)}" title="${new_path}">${kindOf(file)}<span class="name">${name}</span>${threads > 0 && html`<span class="threads" title="${threads} threads">${icon('comment')}<span class="sr-only">threads: </span>${threads}</span>`}${counts && html`<span class="counts"><span class="added-count">+${counts.added}</span> <span class="removed-count">&minus;${counts.removed}</span></span>`}<span class="seen">${icon('check', 'viewed')}</span></a></li>`
}

function kindOf({ new_file, deleted_file, renamed_file }: ShownFile): Html {
  if (new_file) return html`<span class="added-count">${icon('diff-added', 'new')}</span>`
  if (deleted_file) return html`<span class="removed-count">${icon('diff-removed', 'deleted')}</span>`
  return renamed_file ? icon('diff-renamed', 'renamed') : icon('diff-modified')
}
