/** Processes pipelines: moves the jobs that can start, and updates the pipeline's status. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { transact, transactUnflushed } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { type Context, type Deps, systemContext } from '../../platform/kernel/context.ts'
import { moveScheduled } from '../jobs/transitions/move.ts'
import { writeStatus } from '../pipelines/commands.ts'
import type { JobEvent, JobStatus } from '../states.ts'
import { readyMoves, type StageStatus, stageStatusesOf, statusOfStanding, takeMoved } from './ready.ts'
import { scheduleOf, type WaitingJob } from './scheduling.ts'

/** Rounds of dependent moves, after which the rest is computed in one pass: a long chain of jobs that are skipped. */
const ROUNDS = 4

/**
 * Processes the jobs of a pipeline that have moved since the last run. The cost depends on their number, not on the number of all jobs.
 * Idempotent; concurrent calls for a pipeline run one after the other, and the last of them sees all moves.
 */
export async function processPipeline(deps: Deps, { pipeline_id }: { readonly pipeline_id: number }): Promise<void> {
  await transact(deps.database.db, db => processMoved(systemContext(deps, db), pipeline_id, { onlyNoted: false }))
}

/** The same for a caller that was notified of a move: does nothing if it was processed meanwhile. A crash rolls back the notes' removal. */
export async function processNoted(deps: Deps, pipelineId: number): Promise<void> {
  await transactUnflushed(deps.database.db, db => processMoved(systemContext(deps, db), pipelineId, { onlyNoted: true }))
}

async function processMoved(ctx: Context, pipelineId: number, { onlyNoted }: { readonly onlyNoted: boolean }): Promise<void> {
  const { db } = ctx
  // Sent concurrently; the one connection answers in this order.
  const [pipeline, noted, found] = await Promise.all([
    heldPipeline(db, pipelineId),
    takeMoved(db, pipelineId),
    stageStatusesOf(db, pipelineId),
  ])
  if (!pipeline || (onlyNoted && noted.length === 0)) return
  let [moved, standing] = [noted, found]
  for (let round = 0; ; round++) {
    if (round > 0) standing = await stageStatusesOf(db, pipelineId)
    if (standing.length === 0) return
    const moves = await readyMoves(db, pipelineId, standing, moved)
    if (moves.size === 0) return recordStatus(ctx, pipeline, await statusNow(db, pipeline, standing))
    if (round === ROUNDS) return settleAll(ctx, pipeline)
    moved = await makeMoves(ctx, moves)
  }
}

/** Processes a pipeline within the transaction `ctx.db`: a fixed number of statements for each kind of move. */
export async function processJobs(ctx: Context, pipelineId: number): Promise<void> {
  const pipeline = await heldPipeline(ctx.db, pipelineId)
  if (!pipeline) return
  await takeMoved(ctx.db, pipelineId)
  await settleAll(ctx, pipeline)
}

const heldPipeline = (db: Db, id: number) =>
  db.selectFrom('pipelines').select(['id', 'project_id', 'user_id', 'status']).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

type HeldPipeline = NonNullable<Awaited<ReturnType<typeof heldPipeline>>>

/** Applies the moves; returns the jobs that may unblock others. */
async function makeMoves(ctx: Context, moves: ReadonlyMap<JobEvent, readonly number[]>): Promise<number[]> {
  const moved: number[] = []
  for (const [event, ids] of moves) for (const { id } of await moveScheduled(ctx, ids, event)) moved.push(id)
  return moved
}

/** Reads all jobs, and applies all moves in one pass, including those that follow from others. */
async function settleAll(ctx: Context, pipeline: HeldPipeline): Promise<void> {
  const { db } = ctx
  const jobs = (await db
    .selectFrom('jobs')
    .select(['id', 'name', 'stage_position', 'status', 'when', 'allow_failure', 'scheduling', 'resource_group_id'])
    .where('pipeline_id', '=', pipeline.id)
    .where('retried', '=', false)
    .execute()) as WaitingJob[]
  // A pipeline that failed because of its CI file stays failed.
  if (jobs.length === 0) return
  const { moves, status } = scheduleOf(jobs, await needsOf(ctx, jobs))
  await makeMoves(ctx, moves)
  await recordStatus(ctx, pipeline, status === 'pending' ? await statusNow(db, pipeline, await stageStatusesOf(db, pipeline.id)) : status)
}

/**
 * The status that follows from the jobs. A running pipeline would become pending again if the runner of another job is being assigned
 * concurrently: that transaction saw a running pipeline, and so queues no processing (jobs/transitions/move.ts). It is waited for here.
 */
async function statusNow(db: Db, pipeline: HeldPipeline, standing: readonly StageStatus[]): Promise<JobStatus> {
  const status = statusOfStanding(standing)
  if (pipeline.status !== 'running' || status !== 'pending') return status
  await sql`select from jobs where pipeline_id = ${pipeline.id} and status = 'pending' and not retried order by id for share`.execute(db)
  return statusOfStanding(await stageStatusesOf(db, pipeline.id))
}

/** The names of the jobs that the created jobs of the DAG wait for. */
async function needsOf({ db }: Context, jobs: readonly WaitingJob[]): Promise<Map<number, string[]>> {
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

/** Writes the pipeline's status with its timestamps, and records an event; does nothing if the status is unchanged. */
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
  await writeStatus(db, was.id, status, now)
  await recordEvent(db, {
    kind: 'pipeline.updated',
    payload: { pipeline_id: was.id, status },
    actorId: was.user_id ?? undefined,
    projectId: was.project_id,
  })
}
