/** The name that a file had before: its list of commits ends where it was renamed. */
import { type Commit, entryAt, formerNameOf, type ObjectId, type Repository } from '../../../../platform/git/index.ts'
import { icon } from '../../../../platform/pages/components/icon.ts'
import { type Html, html } from '../../../../platform/pages/html.ts'
import { commitPage, isNameable, revisionPage } from '../../addresses.ts'
import { shownName } from '../../files/tree_view.ts'

/** A file as it was named before a commit. */
interface FormerFile {
  readonly path: string
  /** The last commit that has it by this name. */
  readonly before: ObjectId
  readonly renamedBy: ObjectId
}

/** The name of a file before its first commit, where that commit gave it another one. */
export async function formerFileOf(repository: Repository, first: Commit, path: string): Promise<FormerFile | undefined> {
  // Names of directories are not followed.
  if ((await entryAt(repository, first.id, path))?.type !== 'blob') return undefined
  for (const before of first.parent_ids) {
    const former = await formerNameOf(repository, before, first.id, path)
    if (former !== undefined && isNameable(former)) return { path: former, before, renamedBy: first.id }
  }
  return undefined
}

export const formerNameLink = (project: { readonly full_path: string }, { path, before, renamedBy }: FormerFile): Html =>
  html`<div class="panel section"><p class="body">${icon('history')} Until <a class="mono" href="${commitPage(project, renamedBy)}">${renamedBy.slice(0, 8)}</a> the file was <span class="mono break">${shownName(path)}</span>: <a href="${revisionPage(project, 'commits', before, path)}">its commits by that name</a></p></div>`
