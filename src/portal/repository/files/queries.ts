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
}

/** A directory of a commit with the last commit of each entry: one walk of the history; undefined where there is no such directory. */
export async function directoryAt(repository: Repository, commit: ObjectId, path: string): Promise<DirectoryPage | undefined> {
  const tree = await listTree(repository, { commit, path, limit: MOST_ENTRIES })
  if (!tree) return undefined
  const ids = await lastCommitsOfEntries(
    repository,
    commit,
    path,
    tree.rows.map(({ name }) => name),
  )
  const commits = await readCommits(repository, [...new Set(ids.values())])
  const byId = new Map(commits.filter(found => found !== undefined).map(found => [found.id, found]))
  const lastCommits = new Map(
    tree.rows.flatMap(({ name, path: entryPath }) => {
      const found = byId.get(ids.get(name) ?? '')
      return found ? [[entryPath, found] as const] : []
    }),
  )
  return { rows: tree.rows, total: tree.total, lastCommits }
}
