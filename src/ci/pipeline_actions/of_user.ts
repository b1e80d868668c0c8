/** Fails the jobs that run for a user whose account is no longer active, or deleted. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { transact } from '../../platform/db/transact.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { moveJobs, notifyPipelineWorker } from '../jobs/transitions/move.ts'
import { alive } from '../states.ts'

/** Jobs per transaction. */
const BATCH = 200

/** The running and waiting jobs of a user, in any pipeline, oldest first. */
export const liveJobsOf = (db: Db, userId: number) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', 'in', alive)
    .where('kind', '<>', 'external')
    .orderBy('id')

/** Queues the failure of the jobs of a user who is about to be deleted: afterwards the rows no longer name the user. */
export async function enqueueEndOfJobsOf(db: Db, user_id: number): Promise<void> {
  const rows = await liveJobsOf(db, user_id).execute()
  if (rows.length > 0) await enqueue(db, 'drop_work_of_user', { user_id, job_ids: rows.map(({ id }) => id) })
}

/** Fails all unfinished jobs of a user. Idempotent. */
export async function failJobsOf(deps: Deps, userId: number): Promise<void> {
  const rows = await liveJobsOf(deps.database.db, userId).execute()
  await failJobs(
    deps,
    rows.map(({ id }) => id),
  )
}

/** Fails the unfinished ones of these jobs. Contract: with reason `user_blocked` (public behaviour). */
export async function failJobs(deps: Deps, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH)
    await transact(deps.database.db, async db => {
      const live = await db
        .selectFrom('jobs')
        .select(['id', 'pipeline_id'])
        .where('id', '=', anyOf(ids.slice(from, from + BATCH)))
        .where('status', 'in', alive)
        .orderBy('id')
        .execute()
      await moveJobs(
        systemContext(deps, db),
        live.map(({ id }) => id),
        'drop',
        { failure_reason: 'user_blocked' },
      )
      for (const id of new Set(live.map(({ pipeline_id }) => pipeline_id))) await notifyPipelineWorker(db, id)
    })
}
