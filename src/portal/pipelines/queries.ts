/** What the pages of pipelines read besides the pipelines themselves. */
import { commitAt, commitsAt } from '../../ci/commits.ts'
import type { ShownJob } from '../../ci/jobs/lists/shown.ts'
import { jobById } from '../../ci/jobs/queries.ts'
import { type PipelineRow, pipelinesById, pipelinesStartedBy } from '../../ci/pipelines/queries.ts'
import { projectsWithOpenPipelines } from '../../ci/pipelines/rights/visible.ts'
import { presentSummary } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { LinkedPipeline } from './graph/linked_view.ts'
import type { ListedPipeline } from './list_view.ts'

/** Pipelines with their users and commits: a statement, and an exchange with git. */
export async function withPeople(ctx: Context, rows: readonly PipelineRow[]): Promise<ListedPipeline[]> {
  const [users, commits] = await Promise.all([usersById(ctx.db, idsOf(rows, 'user_id')), commitsAt(ctx, rows)])
  return rows.map(pipeline => {
    const user = pipeline.user_id === null ? undefined : users.get(pipeline.user_id)
    return { pipeline, user: user && presentSummary(user, ctx), commit: commitAt(commits, pipeline) }
  })
}

/** The pipelines that bridges have started, as far as the caller sees them, by bridge: two statements, none without bridges. */
export async function startedBy({ db, actor }: Context, jobs: readonly ShownJob[]): Promise<ReadonlyMap<number, PipelineRow>> {
  const bridges = jobs.filter(({ kind }) => kind === 'bridge').map(({ id }) => id)
  if (bridges.length === 0) return new Map()
  const started = await pipelinesStartedBy(db, bridges)
  const open = await projectsWithOpenPipelines(db, actor, idsOf(started, 'project_id'))
  return new Map(started.filter(({ project_id }) => open.has(project_id)).map(row => [row.upstream_job_id as number, row]))
}

/** The pipeline that started one, with the job that did, if the caller sees them. */
export async function upstreamOf({ db, actor }: Context, { upstream_job_id }: PipelineRow): Promise<LinkedPipeline | undefined> {
  const job = upstream_job_id === null ? undefined : await jobById(db, upstream_job_id)
  if (!job) return undefined
  const open = await projectsWithOpenPipelines(db, actor, [job.project_id])
  const pipeline = open.has(job.project_id) ? (await pipelinesById(db, [job.pipeline_id])).get(job.pipeline_id) : undefined
  return pipeline && { pipeline, job: job.name }
}
