/** Which jobs of a pipeline the caller may run and cancel, beside their role: protected branches, tags and environments decide. */
import type { PipelineRow } from '../../ci/pipelines/queries.ts'
import { refusalOnPipeline } from '../../ci/pipelines/rights/rights.ts'
import { environmentsNamed } from '../../delivery/environments/queries.ts'
import { closedEnvironments } from '../../delivery/protected_environments/rights.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'

/** Why the caller may neither run nor cancel a job, in words; undefined where they may. */
export type WhyClosed = (job: { readonly environment: string | null }) => string | undefined

/** For the jobs of one pipeline: a number of statements that does not follow theirs. */
export async function closedJobs(
  ctx: Context,
  project: ProjectWithRole,
  pipeline: PipelineRow,
  jobs: readonly { readonly environment: string | null }[],
): Promise<WhyClosed> {
  if ((await refusalOnPipeline(ctx, project, pipeline)) !== undefined) {
    const branch = pipeline.protected ? pipeline.ref : 'the source branch'
    return () => `Only who may push to ${branch} or merge into it runs its jobs`
  }
  const names = [...new Set(jobs.flatMap(({ environment }) => environment ?? []))]
  const environments = names.length === 0 ? [] : await environmentsNamed(ctx.db, project.id, names).execute()
  const closed = await closedEnvironments(ctx, project, environments)
  return ({ environment }) =>
    environment !== null && closed.has(environment) ? `${environment} is protected: you may not deploy there` : undefined
}
