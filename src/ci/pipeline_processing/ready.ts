/**
 * What a move can change in a pipeline, without reading all of its jobs: the statuses in each stage are found by stepping
 * through an index, and the jobs that need a job are found by its name.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import { completed, type JobEvent } from '../states.ts'
import { eventByNeeds, eventByStage, isOver, type WaitingJob } from './scheduling.ts'
import { type CountedJob, compositeOf, type Word, wordOf } from './status.ts'

/** The distinct kinds of jobs in a stage. */
export interface StageStatus extends CountedJob {
  readonly stage_position: number
  readonly scheduling: 'stage' | 'dag'
}

/** The kinds of jobs in a pipeline, by stage. One statement, one index step for each kind. */
export async function stageStatusesOf(db: Db, pipelineId: number): Promise<StageStatus[]> {
  const kind = sql`stage_position, status, allow_failure, scheduling`
  const jobs = sql`jobs where pipeline_id = ${pipelineId} and not retried`
  const { rows } = await sql<StageStatus>`${genericPlan}
    with recursive standing(stage_position, status, allow_failure, scheduling) as (
      (select ${kind} from ${jobs} order by ${kind} limit 1)
       union all
      select later.* from standing s cross join lateral (
        select ${kind} from ${jobs} and (${kind}) > (s.stage_position, s.status, s.allow_failure, s.scheduling) order by ${kind} limit 1) later)
    select * from standing`.execute(db)
  return rows
}

/** The status of the pipeline that follows from all of them. Pure. */
export const statusOfStanding = (standing: readonly StageStatus[]) => compositeOf(new Set(standing.map(wordOf)))

/** Takes the notes of jobs that have moved since the last processing. The transaction `db` holds the lock of the pipeline. */
export async function takeMoved(db: Db, pipelineId: number): Promise<number[]> {
  const rows = await db.deleteFrom('unprocessed_jobs').where('pipeline_id', '=', pipelineId).returning('job_id').execute()
  return rows.map(({ job_id }) => job_id)
}

/** By event, the ids of the jobs to move. */
export type Moves = Map<JobEvent, number[]>

/** The moves of the jobs that can start, by stage and by their needs of these moved jobs. Moves that follow from those are not included. */
export async function readyMoves(db: Db, pipelineId: number, standing: readonly StageStatus[], moved: readonly number[]): Promise<Moves> {
  const moves: Moves = new Map()
  const add = (job: WaitingJob, event: JobEvent | undefined) => {
    if (event === undefined) return
    const ids = moves.get(event)
    if (ids) ids.push(job.id)
    else moves.set(event, [job.id])
  }
  const before = beforeStages(standing)
  for (const job of await readyByStage(db, pipelineId, [...before.keys()]))
    add(job, eventByStage(job, compositeOf(before.get(job.stage_position)!)))
  const mayNeed = moved.length > 0 && standing.some(isWaiting('dag'))
  const needy = mayNeed ? await readyByNeed(db, pipelineId, moved) : []
  for (const { needed, ...job } of needy) add(job, eventByNeeds(job, needed))
  return moves
}

const isWaiting = (how: StageStatus['scheduling']) => (each: StageStatus) => each.status === 'created' && each.scheduling === how

/** The stages with waiting jobs whose earlier stages are finished, with the combined status of the earlier ones. Pure. */
export function beforeStages(standing: readonly StageStatus[]): ReadonlyMap<number, ReadonlySet<Word>> {
  const stages = [...Map.groupBy(standing, each => each.stage_position)].sort(([a], [b]) => a - b)
  const found = new Map<number, ReadonlySet<Word>>()
  const before = new Set<Word>()
  for (const [position, here] of stages) {
    if (!isOver(before)) break
    if (here.some(isWaiting('stage'))) found.set(position, new Set(before))
    for (const each of here) before.add(wordOf(each))
  }
  return found
}

const columns = sql`jobs.id, jobs.name, jobs.stage_position, jobs.status, jobs."when", jobs.allow_failure, jobs.scheduling, jobs.resource_group_id`

/** The waiting jobs of stages that can start: each of them moves. */
async function readyByStage(db: Db, pipelineId: number, stages: readonly number[]): Promise<WaitingJob[]> {
  if (stages.length === 0) return []
  const { rows } = await sql<WaitingJob>`
    select ${columns} from jobs
     where pipeline_id = ${pipelineId} and stage_position = ${anyOf(stages)} and status = 'created' and scheduling = 'stage' and not retried
     order by stage_position, id`.execute(db)
  return rows
}

/** Is the job `need` finished, so that no job waits for it any more? */
const needIsOver: RawBuilder<boolean> = sql`(need.status in (${sql.join(completed.map(status => sql.lit(status)))})
  or need.status = 'manual' and need.allow_failure)`

/** The waiting jobs, among the moved ones and those that need them, whose needs are all finished; with these needs. */
async function readyByNeed(db: Db, pipelineId: number, moved: readonly number[]): Promise<(WaitingJob & { needed: CountedJob[] })[]> {
  // `is not true` keeps the planner off the index of statuses, which holds no names, as long as there are no statistics.
  const needs = sql`job_needs n join jobs need on need.pipeline_id = n.pipeline_id and need.name = n.name and need.retried is not true
    where n.job_id = jobs.id`
  const { rows } = await sql<WaitingJob & { needed: CountedJob[] }>`
    with touched(id) as materialized (
      select unnest(${moved}::bigint[])
       union
      select n.job_id from jobs m join job_needs n on n.pipeline_id = m.pipeline_id and n.name = m.name where m.id = ${anyOf(moved)})
    select ${columns}, (select coalesce(jsonb_agg(distinct jsonb_build_object('status', need.status, 'allow_failure', need.allow_failure)), '[]')
                          from ${needs}) as needed
      from touched cross join lateral (
        select * from jobs where jobs.id = touched.id and jobs.pipeline_id = ${pipelineId} offset 0) jobs
     where jobs.status = 'created' and jobs.scheduling = 'dag' and not jobs.retried
           and not exists (select from ${needs} and not ${needIsOver})
     order by jobs.stage_position, jobs.id`.execute(db)
  return rows
}
