/** The variables that rules see while a pipeline is planned. */
import { strongest } from '../../platform/expansion/expand.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'
import type { PipelineSource, SubjectVariable } from '../config/index.ts'
import type { GivenVariable } from '../run_variables/given.ts'
import { variablesForJob } from '../variables/effective.ts'
import { factsAbout, type ProjectOf } from './facts.ts'
import { predefinedFrom } from './predefined.ts'

/** The pipeline that is planned. */
export interface RequestedPipeline {
  readonly source: PipelineSource
  /** Full name: `refs/heads/…`, `refs/tags/…`, `refs/merge-requests/1/head`. */
  readonly ref: string
  readonly sha: string
  readonly before_sha?: string | null | undefined
  /** Is the branch or tag protected? */
  readonly protected: boolean
  /** `predefined`: for a caller who may not run the pipeline, and so must not learn the configured variables. Default: `all`. */
  readonly known?: 'all' | 'predefined' | undefined
  /** Its number, if it has one already. */
  readonly iid?: number | undefined
  readonly variables?: readonly GivenVariable[] | undefined
  readonly merge_request_id?: number | null | undefined
  /** Those of its schedule. */
  readonly scheduled?: readonly GivenVariable[] | undefined
  readonly trigger_id?: number | null | undefined
}

/** A branch's or tag's short name; other references keep their full name. */
export const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')

/**
 * What `rules` and `workflow` see: predefined variables, those of the instance, the groups and the project, and given ones; one per key,
 * not expanded. The pipeline runs as the actor. A fixed number of statements.
 */
export async function variablesForPlan(ctx: Context, project: ProjectOf, input: RequestedPipeline): Promise<SubjectVariable[]> {
  const facts = await factsAbout(ctx, project, {
    ...input,
    ref: shortName(input.ref),
    tag: input.ref.startsWith('refs/tags/'),
    before_sha: input.before_sha ?? null,
    merge_request_id: input.merge_request_id ?? null,
    triggered: input.trigger_id !== undefined && input.trigger_id !== null,
    user_id: ctx.actor.user?.id ?? null,
  })
  if (input.known === 'predefined') return planVariables(predefinedFrom(facts))
  const set = await variablesForJob(ctx, {
    projectId: project.id,
    groupIds: project.namespace_traversal_ids,
    environment: undefined,
    isProtected: input.protected,
  })
  return planVariables([...predefinedFrom(facts), ...set, ...(input.variables ?? []), ...(input.scheduled ?? [])])
}

type Found = Omit<SubjectVariable, 'value'> & { readonly value: string | Secret }

const planVariables = (weakestFirst: readonly Found[]): SubjectVariable[] =>
  strongest(weakestFirst).map(({ key, value, raw = false }) => ({ key, value: Secret.of(value), raw }))
