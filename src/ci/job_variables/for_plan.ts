/** The variables that rules see, while a pipeline is no more than a wish. */
import { strongest } from '../../platform/expansion/expand.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'
import type { PipelineSource, SubjectVariable } from '../config/plan.ts'
import { type GivenVariable, givenVariables } from '../run_variables/given.ts'
import { variablesForJob } from '../variables/effective.ts'
import { factsAbout, type ProjectOf } from './facts.ts'
import { predefinedFrom } from './predefined.ts'

/** The pipeline that is to be. */
export interface RequestedPipeline {
  readonly source: PipelineSource
  /** Full name: `refs/heads/…`, `refs/tags/…`, `refs/merge-requests/1/head`. */
  readonly ref: string
  readonly sha: string
  readonly before_sha?: string | null | undefined
  /** Is the branch or tag protected? */
  readonly protected: boolean
  /** `predefined`: for a caller who may not run the pipeline, and so is not to learn what is set. Default: `all`. */
  readonly known?: 'all' | 'predefined' | undefined
  /** Its number, if it has one already. */
  readonly iid?: number | undefined
  readonly variables?: readonly GivenVariable[] | undefined
  readonly merge_request_id?: number | null | undefined
  readonly schedule_id?: number | null | undefined
  readonly trigger_id?: number | null | undefined
}

/** A branch's or tag's short name; other references by their whole name. */
export const shortName = (ref: string): string => ref.replace(/^refs\/(heads|tags)\//, '')

/**
 * What `rules` and `workflow` see: predefined, of the instance, the groups and the project, and given; one a key, not expanded. The
 * pipeline is the actor's. A fixed number of statements.
 */
export async function variablesForPlan(ctx: Context, project: ProjectOf, wish: RequestedPipeline): Promise<SubjectVariable[]> {
  const facts = await factsAbout(ctx, project, {
    ...wish,
    ref: shortName(wish.ref),
    tag: wish.ref.startsWith('refs/tags/'),
    before_sha: wish.before_sha ?? null,
    merge_request_id: wish.merge_request_id ?? null,
    triggered: wish.trigger_id !== undefined && wish.trigger_id !== null,
    user_id: ctx.actor.user?.id ?? null,
  })
  if (wish.known === 'predefined') return planVariables(predefinedFrom(facts))
  const set = await variablesForJob(ctx, {
    projectId: project.id,
    groupIds: project.namespace_traversal_ids,
    environment: undefined,
    isProtected: wish.protected,
  })
  const scheduled = wish.schedule_id ? await givenVariables(ctx.db, ctx.deps, { scheduleId: wish.schedule_id }) : []
  return planVariables([...predefinedFrom(facts), ...set, ...(wish.variables ?? []), ...scheduled])
}

type Found = Omit<SubjectVariable, 'value'> & { readonly value: string | Secret }

const planVariables = (weakestFirst: readonly Found[]): SubjectVariable[] =>
  strongest(weakestFirst).map(({ key, value, raw = false }) => ({ key, value: Secret.of(value), raw }))
