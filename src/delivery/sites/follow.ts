/** Begins the publication of a site when its job succeeds. */
import { SITE_JOB } from '../../ci/jobs/hooks.ts'
import { insertExternalStatus } from '../../ci/jobs/insert.ts'
import type { JobRow } from '../../ci/jobs/queries.ts'
import { moveJob } from '../../ci/jobs/transitions/move.ts'
import { enqueue } from '../../platform/events/worker.ts'
import type { Context } from '../../platform/kernel/context.ts'

/** Contract: the reported status that shows how a site was published (public documentation of Pages). */
const STATUS = 'pages:deploy'

/** Behind all stages, as other reported statuses. */
const stage = { stage: 'deploy', stage_position: 1_000_000 }

/**
 * A `pages` job that succeeds leaves a status that runs until its archive is served. Both are in the transaction of the move, so that the pipeline is not
 * over in between.
 */
export async function announceSite(ctx: Context, job: JobRow): Promise<void> {
  const { id, name, kind, status, project_id, pipeline_id, user_id } = job
  if (name !== SITE_JOB || kind !== 'build' || status !== 'success' || !ctx.deps.config.pagesUrl) return
  const statusId = await insertExternalStatus(ctx, { project_id, pipeline_id, name: STATUS, user_id, ...stage })
  await moveJob(ctx, statusId, 'run')
  await enqueue(
    ctx.db,
    'publish_site',
    { job_id: id, status_id: statusId },
    { jobKey: `publish_site:${id}`, queueName: `site:${project_id % 16}` },
  )
}
