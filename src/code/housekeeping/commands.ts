/** Housekeeping keeps repositories packed. A statistics run that finds many packs schedules it, an hour later at the earliest. */
import type { Db } from '../../platform/db/connection.ts'
import { unlessBackup } from '../../platform/db/migrating/backup_lock.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { housekeeping, indexHistory, isIntact, needsHousekeeping, type Repository } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { setRepositoryFacts } from '../../spaces/projects/repository/facts.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'

/** Pushes within this time share one run. In milliseconds. */
const DELAY = 60 * 60 * 1000

/** Schedules packing of the repository in an hour, if it is still worth it then. */
export const scheduleHousekeeping = (db: Db, project_id: number, now: Date): Promise<void> =>
  enqueue(
    db,
    'tidy_repository',
    { project_id },
    {
      jobKey: `tidy_repository ${project_id}`,
      keepsTime: true,
      runAt: new Date(now.getTime() + DELAY),
      // One at a time: packing occupies a core and the disk.
      queueName: 'upkeep',
    },
  )

/** Schedules packing and a check of the repository as soon as possible, worth it or not. */
export const requestHousekeeping = (db: Db, projectId: number): Promise<void> =>
  enqueue(db, 'tidy_repository', { project_id: projectId, always: true }, { jobKey: `tidy_repository ${projectId}`, queueName: 'upkeep' })

/** Schedules the index of the repository's history. */
export const requestHistoryIndex = (db: Db, projectId: number): Promise<void> =>
  // In the queue of packing, which writes the same file.
  enqueue(db, 'index_history', { project_id: projectId }, { jobKey: `index_history ${projectId}`, queueName: 'upkeep' })

/** Writes the index of the history of a project's repository. Does nothing for a deleted project. */
export async function writeHistoryIndex({ database, storages, log }: Deps, { project_id }: { readonly project_id: number }): Promise<void> {
  const repository = await repositoryOf({ database, storages }, project_id)
  if (!repository) return
  await indexHistory(repository)
  log.info({ project: project_id }, 'the history of a repository was indexed')
}

async function repositoryOf(
  { database, storages }: Pick<Deps, 'database' | 'storages'>,
  projectId: number,
): Promise<Repository | undefined> {
  const project = await database.db
    .selectFrom('projects')
    .select(['id', 'repository_storage'])
    .where('id', '=', projectId)
    .executeTakeFirst()
  return project && findRepository(storages, project)
}

/**
 * Packs the repository of a project, if it is worth it or `always` is set, and records whether all objects that references need exist
 * (`repository_checksum_failed`). Does nothing for a deleted project.
 */
export async function tidyRepository(
  { database, storages, log, now }: Deps,
  { project_id, always = false }: { project_id: number; always?: boolean },
): Promise<void> {
  const repository = await repositoryOf({ database, storages }, project_id)
  if (!repository || !(always || (await needsHousekeeping(repository)))) return
  const intact = await isIntact(repository)
  await setRepositoryFacts(database.db, project_id, { repository_checksum_failed: !intact })
  // Packing deletes unreachable objects; a damaged repository must not lose any more.
  if (!intact) return log.warn({ project: project_id }, 'a repository is damaged')
  // Packing also deletes what no reference names any more; a backup may still need it, for the references of its own instant.
  if (!(await unlessBackup(database, () => housekeeping(repository)))) return scheduleHousekeeping(database.db, project_id, now())
  log.info({ project: project_id }, 'a repository was packed')
}
