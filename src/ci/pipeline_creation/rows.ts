/** Inserts the rows of a new pipeline: a fixed number of statements, however many jobs it has. */
import { mapInSlices } from '../../platform/kernel/answer/time_slicing.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { nextIid } from '../../spaces/places/iids.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { Plan, PlannedJob, SubjectVariable } from '../config/index.ts'
import { expanderWith } from '../job_variables/expand_secret.ts'
import { shortName } from '../job_variables/for_plan.ts'
import { jobHooks } from '../jobs/hooks.ts'
import { insertJobs, insertNeeds, type Need } from '../jobs/insert.ts'
import { insertPipeline } from '../pipelines/commands.ts'
import { resourceGroupsFor } from '../resource_groups/assign.ts'
import { type GivenVariable, insertRunVariables } from '../run_variables/given.ts'
import type { PipelineInput } from './input.ts'

/** Columns of a new pipeline besides its input. */
export interface PipelineFacts {
  readonly isProtected: boolean
  readonly committedAt: string
  readonly stages?: readonly string[]
  readonly status?: 'created' | 'failed' | 'skipped'
  readonly yaml_errors?: string
  /** The variables of its schedule, which it keeps: what is changed there later is for later pipelines. */
  readonly scheduled?: readonly GivenVariable[]
}

/** Inserts the pipeline itself, with its given variables. `ctx.db` is a transaction. */
export async function insertRequestedPipeline(
  ctx: Context,
  project: ProjectWithRole,
  input: PipelineInput,
  facts: PipelineFacts,
): Promise<number> {
  const { db, actor, now } = ctx
  const { status = 'created', yaml_errors } = facts
  const columns = {
    project_id: project.id,
    user_id: actor.user?.id ?? null,
    ref: shortName(input.ref),
    tag: input.ref.startsWith('refs/tags/'),
    sha: input.sha,
    before_sha: input.before_sha ?? null,
    source: input.source,
    status,
    yaml_errors: yaml_errors ?? null,
    failure_reason: yaml_errors === undefined ? null : ('config_error' as const),
    protected: facts.isProtected,
    // Contract: artifacts are kept until a later pipeline of the reference succeeds (`keep_latest_artifact`, public behaviour at 14.0).
    locked: true,
    merge_request_id: input.merge_request_id ?? null,
    schedule_id: input.schedule_id ?? null,
    trigger_id: input.trigger_id ?? null,
    upstream_job_id: input.upstream?.job_id ?? null,
    parent_id: input.upstream?.isChild ? input.upstream.pipeline_id : null,
    stages: [...(facts.stages ?? [])],
    committed_at: facts.committedAt,
    request_key: input.requestKey ?? null,
    finished_at: status === 'created' ? null : now,
    created_at: now,
    updated_at: now,
  }
  const id = await insertPipeline(db, { ...columns, iid: await nextIid(db, { project_id: project.id }, 'pipeline') })
  await insertRunVariables(ctx, { pipeline_id: id }, input.variables ?? [])
  await insertRunVariables(ctx, { pipeline_id: id }, facts.scheduled ?? [], 'schedule')
  return id
}

/** What the jobs of a pipeline have in common. */
export interface JobsOf {
  readonly project: ProjectWithRole
  readonly pipelineId: number
  readonly isProtected: boolean
  /** The values that names in jobs refer to. */
  readonly variables: readonly SubjectVariable[]
}

/** Inserts the jobs of a plan and their needs. `ctx.db` is a transaction. */
export async function insertPlannedJobs(ctx: Context, of: JobsOf, plan: Plan): Promise<void> {
  const { db } = ctx
  const { project, pipelineId, isProtected } = of
  const rows = await mapInSlices(plan.jobs, (job, position) => rowOf(job, position, of))
  const groups = await resourceGroupsFor(
    db,
    project.id,
    rows.flatMap(({ resource_group }) => resource_group ?? []),
  )
  const made = await insertJobs(
    ctx,
    { projectId: project.id, pipelineId, isProtected },
    rows.map(({ resource_group, ...row }) => ({
      ...row,
      resource_group_id: resource_group === undefined ? null : groups.get(resource_group),
    })),
  )
  await insertNeeds(db, pipelineId, needsOf(plan.jobs, new Map(made.map(({ id, name }) => [name, id]))))
  if (rows.some(({ environment }) => environment !== undefined))
    await jobHooks.value.onCreated(
      ctx,
      made.map(({ id }) => id),
    )
}

function rowOf(job: PlannedJob, position: number, { project, variables }: JobsOf) {
  const { needs, tags, resource_group, timeout, options, ...columns } = job
  const { published } = expanderWith([
    ...job.variables,
    { key: 'CI_JOB_NAME', value: job.name, raw: true },
    { key: 'CI_JOB_STAGE', value: job.stage, raw: true },
    ...variables,
  ])
  const environment = options.environment && published(options.environment.name)
  return {
    ...columns,
    position,
    scheduling: needs === undefined ? 'stage' : 'dag',
    tags: tags.map(published),
    environment,
    resource_group: resource_group === undefined ? undefined : published(resource_group) || undefined,
    timeout: timeout ?? project.build_timeout,
    options,
  }
}

/** Drops optional needs of jobs that are not in the plan. */
const needsOf = (jobs: readonly PlannedJob[], ids: ReadonlyMap<string, number>): Need[] =>
  jobs.flatMap(({ name, needs = [] }) =>
    needs.filter(need => ids.has(need.name)).map(need => ({ ...need, job_id: ids.get(name) as number })),
  )
