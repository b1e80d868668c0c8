/** Statistics of a repository after its references have moved: one run for several pushes, some seconds after the first. */
import { enqueue, type Job } from '../../platform/events/worker.ts'
import { needsHistoryIndex, needsHousekeeping } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { measureRepository } from '../../spaces/project_statistics/commands.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { requestHistoryIndex, scheduleHousekeeping } from '../housekeeping/commands.ts'
import { projectForLanguages, updateLanguages } from '../languages/commands.ts'

/** In milliseconds. */
const DELAY = 5_000

/** Queues of all projects together: the database looks at each of them for every job. */
const QUEUES = 16

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
    // Those of one project one after the other, those of others beside them.
    queueName: `survey ${project_id % QUEUES}`,
  },
})

/**
 * Counts commits and bytes, schedules housekeeping and the index of the history if they are worth it, and has the languages detected; does nothing for
 * a deleted project or one without a repository. A failing part does not prevent the others.
 */
export async function updateStatistics(deps: Deps, { project_id }: { readonly project_id: number }): Promise<void> {
  const { database, storages, now } = deps
  const { db } = database
  const project = await projectForLanguages(db, project_id)
  const repository = project && (await findRepository(storages, project))
  if (!repository) return
  const parts = await Promise.allSettled([
    measureRepository(db, project_id, repository).then(async commits => {
      if (await needsHistoryIndex(repository, commits)) await requestHistoryIndex(db, project_id)
    }),
    needsHousekeeping(repository).then(isWorthIt => (isWorthIt ? scheduleHousekeeping(db, project_id, now()) : undefined)),
    // One at a time, whatever the project: detection occupies a core, and counts do not wait for it.
    enqueue(db, 'survey_languages', { project_id }, { jobKey: `survey_languages ${project_id}`, queueName: 'languages' }),
  ])
  for (const part of parts) if (part.status === 'rejected') throw part.reason
}

/** Detects the languages of a project, unless they are known; does nothing for a deleted project or one without a repository. */
export async function surveyLanguages(
  deps: Deps,
  { project_id }: { readonly project_id: number },
  signal: AbortSignal | undefined,
): Promise<void> {
  const project = await projectForLanguages(deps.database.db, project_id)
  const repository = project && (await findRepository(deps.storages, project))
  if (repository) await updateLanguages(deps, project, repository, signal)
}
