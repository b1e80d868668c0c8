import { defaultBranchOf, type ObjectId, type Repository, readRefs } from '../../platform/git/index.ts'

/** The commit at the tip of HEAD's branch; undefined in an empty repository. */
export async function tipOf(repository: Repository): Promise<ObjectId | undefined> {
  const branch = await defaultBranchOf(repository)
  return branch === undefined ? undefined : (await readRefs(repository, [`refs/heads/${branch}`]))[0]
}
