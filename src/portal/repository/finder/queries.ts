/** The paths of a revision, for the file finder. */
import { setImmediate } from 'node:timers/promises'
import { ImmutableCache, listTree, type ObjectId, type Repository } from '../../../platform/git/index.ts'
import { bestPaths } from '../../../platform/pages/fuzzy.ts'
import { isNameable } from '../addresses.ts'

/** Paths that a browser is sent; of a repository with more the server finds them. */
export const MOST_SENT = 50_000

/** Lists that are kept, and characters of one. */
const cache = new ImmutableCache<readonly string[]>(10, paths => paths.reduce((sum, path) => sum + path.length, 0) <= 20_000_000)

/** The paths of the files of a commit that an address can name, submodules not counted. */
export const pathsOf = (repository: Repository, commit: ObjectId): Promise<readonly string[]> =>
  cache.get(`${repository.path} ${commit}`, async () => {
    const tree = await listTree(repository, { commit, recursive: true })
    return (tree?.rows ?? []).filter(({ type, path }) => type === 'blob' && isNameable(path)).map(({ path }) => path)
  })

/** Paths that are compared before others have their turn. */
const PATHS_PER_TURN = 5_000

/** The paths that fit best, as `bestPaths`, of any number of them. */
export async function bestPathsOf(paths: readonly string[], text: string, most: number): Promise<readonly string[]> {
  let found: string[] = []
  for (let from = 0; from < paths.length; from += PATHS_PER_TURN) {
    found = bestPaths([...found, ...paths.slice(from, from + PATHS_PER_TURN)], text, most)
    await setImmediate()
  }
  return found
}
