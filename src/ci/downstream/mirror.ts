/** Bridges that mirror the status of another project's latest pipeline (`needs: pipeline`). */
import { allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { expanderWith } from '../job_variables/expand_secret.ts'
import { runnerVariablesOf } from '../job_variables/for_job.ts'
import type { JobRow } from '../jobs/queries.ts'
import { type PipelineRow, pipelines } from '../pipelines/queries.ts'

/** The project that a bridge mirrors, as the CI file names it; undefined for a bridge that starts a pipeline. */
export function mirroredProject({ options }: Pick<JobRow, 'options'>): string | undefined {
  const need = (options.other_needs ?? []).find(other => 'upstream_pipeline' in other)
  return options.trigger === undefined ? need?.upstream_pipeline : undefined
}

/** The newest pipeline of the default branch there; undefined if there is none that the actor may see. */
export async function mirroredPipeline(ctx: Context, bridge: JobRow, project: string): Promise<PipelineRow | undefined> {
  const found = await visibleProject(ctx.db, ctx.actor, expanderWith(await runnerVariablesOf(ctx, bridge)).published(project))
  if (!found || found.default_branch === null || allows(ctx.actor, 'read_pipeline', projectSubject(found)) !== 'yes') return undefined
  return pipelines(ctx.db)
    .where('pipelines.project_id', '=', found.id)
    .where('pipelines.ref', '=', found.default_branch)
    .where('pipelines.tag', '=', false)
    .where('pipelines.parent_id', 'is', null)
    .orderBy('pipelines.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
