/** Writes of the numbers about what projects store. */
import type { Db } from '../db/connection.ts'
import type { Job } from '../events/worker.ts'
import { repositoryStatistics } from '../git/storage/maintenance.ts'
import type { Deps } from '../kernel/context.ts'
import { findRepository } from '../repository/store.ts'

/** Moves of references that come in so many milliseconds are measured together. */
const DELAY = 2_000

/** That a repository is measured; to be queued in the transaction that records what has changed in it. */
export const measuringOf = (project_id: number, now: Date): Job => ({
  task: 'measure_repository',
  payload: { project_id },
  options: { jobKey: `measure_repository ${project_id}`, keepsTime: true, runAt: new Date(now.getTime() + DELAY) },
})

/** Counts the commits of a project's default branch and the bytes of its repository; does nothing for a project that is gone. */
export async function measureRepository({ database, storages }: Deps, { project_id }: { project_id: number }): Promise<void> {
  const project = await database.db
    .selectFrom('projects')
    .select(['id', 'repository_storage'])
    .where('id', '=', project_id)
    .executeTakeFirst()
  const repository = project && (await findRepository(storages, project))
  if (!repository) return
  const { commit_count, size } = await repositoryStatistics(repository)
  await database.db
    .updateTable('project_statistics')
    .set({ commit_count, repository_size: size })
    .where('project_id', '=', project_id)
    .execute()
}

/** Adds bytes to what a project stores of one kind; in the transaction that keeps them, or, fewer than none, drops them. */
export async function addToStatistics(
  db: Db,
  projectId: number,
  kind: 'lfs_objects_size' | 'job_artifacts_size',
  bytes: number,
): Promise<void> {
  await db
    .updateTable('project_statistics')
    .set(({ eb }) => ({ [kind]: eb(kind, '+', bytes) }))
    .where('project_id', '=', projectId)
    .execute()
}
