/** Reads of directories for pages. */
import {
  type Commit,
  lastCommitsOfEntries,
  listTree,
  type ObjectId,
  type Repository,
  readCommits,
  type TreeRow,
} from '../../../platform/git/index.ts'

/** Entries of a directory that a page shows. */
export const MOST_ENTRIES = 1_000

/** A directory with the last commit of each entry. */
export interface DirectoryPage {
  readonly rows: readonly TreeRow[]
  /** How many entries there are in all. */
  readonly total: number
  readonly lastCommits: ReadonlyMap<string, Commit>
  /** False: the walk of the history ended before it had found all of them. */
  readonly isComplete: boolean
}

/** How long a page waits for the last commits of its entries, in milliseconds: those that are found later come after it. */
export const PATIENCE = 150

/**
 * A directory of a commit with the last commit of each entry: one walk of the history; undefined where there is no such directory.
 * @param within milliseconds that the walk may take; to its end unless given
 */
export async function directoryAt(
  repository: Repository,
  commit: ObjectId,
  path: string,
  within?: number,
): Promise<DirectoryPage | undefined> {
  const tree = await listTree(repository, { commit, path, limit: MOST_ENTRIES })
  if (!tree) return undefined
  const { found: ids, isComplete } = await lastCommitsOfEntries(repository, commit, path, tree.rows, within)
  const commits = await readCommits(repository, [...new Set(ids.values())])
  const byId = new Map(commits.filter(found => found !== undefined).map(found => [found.id, found]))
  const lastCommits = new Map(
    tree.rows.flatMap(({ name, path: entryPath }) => {
      const found = byId.get(ids.get(name) ?? '')
      return found ? [[entryPath, found] as const] : []
    }),
  )
  return { rows: tree.rows, total: tree.total, lastCommits, isComplete }
}
