/** Statistics of a repository after its references have moved: one run for several pushes, some seconds after the first. */
import type { Job } from '../../platform/events/worker.ts'
import { needsHousekeeping } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { measureRepository } from '../../spaces/project_statistics/commands.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { scheduleHousekeeping } from '../housekeeping/commands.ts'
import { projectForLanguages, updateLanguages } from '../languages/commands.ts'

/** In milliseconds. */
const DELAY = 5_000

/**
 * The job that updates statistics; to be queued in the transaction that records a change of the repository.
 * @param options `unlessWaiting`: everything that the job reads exists before the transaction commits
 */
export const statisticsTask = (
  project_id: number,
  now: Date,
  { unlessWaiting = false }: { readonly unlessWaiting?: boolean } = {},
): Job => ({
  task: 'survey_repository',
  payload: { project_id },
  options: {
    jobKey: `survey_repository ${project_id}`,
    keepsTime: true,
    unlessWaiting,
    runAt: new Date(now.getTime() + DELAY),
    // One at a time: language detection occupies a core.
    queueName: 'survey',
  },
})

/**
 * Counts commits and bytes, detects languages, and schedules housekeeping if it is worth it; does nothing for a deleted project or one
 * without a repository. A failing part does not prevent the others.
 */
export async function updateStatistics(deps: Deps, { project_id }: { readonly project_id: number }): Promise<void> {
  const { database, storages, now } = deps
  const project = await projectForLanguages(database.db, project_id)
  const repository = project && (await findRepository(storages, project))
  if (!repository) return
  const parts = await Promise.allSettled([
    measureRepository(database.db, project_id, repository),
    updateLanguages(deps, project, repository),
    needsHousekeeping(repository).then(isWorthIt => (isWorthIt ? scheduleHousekeeping(database.db, project_id, now()) : undefined)),
  ])
  for (const part of parts) if (part.status === 'rejected') throw part.reason
}
