/** Making pipelines: from a wish and a CI file to rows, with the first jobs on their way. */

import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { enqueue } from '../../platform/events/worker.ts'
import type { Commit } from '../../platform/git/objects/commit-object.ts'
import { readCommit } from '../../platform/git/objects/objects.ts'
import { keepAround } from '../../platform/git/refs/kept.ts'
import { shortNameOf } from '../../platform/git/refs/names.ts'
import type { Repository } from '../../platform/git/repository.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { Plan, PlanResult, SubjectVariable } from '../config/plan.ts'
import { planFrom } from '../config/plan_from.ts'
import { ciFileOf, sourcesFor } from '../config/sources.ts'
import { shortName, variablesForPlan } from '../job_variables/for_plan.ts'
import { processJobs } from '../pipeline_processing/process.ts'
import { type PipelineRow, pipelineAskedForAs, pipelineById } from '../pipelines/queries.ts'
import { rightsOnRef } from '../pipelines/ref_rights.ts'
import { changedIn } from './changes.ts'
import type { Granted, PipelineInput } from './input.ts'
import { insertPlannedJobs, insertRequestedPipeline } from './rows.ts'

export type { PipelineInput } from './input.ts'

/**
 * Makes a pipeline; its first jobs wait for runners when it is there. With or without a transaction as `ctx.db`.
 * @throws Refusal 400 with what stands against it under `base`: rights, a missing or wrong CI file, nothing to run
 */
export async function createPipeline(ctx: Context, project: ProjectWithRole, wish: PipelineInput): Promise<PipelineRow> {
  const granted = await grantPipeline(ctx, project, wish)
  if (granted.kind === 'refused') throw invalid({ base: [...granted.errors] })
  return granted.pipeline
}

/** The same for those who go on either way. */
export async function grantPipeline(ctx: Context, project: ProjectWithRole, wish: PipelineInput): Promise<Granted> {
  const before = wish.requestKey === undefined ? undefined : await pipelineAskedForAs(ctx.db, wish.requestKey)
  if (before) return { kind: 'made', pipeline: before }
  const keys = (wish.variables ?? []).map(({ key }) => key)
  if (new Set(keys).size < keys.length)
    return refused(`Variables have duplicate values (${keys.find((key, index) => keys.indexOf(key) < index)})`)
  const rights = await rightsOnRef(ctx, project, wish.ref)
  if (rights.refusal !== undefined) return refused(rights.refusal)
  const repository = await findRepository(ctx.deps.storages, project)
  const commit = repository && (await readCommit(repository, wish.sha))
  if (!repository || !commit) return refused('Reference not found')
  const text = wish.config ?? (await ciFileOf(ctx, project, wish.sha))?.text
  if (text === undefined) return refused('Missing CI config file')
  const variables = await variablesForPlan(ctx, project, { ...wish, protected: rights.isProtected })
  const result = await planOf(ctx, { project, repository, wish, text, variables })
  if (result.kind === 'nothing')
    return refused(result.reason === 'workflow' ? 'Pipeline filtered out by workflow rules.' : 'No stages / jobs for this pipeline.')
  if (result.kind === 'invalid' && !wish.quietly) return refused(...result.errors)
  await keepAround(repository, [wish.sha])
  return withTransaction(ctx, async within => {
    const facts = { isProtected: rights.isProtected, committedAt: commit.committer.date }
    const id =
      result.kind === 'plan'
        ? await insertPlanned(within, project, wish, { ...facts, plan: result.plan, variables })
        : await insertRequestedPipeline(within, project, wish, { ...facts, status: 'failed', yaml_errors: result.errors.join(', ') })
    if (result.kind === 'plan') await processJobs(within, id)
    else await tellOf(within, project, id, 'failed')
    return { kind: 'made', pipeline: (await pipelineById(within.db, id)) as PipelineRow }
  })
}

/** Keeps that there is a pipeline which nobody wanted to run (`[skip ci]`), for those who ask for one before they merge. */
export async function skipPipeline(ctx: Context, project: ProjectWithRole, wish: PipelineInput, commit: Commit): Promise<void> {
  if (wish.requestKey !== undefined && (await pipelineAskedForAs(ctx.db, wish.requestKey))) return
  const rights = await rightsOnRef(ctx, project, wish.ref)
  if (rights.refusal !== undefined || (await ciFileOf(ctx, project, wish.sha)) === undefined) return
  await withTransaction(ctx, async within => {
    const facts = { isProtected: rights.isProtected, committedAt: commit.committer.date, status: 'skipped' as const }
    await tellOf(within, project, await insertRequestedPipeline(within, project, wish, facts), 'skipped')
  })
}

const refused = (...errors: readonly string[]): Granted => ({ kind: 'refused', errors })

const withTransaction = <T>(ctx: Context, work: (within: Context) => Promise<T>): Promise<T> =>
  ctx.db.isTransaction ? work(ctx) : transact(ctx.db, (db: Db) => work({ ...ctx, db }))

/** What a plan is made of. */
interface Planning {
  readonly project: ProjectWithRole
  readonly repository: Repository
  readonly wish: PipelineInput
  readonly text: string
  readonly variables: readonly SubjectVariable[]
}

async function planOf(ctx: Context, { project, repository, wish, text, variables }: Planning): Promise<PlanResult> {
  const sources = sourcesFor(ctx, project, wish.sha)
  const short = shortNameOf(wish.ref)
  return planFrom(
    text,
    {
      source: wish.source,
      ref: shortName(wish.ref),
      ref_type: wish.merge_request_id !== undefined ? 'merge_request' : (short?.kind ?? 'branch'),
      project_path: project.full_path,
      variables,
      changedPaths: () => changedIn(ctx, repository, wish),
      files: () => sources.files(),
    },
    sources,
  )
}

interface Planned {
  readonly isProtected: boolean
  readonly committedAt: string
  readonly plan: Plan
  readonly variables: readonly SubjectVariable[]
}

async function insertPlanned(ctx: Context, project: ProjectWithRole, wish: PipelineInput, planned: Planned): Promise<number> {
  const { plan, variables, isProtected } = planned
  const pipelineId = await insertRequestedPipeline(ctx, project, wish, { ...planned, stages: plan.stages })
  await insertPlannedJobs(ctx, { project, pipelineId, isProtected, variables }, plan)
  if (project.auto_cancel_pending_pipelines === 'enabled' && wish.upstream === undefined)
    await enqueue(ctx.db, 'cancel_redundant_pipelines', { pipeline_id: pipelineId })
  return pipelineId
}

const tellOf = ({ db, actor }: Context, { id }: ProjectWithRole, pipeline_id: number, status: string): Promise<void> =>
  recordEvent(db, { kind: 'pipeline.updated', payload: { pipeline_id, status }, actorId: actor.user?.id, projectId: id })
