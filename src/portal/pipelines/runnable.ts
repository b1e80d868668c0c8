/** Which jobs of a pipeline the caller may run, beside their role: protected branches, tags and environments decide. */
import { fullRefOf, type PipelineRow } from '../../ci/pipelines/queries.ts'
import { runnableRefs } from '../../ci/pipelines/rights/ref_rights.ts'
import { environmentsNamed } from '../../delivery/environments/queries.ts'
import { closedEnvironments } from '../../delivery/protected_environments/rights.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'

/** Why the caller may not run a job, in words, and whether they may cancel it. */
export interface Closed {
  readonly says: string
  readonly mayCancel: boolean
}

/** Undefined where the caller may run the job. */
export type WhyClosed = (job: { readonly environment: string | null }) => Closed | undefined

/** For the jobs of one pipeline: a number of statements that does not follow theirs. */
export async function closedJobs(
  ctx: Context,
  project: ProjectWithRole,
  pipeline: PipelineRow,
  jobs: readonly { readonly environment: string | null }[],
): Promise<WhyClosed> {
  if (pipeline.protected && !(await runnableRefs(ctx, project))(fullRefOf(pipeline)))
    return () => ({ says: `Only who may push to ${pipeline.ref} or merge into it runs its jobs`, mayCancel: false })
  const names = [...new Set(jobs.flatMap(({ environment }) => environment ?? []))]
  const environments = names.length === 0 ? [] : await environmentsNamed(ctx.db, project.id, names).execute()
  const closed = await closedEnvironments(ctx, project, environments)
  return ({ environment }) =>
    environment !== null && closed.has(environment)
      ? { says: `${environment} is protected: you may not deploy there`, mayCancel: true }
      : undefined
}
