/** Which pipeline a bridge starts, and whether its user may start it. */

import { resolveCommits } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { TriggerOption } from '../config/index.ts'
import { type Expander, expanderWith } from '../job_variables/expand_secret.ts'
import { runnerVariablesOf } from '../job_variables/for_job.ts'
import type { JobRow } from '../jobs/queries.ts'
import type { PipelineInput } from '../pipeline_creation/input.ts'
import { fullRefOf, type PipelineRow } from '../pipelines/queries.ts'
import { rightsOnRef } from '../pipelines/rights/ref_rights.ts'
import { type GivenVariable, givenVariables } from '../run_variables/given.ts'
import { ancestorsOf } from './ancestors.ts'
import { childConfig } from './config.ts'

/** The reasons of the API for the failure of a bridge. */
export type BridgeFailure =
  | 'downstream_bridge_project_not_found'
  | 'insufficient_bridge_permissions'
  | 'invalid_bridge_trigger'
  | 'downstream_pipeline_creation_failed'
  | 'reached_max_descendant_pipelines_depth'
  | 'pipeline_loop_detected'

export type Downstream =
  | { readonly failure: BridgeFailure }
  | { readonly failure?: never; readonly project: ProjectWithRole; readonly input: PipelineInput }

/** Maximum depth of child pipelines (public documentation: child pipelines of child pipelines, and no deeper). */
const MOST_DESCENDANTS = 2

/** Maximum length of a chain of pipelines that start one another, in any projects. */
const LONGEST_CHAIN = 20

/** The pipeline that a bridge is to start, or the reason why it cannot. */
export async function downstreamOf(ctx: Context, bridge: JobRow, upstream: PipelineRow): Promise<Downstream> {
  const { trigger } = bridge.options
  if (!trigger) return { failure: 'invalid_bridge_trigger' }
  const ancestors = await ancestorsOf(ctx.db, upstream)
  if (ancestors.length >= LONGEST_CHAIN) return { failure: 'pipeline_loop_detected' }
  const known = expanderWith(await runnerVariablesOf(ctx, bridge))
  const common = {
    variables: await forwarded(ctx, bridge, upstream, trigger, known),
    quietly: true,
    upstream: { job_id: bridge.id, pipeline_id: upstream.id, isChild: trigger.project === undefined },
  }
  if (trigger.project === undefined) {
    const depth = ancestors.filter(({ source }) => source === 'parent_pipeline').length
    if (depth >= MOST_DESCENDANTS) return { failure: 'reached_max_descendant_pipelines_depth' }
    return child(ctx, bridge, upstream, common)
  }
  const path = known.published(trigger.project)
  const project = await visibleProject(ctx.db, ctx.actor, path)
  if (!project) return { failure: 'downstream_bridge_project_not_found' }
  const branch = trigger.branch === undefined ? project.default_branch : known.published(trigger.branch)
  if (project.id === upstream.project_id || branch === null) return { failure: 'invalid_bridge_trigger' }
  if (ancestors.some(({ project_id, ref }) => project_id === project.id && ref === branch)) return { failure: 'pipeline_loop_detected' }
  return elsewhere(ctx, project, branch, common)
}

type Common = Pick<PipelineInput, 'variables' | 'quietly' | 'upstream'>

/** A child pipeline of the same commit. */
async function child(ctx: Context, bridge: JobRow, upstream: PipelineRow, common: Common): Promise<Downstream> {
  const project = await visibleProject(ctx.db, ctx.actor, String(upstream.project_id))
  if (!project) return { failure: 'insufficient_bridge_permissions' }
  const config = await childConfig(ctx, bridge)
  if (config === undefined) return { failure: 'downstream_pipeline_creation_failed' }
  const { sha, before_sha, merge_request_id } = upstream
  return {
    project,
    input: {
      ...common,
      source: 'parent_pipeline',
      ref: fullRefOf(upstream),
      sha,
      config,
      ...(before_sha !== null && { before_sha }),
      ...(merge_request_id !== null && { merge_request_id }),
    },
  }
}

/** A pipeline of a branch or tag of another project. */
async function elsewhere(ctx: Context, project: ProjectWithRole, branch: string, common: Common): Promise<Downstream> {
  const repository = await findRepository(ctx.deps.storages, project)
  const names = [`refs/heads/${branch}`, `refs/tags/${branch}`]
  const commits = repository ? await resolveCommits(repository, names) : []
  const at = commits.findIndex(commit => commit !== undefined)
  const [ref, sha] = [names[at], commits[at]]
  if (ref === undefined || sha === undefined) return { failure: 'downstream_pipeline_creation_failed' }
  if ((await rightsOnRef(ctx, project, ref)).refusal !== undefined) return { failure: 'insufficient_bridge_permissions' }
  return { project, input: { ...common, source: 'pipeline', ref, sha } }
}

/** The variables that a bridge forwards: those of the CI file by default, and those of its pipeline if it asks for them. */
async function forwarded(
  { db, deps }: Context,
  bridge: JobRow,
  upstream: PipelineRow,
  { forward = {} }: TriggerOption,
  { secret }: Expander,
): Promise<GivenVariable[]> {
  const ofFile = forward.yaml_variables === false ? [] : bridge.variables
  const ofPipeline = forward.pipeline_variables ? await givenVariables(db, deps, { pipelineId: upstream.id }) : []
  const all = new Map<string, GivenVariable>()
  for (const { key, value, raw = false } of ofFile) all.set(key, { key, value: raw ? new Secret(value) : secret(value), raw })
  for (const variable of ofPipeline) all.set(variable.key, variable)
  return [...all.values()]
}
