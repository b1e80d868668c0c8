/**
 * The job of a deployment, as document 2 "Environment" describes `deployable`: the fields of its commit and pipeline differ from those
 * elsewhere. Null for a deployment that was reported by the API, and for a caller who may not read the project's jobs.
 */
import Type from 'typebox'
import { commitAt } from '../../ci/commits.ts'
import {
  type Loaded as LoadedJobs,
  load as loadJobs,
  pipelineOf,
  presentRun,
  presentShared,
  runFields,
  sharedFields,
} from '../../ci/jobs/entity.ts'
import { type JobRow, jobsById } from '../../ci/jobs/queries.ts'
import { basicFields, pipelineUrl, presentNamed } from '../../ci/pipelines/lists/basic.ts'
import { projectsWithOpenPipelines } from '../../ci/pipelines/rights/visible.ts'
import { ownFields, presentOwn } from '../../code/repository/commits/entity.ts'
import { idsOf } from '../../identity/users/queries.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { described, Nullable } from '../../platform/kernel/declaration/types.ts'
import type { DeploymentRow } from './queries.ts'

const { id, sha, ref, status, web_url } = basicFields

export const Deployable = Type.Object({
  ...sharedFields,
  ...runFields,
  commit: Nullable(described('The commit; null where git no longer has it', Type.Object(ownFields))),
  pipeline: described('The pipeline', Type.Object({ id, sha, ref, status, web_url })),
})

/** The jobs of deployments, if the actor may read them. */
export interface Deployables {
  readonly jobs: ReadonlyMap<number, JobRow>
  readonly loaded: LoadedJobs | undefined
}

/** Loads the jobs of these deployments with their related rows: a fixed number of statements. */
export async function deployablesOf(ctx: Context, deployments: readonly DeploymentRow[]): Promise<Deployables> {
  const found = await jobsById(ctx.db, idsOf(deployments, 'job_id'))
  const open = await projectsWithOpenPipelines(ctx.db, ctx.actor, idsOf([...found.values()], 'project_id'))
  const jobs = new Map([...found].filter(([, { project_id }]) => open.has(project_id)))
  return { jobs, loaded: jobs.size > 0 ? await loadJobs(ctx, [...jobs.values()]) : undefined }
}

/** The JSON of a deployment's job. */
export function presentDeployable({ job_id }: DeploymentRow, { jobs, loaded }: Deployables, facts: Facts) {
  const job = job_id === null ? undefined : jobs.get(job_id)
  if (!job || !loaded) return null
  const pipeline = pipelineOf(loaded, job)
  const commit = commitAt(loaded.commits, pipeline)
  const { project_id: _, ...named } = presentNamed(pipeline)
  return {
    ...presentShared(job, loaded, facts),
    ...presentRun(job, loaded, facts),
    commit: commit ? presentOwn(commit) : null,
    pipeline: { ...named, web_url: pipelineUrl(pipeline, facts) },
  }
}
