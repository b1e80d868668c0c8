/** The view of a directory: its entries, each with the commit that last changed it. */
import { type Commit, LINK_MODE, type TreeRow } from '../../../platform/git/index.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { commitPage, isNameable, revisionPage } from '../addresses.ts'
import { codeOf } from '../highlight/turning.ts'

/** A directory of a revision. */
export interface Directory {
  readonly project: { readonly full_path: string }
  readonly ref: string
  readonly path: string
  readonly rows: readonly TreeRow[]
  /** The last commit of each entry, by its path. */
  readonly lastCommits: ReadonlyMap<string, Commit>
  /** False: more of them are found than are here, which takes longer than a page should. */
  readonly isComplete: boolean
  /** The pages of submodules, by their paths. */
  readonly submodules: ReadonlyMap<string, string>
}

/** The entries of a directory in a frame, which loads the commits that are missing; without a script a link leads to them. */
export const directoryFrame = (directory: Directory): Html => {
  const { project, ref, path, isComplete } = directory
  if (isComplete) return html`<turbo-frame id="entries" target="_top"><div class="panel">${treeTable(directory)}</div></turbo-frame>`
  const all = revisionPage(project, 'last_commits', ref, path)
  return html`<turbo-frame id="entries" target="_top" src="${all}"><div class="panel">${treeTable(directory)}</div><noscript><p><a href="${all}">Show the last commit of every entry</a></p></noscript></turbo-frame>`
}

/** Entries that the browser lays out together: those that are not seen it skips. The style sheet knows their height. */
const TOGETHER = 50

function treeTable({ project, ref, path, rows, lastCommits, submodules }: Directory): Html {
  const up =
    path !== '' &&
    html`<tbody><tr><td class="name"><a href="${revisionPage(project, 'tree', ref, parentOf(path))}" aria-label="Parent directory">..</a></td><td class="message"></td><td class="when"></td></tr></tbody>`
  const parts = Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, part) => rows.slice(part * TOGETHER, (part + 1) * TOGETHER))
  const kind = (part: number) => part > 0 && parts[part]?.length === TOGETHER && html` class="skippable"`
  const entry = (row: TreeRow) => html`
<tr><td class="name title">${iconOf(row)} ${row.type === 'commit' ? submoduleEntry(row, submodules.get(row.path)) : entryLink(project, ref, row)}</td>${lastCommitCells(project, lastCommits.get(row.path))}</tr>`
  return html`<table class="tree" data-list>
<thead class="sr-only"><tr><th scope="col">Name</th><th scope="col">Last commit</th><th scope="col">Last update</th></tr></thead>
${up}${parts.map(
  (part, index) => html`<tbody${kind(index)}>${part.map(entry)}
</tbody>`,
)}</table>`
}

/** Characters that a name may have and nobody sees: line ends and other controls, and those that turn the direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A name as it is shown: `exe.jpg` may be `gpj.exe` behind a character that turns it around. */
export const shownName = (name: string): string => name.replace(UNSEEN, found => `\u27e8${codeOf(found)}\u27e9`)

const entryLink = (project: Directory['project'], ref: string, { name, path, type, id }: TreeRow): Html =>
  !isNameable(path)
    ? unreadableEntry(project, name, type, id)
    : html`<a href="${revisionPage(project, type === 'tree' ? 'tree' : 'blob', ref, path)}">${shownName(name)}</a>`

/** A submodule, with a link to its repository where that has a page. */
const submoduleEntry = ({ name, id }: TreeRow, page: string | undefined): Html => {
  const shown = html`${shownName(name)} @ <span class="mono">${id.slice(0, 8)}</span>`
  return page === undefined ? html`<span>${shown}</span>` : html`<a href="${page}" rel="nofollow noopener">${shown}</a>`
}

/** An entry whose name is not UTF-8: no address can name it, but the bytes of a file have an id. */
const unreadableEntry = ({ full_path }: Directory['project'], name: string, type: string, id: string): Html =>
  html`${type === 'blob' ? html`<a href="/api/v4/projects/${encodeURIComponent(full_path)}/repository/blobs/${id}/raw" data-turbo="false" download>${shownName(name)}</a>` : html`<span>${shownName(name)}</span>`} <span class="muted small">(the name is not UTF-8: ${type === 'blob' ? 'the file can be downloaded' : 'git alone opens it'})</span>`

const lastCommitCells = (project: Directory['project'], commit: Commit | undefined): Html =>
  commit
    ? html`<td class="message"><a class="quiet" href="${commitPage(project, commit.id)}">${commit.title}</a></td><td class="when muted">${time(commit.committer.date)}</td>`
    : html`<td class="message"></td><td class="when"></td>`

/** The icon of an entry by its kind. */
function iconOf({ type, mode }: TreeRow): Html {
  if (type === 'tree') return icon('file-directory-fill')
  if (type === 'commit') return icon('file-submodule', 'Submodule')
  return mode === LINK_MODE ? icon('file-symlink-file', 'Symbolic link') : icon('file')
}

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The path of an entry, each directory above a link. */
export const pathCrumbs = (project: Directory['project'], ref: string, path: string): Html => {
  const segments = path.split('/').filter(segment => segment !== '')
  return html`<nav aria-label="Path" class="path-crumbs"><a href="${revisionPage(project, 'tree', ref)}">${project.full_path.split('/').at(-1)}</a>${segments.map(
    (segment, index) =>
      index === segments.length - 1
        ? html` / <strong>${shownName(segment)}</strong>`
        : html` / <a href="${revisionPage(project, 'tree', ref, segments.slice(0, index + 1).join('/'))}">${shownName(segment)}</a>`,
  )}</nav>`
}
