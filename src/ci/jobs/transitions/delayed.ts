/** Delayed jobs (`when: delayed`): they start by themselves at a given time. */
import { transact } from '../../../platform/db/transact.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import { type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { jobById } from '../queries.ts'
import { moveJob } from './move.ts'

/** Starts a delayed job that is due; does nothing if it was played or canceled in the meantime. Idempotent. */
export async function startDelayedJob(deps: Deps, { job_id }: { readonly job_id: number }): Promise<void> {
  await transact(deps.database.db, async db => {
    const job = await jobById(db, job_id)
    if (job?.status !== 'scheduled' || job.scheduled_at === null) return
    const at = new Date(job.scheduled_at)
    if (at > deps.now()) return enqueue(db, 'start_delayed_job', { job_id }, { jobKey: `start_delayed_job:${job_id}`, runAt: at })
    await moveJob(systemContext(deps, db), job_id, job.resource_group_id === null ? 'enqueue' : 'wait')
  })
}
