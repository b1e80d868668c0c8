/** The tasks that follow immediately from a job's new state, queued in the same transaction. */
import { enqueue } from '../../../platform/events/worker.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { completed } from '../../states.ts'
import type { JobRow } from '../queries.ts'

/** Queues the tasks that depend on a job's new state. `db` is the transaction of the transition. */
export async function followTransition({ db }: Pick<Context, 'db'>, job: JobRow): Promise<void> {
  const { id, status, kind, resource_group_id, user_id } = job
  if (status === 'pending' && kind === 'bridge')
    await enqueue(db, 'start_downstream', { job_id: id }, { jobKey: `start_downstream:${id}`, turnOf: user_id })
  if (status === 'scheduled' && job.scheduled_at !== null)
    await enqueue(db, 'start_delayed_job', { job_id: id }, { jobKey: `start_delayed_job:${id}`, runAt: new Date(job.scheduled_at) })
  if (resource_group_id !== null && (status === 'waiting_for_resource' || completed.includes(status)))
    await enqueue(db, 'assign_resource', { resource_group_id }, { jobKey: `assign_resource:${resource_group_id}` })
}
