/**
 * The job that made a deployment, as document 2 "Environment" describes `deployable`: a job with its commit and pipeline in other sizes
 * than elsewhere. Null for a deployment that was reported by the API, and for whoever may not read the project's jobs.
 */
import Type from 'typebox'
import { commitAt } from '../ci/commits.ts'
import {
  type Loaded as LoadedJobs,
  load as loadJobs,
  pipelineOf,
  presentRun,
  presentShared,
  runFields,
  sharedFields,
} from '../ci/jobs/entity.ts'
import { type JobRow, jobsById } from '../ci/jobs/queries.ts'
import { basicFields, pipelineUrl, presentNamed } from '../ci/pipelines/basic.ts'
import { projectsWithOpenPipelines } from '../ci/pipelines/visible.ts'
import type { Context, Facts } from '../kernel/context.ts'
import { DateTime, Nullable } from '../kernel/types.ts'
import { idsOf } from '../users/queries.ts'
import type { DeploymentRow } from './queries.ts'

const Commit = Type.Object({
  id: Type.String(),
  short_id: Type.String(),
  created_at: DateTime(),
  parent_ids: Type.Array(Type.String()),
  title: Type.String(),
  message: Type.String(),
  author_name: Type.String(),
  author_email: Type.String(),
  authored_date: DateTime(),
  committer_name: Type.String(),
  committer_email: Type.String(),
  committed_date: DateTime(),
})

const { id, sha, ref, status, web_url } = basicFields

export const Deployable = Type.Object({
  ...sharedFields,
  ...runFields,
  /** Null where git has it no more. */
  commit: Nullable(Commit),
  pipeline: Type.Object({ id, sha, ref, status, web_url }),
})

/** The jobs that deployments were made by, as far as the actor may read them. */
export interface Deployables {
  readonly jobs: ReadonlyMap<number, JobRow>
  readonly loaded: LoadedJobs | undefined
}

/** The jobs that these deployments were made by, with what is shown of them: a fixed number of statements. */
export async function deployablesOf(ctx: Context, deployments: readonly DeploymentRow[]): Promise<Deployables> {
  const found = await jobsById(ctx.db, idsOf(deployments, 'job_id'))
  const open = await projectsWithOpenPipelines(ctx.db, ctx.actor, idsOf([...found.values()], 'project_id'))
  const jobs = new Map([...found].filter(([, { project_id }]) => open.has(project_id)))
  return { jobs, loaded: jobs.size > 0 ? await loadJobs(ctx, [...jobs.values()]) : undefined }
}

/** What is shown of the job that a deployment was made by. */
export function presentDeployable({ job_id }: DeploymentRow, { jobs, loaded }: Deployables, facts: Facts) {
  const job = job_id === null ? undefined : jobs.get(job_id)
  if (!job || !loaded) return null
  const pipeline = pipelineOf(loaded, job)
  const commit = commitAt(loaded.commits, pipeline)
  const { project_id: _, ...named } = presentNamed(pipeline)
  return {
    ...presentShared(job, loaded, facts),
    ...presentRun(job, loaded, facts),
    commit: commit
      ? {
          id: commit.id,
          short_id: commit.id.slice(0, 8),
          created_at: commit.committer.date,
          parent_ids: [...commit.parent_ids],
          title: commit.title,
          message: commit.message,
          author_name: commit.author.name,
          author_email: commit.author.email,
          authored_date: commit.author.date,
          committer_name: commit.committer.name,
          committer_email: commit.committer.email,
          committed_date: commit.committer.date,
        }
      : null,
    pipeline: { ...named, web_url: pipelineUrl(pipeline, facts) },
  }
}
