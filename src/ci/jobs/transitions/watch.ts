/** Fails jobs that will not end otherwise: their runner is lost, or no runner takes them. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { transact } from '../../../platform/db/transact.ts'
import { type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { finishJob } from './finish.ts'

/** In minutes. A running job whose runner has been silent for this long is lost. */
const SILENCE = 60

/** In minutes. Runners enforce the timeout of a job themselves; the server does so this long after it. */
const GRACE = 15

/** In minutes. A job that has been pending for this long is failed. */
const WAITING = 24 * 60

/** Jobs per batch. */
const BATCH = 500

/** Fails the jobs that are stuck or lost, each in a transaction of its own. */
export async function failStuckJobs(deps: Deps): Promise<void> {
  const { db } = deps.database
  for (;;) {
    const lost = await lostJobs(db, deps.now())
    for (const { id, failure_reason } of lost)
      await transact(db, tx => finishJob(systemContext(deps, tx), id, { state: 'failed', failure_reason }))
    if (lost.length < BATCH) return
  }
}

async function lostJobs(db: Db, now: Date): Promise<{ id: number; failure_reason: string }[]> {
  const before = (minutes: number) => sql`${now}::timestamptz - make_interval(mins => ${minutes})`
  const { rows } = await sql<{ id: number; failure_reason: string }>`
    (select id, 'stuck_or_timeout_failure' as failure_reason from jobs
      where status = 'running' and kind = 'build' and contacted_at < ${before(SILENCE)} limit ${BATCH})
    union all
    (select id, 'job_execution_timeout' from jobs
      where status = 'running' and kind = 'build' and contacted_at >= ${before(SILENCE)}
        and started_at + make_interval(secs => coalesce(timeout, 3600)) < ${before(GRACE)} limit ${BATCH})
    union all
    (select id, 'stuck_or_timeout_failure' from jobs
      where status = 'pending' and kind = 'build' and queued_at < ${before(WAITING)} limit ${BATCH})
    limit ${BATCH}`.execute(db)
  return rows
}
