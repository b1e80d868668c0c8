/** What is shown of a directory. It is kept, since it is made of a commit, which does not change. */
import { readmeAmong } from '../../../code/repository/files/top_files.ts'
import { ImmutableCache, type Repository, type TreeRow } from '../../../platform/git/index.ts'
import type { Html } from '../../../platform/pages/html.ts'
import type { RevisionPath } from '../scope.ts'
import { directoryAt } from './queries.ts'
import { directoryFrame } from './tree_view.ts'

/** A directory as its page shows it. */
export interface ShownDirectory {
  readonly frame: Html
  readonly readme: TreeRow | undefined
  /** How many entries there are in all. */
  readonly total: number
  /** False: the last commits of some entries are not there yet. */
  readonly isComplete: boolean
}

/** Characters of a directory that is kept: one of 1,000 entries has half a million. */
const MOST_KEPT = 1_000_000

const known = new ImmutableCache<ShownDirectory>(40, ({ frame }) => frame.text.length <= MOST_KEPT)

/**
 * A directory of a revision; undefined where there is no such directory.
 * @param within milliseconds that the search for the last commits of its entries may take; to its end unless given
 */
export async function shownDirectory(
  project: { readonly full_path: string },
  repository: Repository,
  { ref, commit, path }: RevisionPath,
  within?: number,
): Promise<ShownDirectory | undefined> {
  const question = JSON.stringify([repository.path, project.full_path, ref, commit, path])
  const before = known.known(question)
  if (before) return before
  const directory = await directoryAt(repository, commit, path, within)
  if (!directory) return undefined
  const { rows, total, isComplete } = directory
  const shown = { frame: directoryFrame({ project, ref, path, ...directory }), readme: readmeAmong(rows), total, isComplete }
  return isComplete ? known.get(question, async () => shown) : shown
}
