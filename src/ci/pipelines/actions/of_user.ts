/** Ending the jobs that run for a user whose account is no longer active. */
import { transact } from '../../../db/transact.ts'
import { type Deps, outsideRequest } from '../../../kernel/context.ts'
import { askForProcessing, moveJobs } from '../../jobs/moving/move.ts'
import { alive } from '../../jobs/moving/states.ts'

/** Jobs that are ended in one transaction. */
const BATCH = 200

/** Fails all jobs of a user that have not ended, in whatever pipeline. Safe to be repeated. Contract: with reason `user_blocked` (public behaviour). */
export async function failJobsOf(deps: Deps, userId: number): Promise<void> {
  for (;;) {
    const ended = await transact(deps.database.db, async db => {
      const ctx = outsideRequest(deps, db)
      const jobs = await db
        .selectFrom('jobs')
        .select(['id', 'pipeline_id'])
        .where('user_id', '=', userId)
        .where('status', 'in', alive)
        .where('kind', '<>', 'external')
        .orderBy('id')
        .limit(BATCH)
        .execute()
      const moved = await moveJobs(
        ctx,
        jobs.map(({ id }) => id),
        'drop',
        { failure_reason: 'user_blocked' },
      )
      for (const id of new Set(jobs.map(({ pipeline_id }) => pipeline_id))) await askForProcessing(db, id)
      return moved.length
    })
    if (ended < BATCH) return
  }
}
