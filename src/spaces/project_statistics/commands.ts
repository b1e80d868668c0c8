/** Writes of project statistics. */
import type { Db } from '../../platform/db/connection.ts'
import { type Repository, repositorySize, repositoryStatistics } from '../../platform/git/index.ts'

/** Counts the commits of a project's default branch and the bytes of its repository. @returns how many commits there are */
export async function measureRepository(db: Db, project_id: number, repository: Repository): Promise<number> {
  const { commit_count, size } = await repositoryStatistics(repository)
  await db.updateTable('project_statistics').set({ commit_count, repository_size: size }).where('project_id', '=', project_id).execute()
  return commit_count
}

/** Counts the bytes of a second repository of a project. */
export async function measureSide(
  db: Db,
  project_id: number,
  kind: 'wiki_size' | 'snippets_size',
  repositories: readonly Repository[],
): Promise<void> {
  const sizes = await Promise.all(repositories.map(repositorySize))
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0)
  await db
    .updateTable('project_statistics')
    .set({ [kind]: size })
    .where('project_id', '=', project_id)
    .execute()
}

/** Adds bytes of one kind to a project's statistics, in the transaction that stores them; a negative number when they are deleted. */
export async function addToStatistics(
  db: Db,
  projectId: number,
  kind: 'lfs_objects_size' | 'job_artifacts_size' | 'packages_size' | 'snippets_size',
  bytes: number,
): Promise<void> {
  await db
    .updateTable('project_statistics')
    .set(({ eb }) => ({ [kind]: eb(kind, '+', bytes) }))
    .where('project_id', '=', projectId)
    .execute()
}
