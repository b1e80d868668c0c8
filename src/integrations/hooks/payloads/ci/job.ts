/** The payload of jobs (webhook events, 14.0). */
import { commitAt, commitsAt } from '../../../../ci/commits.ts'
import { durationOf, queuedDurationOf } from '../../../../ci/jobs/entities/durations.ts'
import type { JobRow } from '../../../../ci/jobs/queries.ts'
import { pipelineById } from '../../../../ci/pipelines/queries.ts'
import { type RunnerRow, runnersById } from '../../../../ci/runners/queries.ts'
import { userById } from '../../../../identity/users/queries.ts'
import { zeroId } from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import type { ProjectRow } from '../../../../spaces/projects/queries.ts'
import { pushedRepositoryPart, userPart } from '../project.ts'

/** The payload of a job with a new status; undefined if its pipeline was deleted. */
export async function jobPayload(ctx: Context, project: ProjectRow, job: JobRow): Promise<object | undefined> {
  const { db, url } = ctx
  const pipeline = await pipelineById(db, job.pipeline_id)
  if (!pipeline) return undefined
  const commit = commitAt(await commitsAt(ctx, [pipeline]), pipeline)
  const user = job.user_id === null ? undefined : await userById(db, job.user_id)
  const runner = job.runner_id === null ? undefined : (await runnersById(db, [job.runner_id])).get(job.runner_id)
  return {
    object_kind: 'build',
    ref: pipeline.ref,
    tag: pipeline.tag,
    before_sha: pipeline.before_sha ?? zeroId,
    sha: pipeline.sha,
    build_id: job.id,
    build_name: job.name,
    build_stage: job.stage,
    build_status: job.status,
    build_created_at: job.created_at,
    build_started_at: job.started_at,
    build_finished_at: job.finished_at,
    build_duration: durationOf(job, ctx.now),
    build_queued_duration: queuedDurationOf(job, ctx.now),
    build_allow_failure: job.allow_failure,
    build_failure_reason: job.failure_reason ?? 'unknown_failure',
    pipeline_id: job.pipeline_id,
    project_id: project.id,
    project_name: project.full_name,
    user: userPart(user, ctx),
    // Contract: the id is that of the pipeline, and so are status and times (webhook events).
    commit: {
      id: pipeline.id,
      sha: pipeline.sha,
      message: commit?.message ?? null,
      author_name: commit?.author.name ?? null,
      author_email: commit?.author.email ?? null,
      author_url: commit ? `mailto:${commit.author.email}` : null,
      status: pipeline.status,
      duration: pipeline.duration,
      started_at: pipeline.started_at,
      finished_at: pipeline.finished_at,
    },
    repository: { ...pushedRepositoryPart(project, ctx), homepage: `${url}/${project.full_path}` },
    runner: runner ? runnerPart(runner) : null,
    environment: environmentPart(job),
  }
}

/** A runner in payloads. */
export const runnerPart = ({ id, description, runner_type, active, tags }: RunnerRow) => ({
  id,
  description,
  runner_type,
  active,
  is_shared: runner_type === 'instance_type',
  tags,
})

/** The environment of a job in payloads; null if it has none. */
export const environmentPart = ({ environment, options }: JobRow) =>
  environment === null
    ? null
    : {
        name: environment,
        action: options.environment?.action ?? 'start',
        deployment_tier: options.environment?.deployment_tier ?? null,
      }
