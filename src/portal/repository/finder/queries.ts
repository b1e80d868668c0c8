/** The paths of a revision, for the file finder. */
import { ImmutableCache, listTree, type ObjectId, type Repository } from '../../../platform/git/index.ts'

/** Paths that a browser is sent; of a repository with more the server finds them. */
export const MOST_SENT = 50_000

/** Lists that are kept, and characters of one. */
const cache = new ImmutableCache<readonly string[]>(10, paths => paths.reduce((sum, path) => sum + path.length, 0) <= 20_000_000)

/** The paths of all files of a commit, submodules not counted. */
export const pathsOf = (repository: Repository, commit: ObjectId): Promise<readonly string[]> =>
  cache.get(`${repository.path} ${commit}`, async () => {
    const tree = await listTree(repository, { commit, recursive: true })
    return (tree?.rows ?? []).filter(({ type }) => type === 'blob').map(({ path }) => path)
  })
