/** Processing of pipelines: whose turn has come, and what the pipeline's status is. */
import { sql } from 'kysely'
import { anyOf } from '../../db/any.ts'
import { transact } from '../../db/transact.ts'
import { recordEvent } from '../../events/events.ts'
import { type Context, type Deps, outsideRequest } from '../../kernel/context.ts'
import { moveJob } from '../jobs/move.ts'
import { completed, type JobEvent, type JobStatus } from '../jobs/states.ts'
import { statusOf } from './status.ts'

/** A job as processing sees it. */
interface Waiting {
  readonly id: number
  readonly name: string
  readonly stage_position: number
  readonly status: JobStatus
  readonly when: 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed'
  readonly allow_failure: boolean
  readonly scheduling: 'stage' | 'dag'
}

/** Processes a pipeline. Idempotent; two who process one at once do it one after the other. */
export async function processPipeline(deps: Deps, { pipeline_id }: { readonly pipeline_id: number }): Promise<void> {
  await transact(deps.database.db, async db => {
    const ctx = outsideRequest(deps, db)
    const pipeline = await db.selectFrom('pipelines').selectAll().where('id', '=', pipeline_id).forNoKeyUpdate().executeTakeFirst()
    if (!pipeline) return
    await takeTurns(ctx, pipeline_id)
    const jobs = await db
      .selectFrom('jobs')
      .select(['status', 'allow_failure'])
      .where('pipeline_id', '=', pipeline_id)
      .where('retried', '=', false)
      .execute()
    const status = statusOf(jobs)
    if (status === pipeline.status) return
    await db
      .updateTable('pipelines')
      .set({
        status,
        updated_at: ctx.now,
        ...(status === 'running' && pipeline.started_at === null && { started_at: ctx.now }),
        ...(completed.includes(status) && { finished_at: ctx.now }),
      })
      .where('id', '=', pipeline_id)
      .execute()
    await recordEvent(db, {
      kind: 'pipeline.updated',
      payload: { pipeline_id, status },
      actorId: pipeline.user_id ?? undefined,
      projectId: pipeline.project_id,
    })
  })
}

/** Moves those whose turn has come. */
async function takeTurns(ctx: Context, pipelineId: number): Promise<void> {
  const { db } = ctx
  const all = (await db
    .selectFrom('jobs')
    .select(['id', 'name', 'stage_position', 'status', 'when', 'allow_failure', 'scheduling'])
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .orderBy('stage_position')
    .orderBy('id')
    .execute()) as Waiting[]
  const created = all.filter(job => job.status === 'created')
  if (created.length === 0) return
  const needs = await db
    .selectFrom('job_needs')
    .select(['job_id', 'name'])
    .where('job_id', '=', anyOf(created.map(({ id }) => id)))
    .orderBy(sql`job_id, name`)
    .execute()
  const needsOf = Map.groupBy(needs, need => need.job_id)
  const byName = Map.groupBy(all, job => job.name)
  for (const job of created) {
    const before =
      job.scheduling === 'dag'
        ? (needsOf.get(job.id) ?? []).flatMap(({ name }) => byName.get(name) ?? [])
        : all.filter(other => other.stage_position < job.stage_position)
    const event = turnOf(job, before)
    if (event) await moveJob(ctx, job.id, event)
  }
}

/** What a created job does, given those that it waits for. */
function turnOf({ when }: Waiting, before: readonly Waiting[]): JobEvent | undefined {
  const isOver = before.every(({ status, allow_failure }) => completed.includes(status) || (status === 'manual' && allow_failure))
  if (!isOver) return undefined
  const status = statusOf(before)
  const succeeded = status === 'success' || before.length === 0
  if (when === 'always') return 'enqueue'
  if (when === 'on_failure') return status === 'failed' ? 'enqueue' : 'skip'
  if (!succeeded) return 'skip'
  return when === 'manual' ? 'actionize' : when === 'delayed' ? 'schedule' : 'enqueue'
}
