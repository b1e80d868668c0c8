/** Creates pipelines: from an input and a CI file to rows, with the first jobs started. */

import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { type Commit, keepAround, type Repository, readCommit, shortNameOf } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { workFor } from '../../platform/kernel/request/bounds/holder.ts'
import { holderOf } from '../../platform/kernel/request/rate_limit.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { hasCluster } from '../clusters/queries.ts'
import { ciFileOf, type Plan, type PlanResult, planFrom, type SubjectVariable, sourcesFor } from '../config/index.ts'
import { shortName, variablesForPlan } from '../job_variables/for_plan.ts'
import { processJobs } from '../pipeline_processing/process.ts'
import { type PipelineRow, pipelineById, pipelineByRequestKey } from '../pipelines/queries.ts'
import { maySetVariables, type RefRights, rightsOnRef, rightsOnRefOf, VARIABLES_REFUSED } from '../pipelines/rights/ref_rights.ts'
import { type GivenVariable, givenVariables } from '../run_variables/given.ts'
import { changedIn } from './changes.ts'
import type { PipelineInput, PipelineResult } from './input.ts'
import { insertPlannedJobs, insertRequestedPipeline } from './rows.ts'

export type { PipelineInput } from './input.ts'

/**
 * Creates a pipeline and starts its first jobs. With or without a transaction as `ctx.db`.
 * @throws Refusal 400 with the reason under `base`: missing rights, a missing or invalid CI file, no jobs to run
 */
export async function createPipeline(ctx: Context, project: ProjectWithRole, input: PipelineInput): Promise<PipelineRow> {
  const granted = await tryCreatePipeline(ctx, project, input)
  if (granted.kind === 'refused') throw invalid({ base: [...granted.errors] })
  return granted.pipeline
}

/** The same for callers that handle a refusal themselves. */
export async function tryCreatePipeline(ctx: Context, project: ProjectWithRole, input: PipelineInput): Promise<PipelineResult> {
  for (let attempt = 1; ; attempt++) {
    const prepared = await preparePipeline(ctx, project, input)
    if (prepared.kind !== 'planned') return prepared
    const granted = await withTransaction(ctx, prepared.insert)
    if (granted.kind !== 'outdated') return granted
    if (attempt === MOST_PLANS) return refused('The protection of the reference was changed meanwhile')
  }
}

/** How often a pipeline is planned whose reference is protected or opened each time before it is made. */
export const MOST_PLANS = 5

/** A pipeline that is not made yet. */
export interface PreparedPipeline {
  readonly kind: 'planned'
  /**
   * Makes it and starts its first jobs, in a transaction. It is refused where it would be by now: the actor may have lost their role while other servers
   * were waited for. It is outdated where the reference was protected or opened meanwhile, since its variables were those of the other state: nothing was
   * made, and the caller plans again.
   */
  insert(within: Context): Promise<PipelineResult | { readonly kind: 'outdated' }>
}

/** Reads what a pipeline is made from, remote files too, which may take long; for callers that lock something before they make it. */
export async function preparePipeline(
  ctx: Context,
  project: ProjectWithRole,
  input: PipelineInput,
): Promise<PipelineResult | PreparedPipeline> {
  const before = input.requestKey === undefined ? undefined : await pipelineByRequestKey(ctx.db, input.requestKey)
  if (before) return { kind: 'made', pipeline: before }
  const keys = (input.variables ?? []).map(({ key }) => key)
  if (new Set(keys).size < keys.length)
    return refused(`Variables have duplicate values (${keys.find((key, index) => keys.indexOf(key) < index)})`)
  const rights = await rightsOnRefOf(ctx, project, input)
  if (rights.refusal !== undefined) return refused(rights.refusal)
  const scheduled = input.schedule_id === undefined ? [] : await givenVariables(ctx.db, ctx.deps, { scheduleId: input.schedule_id })
  if ((scheduled.length > 0 || hasVariablesOfUser(input)) && !maySetVariables(ctx, project)) return refused(VARIABLES_REFUSED)
  const repository = await findRepository(ctx.deps.storages, project)
  const commit = repository && (await readCommit(repository, input.sha))
  if (!repository || !commit) return refused('Reference not found')
  const text = input.config ?? (await ciFileOf(ctx, project, input.sha))?.text
  if (text === undefined) return refused('Missing CI config file')
  const variables = await variablesForPlan(ctx, project, { ...input, scheduled, protected: rights.isProtected })
  const result = await forActor(ctx, () => planOf(ctx, { project, repository, input, text, variables }))
  if (result.kind === 'nothing')
    return refused(result.reason === 'workflow' ? 'Pipeline filtered out by workflow rules.' : 'No stages / jobs for this pipeline.')
  if (result.kind === 'invalid' && !input.quietly) return refused(...result.errors)
  await keepAround(repository, [input.sha])
  const insert: PreparedPipeline['insert'] = async within => {
    const now = await rightsNow(within, project, input)
    if (now.refusal !== undefined) return refused(now.refusal)
    if (now.isProtected !== rights.isProtected) return { kind: 'outdated' }
    const facts = { isProtected: rights.isProtected, committedAt: commit.committer.date, scheduled }
    const id =
      result.kind === 'plan'
        ? await insertPlanned(within, project, input, { ...facts, plan: result.plan, variables })
        : await insertRequestedPipeline(within, project, input, { ...facts, status: 'failed', yaml_errors: result.errors.join(', ') })
    if (result.kind === 'plan') await processJobs(within, id)
    else await recordCreated(within, project, id, 'failed')
    return { kind: 'made', pipeline: (await pipelineById(within.db, id)) as PipelineRow }
  }
  return { kind: 'planned', insert }
}

/** What the actor may do when the pipeline is made. */
async function rightsNow(ctx: Context, { id }: ProjectWithRole, input: PipelineInput): Promise<RefRights> {
  const project = await visibleProject(ctx.db, ctx.actor, String(id))
  if (project) return rightsOnRefOf(ctx, project, input)
  // One that is gone is not found, as by the next request.
  await ctx.db.selectFrom('projects').select('id').where('id', '=', id).executeTakeFirstOrThrow()
  return { refusal: 'Reference not found' }
}

/**
 * Does the one who asks for the pipeline choose variables of it? Those of a child pipeline are written in the CI file of the same project, and the
 * payload of a trigger names the request.
 */
const hasVariablesOfUser = ({ source, trigger_id, variables = [] }: PipelineInput): boolean =>
  source !== 'parent_pipeline' && variables.some(({ key }) => trigger_id === undefined || key !== 'TRIGGER_PAYLOAD')

/** Records a skipped pipeline (`[skip ci]`), for projects that require a pipeline before a merge. */
export async function skipPipeline(ctx: Context, project: ProjectWithRole, input: PipelineInput, commit: Commit): Promise<void> {
  if (input.requestKey !== undefined && (await pipelineByRequestKey(ctx.db, input.requestKey))) return
  const rights = await rightsOnRef(ctx, project, input.ref)
  if (rights.refusal !== undefined || (await ciFileOf(ctx, project, input.sha)) === undefined) return
  await withTransaction(ctx, async within => {
    const facts = { isProtected: rights.isProtected, committedAt: commit.committer.date, status: 'skipped' as const }
    await recordCreated(within, project, await insertRequestedPipeline(within, project, input, facts), 'skipped')
  })
}

const refused = (...errors: readonly string[]): PipelineResult => ({ kind: 'refused', errors })

const withTransaction = <T>(ctx: Context, work: (within: Context) => Promise<T>): Promise<T> =>
  ctx.db.isTransaction ? work(ctx) : transact(ctx.db, (db: Db) => work({ ...ctx, db }))

/** The input of a plan. */
interface Planning {
  readonly project: ProjectWithRole
  readonly repository: Repository
  readonly input: PipelineInput
  readonly text: string
  readonly variables: readonly SubjectVariable[]
}

/** Slots for long files are held by the user who runs the pipeline, in tasks and for the bearers of trigger tokens too. */
const forActor = <T>({ actor }: Context, work: () => T): T => (actor.user ? workFor(holderOf(actor, ''), work) : work())

async function planOf(ctx: Context, { project, repository, input, text, variables }: Planning): Promise<PlanResult> {
  const sources = sourcesFor(ctx, project, input.sha, input.withoutRemote !== true)
  const short = shortNameOf(input.ref)
  return planFrom(
    text,
    {
      source: input.source,
      ref: shortName(input.ref),
      ref_type: input.merge_request_id !== undefined ? 'merge_request' : (short?.kind ?? 'branch'),
      project_path: project.full_path,
      variables,
      changedPaths: () => changedIn(ctx, repository, input),
      files: () => sources.files(),
      hasCluster: () => hasCluster(ctx.db, project),
    },
    sources,
  )
}

interface Planned {
  readonly isProtected: boolean
  readonly committedAt: string
  readonly scheduled: readonly GivenVariable[]
  readonly plan: Plan
  readonly variables: readonly SubjectVariable[]
}

async function insertPlanned(ctx: Context, project: ProjectWithRole, input: PipelineInput, planned: Planned): Promise<number> {
  const { plan, variables, isProtected } = planned
  const pipelineId = await insertRequestedPipeline(ctx, project, input, { ...planned, stages: plan.stages })
  await insertPlannedJobs(ctx, { project, pipelineId, isProtected, variables }, plan)
  if (project.auto_cancel_pending_pipelines === 'enabled' && input.upstream === undefined)
    await enqueue(ctx.db, 'cancel_redundant_pipelines', { pipeline_id: pipelineId })
  return pipelineId
}

const recordCreated = ({ db, actor }: Context, { id }: ProjectWithRole, pipeline_id: number, status: string): Promise<void> =>
  recordEvent(db, { kind: 'pipeline.updated', payload: { pipeline_id, status }, actorId: actor.user?.id, projectId: id })
