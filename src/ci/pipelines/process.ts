/** Processing of pipelines: whose turn has come, and what the pipeline's status is. */
import { sql } from 'kysely'
import { anyOf } from '../../db/any.ts'
import { transact } from '../../db/transact.ts'
import { recordEvent } from '../../events/events.ts'
import { type Context, type Deps, outsideRequest } from '../../kernel/context.ts'
import { moveJobs } from '../jobs/move.ts'
import { completed, type JobStatus } from '../jobs/states.ts'
import { turnsOf, type Waiting } from './turns.ts'

/** Processes a pipeline. Idempotent; two who process one at once do it one after the other. */
export async function processPipeline(deps: Deps, { pipeline_id }: { readonly pipeline_id: number }): Promise<void> {
  await transact(deps.database.db, db => processJobs(outsideRequest(deps, db), pipeline_id))
}

/** The same within a transaction, `ctx.db`: at most six statements for each kind of move, however many jobs there are. */
export async function processJobs(ctx: Context, pipelineId: number): Promise<void> {
  const { db } = ctx
  const pipeline = await db
    .selectFrom('pipelines')
    .select(['id', 'project_id', 'user_id', 'status', 'finished_at'])
    .where('id', '=', pipelineId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!pipeline) return
  const jobs = (await db
    .selectFrom('jobs')
    .select(['id', 'name', 'stage_position', 'status', 'when', 'allow_failure', 'scheduling', 'resource_group_id'])
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .execute()) as Waiting[]
  // A pipeline that failed by its CI file stays what it is.
  if (jobs.length === 0) return
  const { moves, status } = turnsOf(jobs, await needsOf(ctx, jobs))
  for (const [event, ids] of moves) await moveJobs(ctx, ids, event)
  await recordStatus(ctx, pipeline, status)
}

/** The names that the created jobs of the DAG wait for. */
async function needsOf({ db }: Context, jobs: readonly Waiting[]): Promise<Map<number, string[]>> {
  const waiting = jobs.filter(({ status, scheduling }) => status === 'created' && scheduling === 'dag')
  if (waiting.length === 0) return new Map()
  const rows = await db
    .selectFrom('job_needs')
    .select(['job_id', sql<string[]>`array_agg(name)`.as('names')])
    .where('job_id', '=', anyOf(waiting.map(({ id }) => id)))
    .groupBy('job_id')
    .execute()
  return new Map(rows.map(row => [row.job_id, row.names]))
}

/** Writes the pipeline's status with its instants, and tells of it; nothing where it is what it was. */
async function recordStatus(
  { db, now }: Context,
  was: {
    readonly id: number
    readonly project_id: number
    readonly user_id: number | null
    readonly status: JobStatus
  },
  status: JobStatus,
): Promise<void> {
  if (status === was.status) return
  const isOver = completed.includes(status)
  await db
    .updateTable('pipelines')
    .set({
      status,
      updated_at: now,
      started_at: sql<string>`coalesce(started_at, ${firstStart(was.id)})`,
      queued_duration: sql<number>`coalesce(queued_duration, extract(epoch from ${firstStart(was.id)} - created_at)::integer)`,
      finished_at: isOver ? now : null,
      ...(isOver && { duration: timeRunning(was.id) }),
    })
    .where('id', '=', was.id)
    .execute()
  await recordEvent(db, {
    kind: 'pipeline.updated',
    payload: { pipeline_id: was.id, status },
    actorId: was.user_id ?? undefined,
    projectId: was.project_id,
  })
}

const firstStart = (pipelineId: number) =>
  sql<string>`(select min(started_at) from jobs where pipeline_id = ${pipelineId} and kind <> 'bridge')`

/** Seconds in which any of its jobs ran: what runs at the same time counts once. */
const timeRunning = (pipelineId: number) => sql<number>`(
  select extract(epoch from sum(upper(span) - lower(span)))::integer
    from unnest((
      select range_agg(tstzrange(started_at, greatest(finished_at, started_at)))
        from jobs where pipeline_id = ${pipelineId} and kind <> 'bridge' and not retried and started_at is not null and finished_at is not null
    )) as span)`
