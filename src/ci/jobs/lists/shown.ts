/** The jobs of a pipeline as its page shows them, with what they need: one statement, without their options and variables. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

/** @param limit most jobs that are read */
export const shownJobsOf = (db: Db, pipelineId: number, limit: number) =>
  db
    .selectFrom('jobs')
    .select([
      'id',
      'kind',
      'name',
      'stage',
      'stage_position',
      'status',
      'when',
      'allow_failure',
      'failure_reason',
      'environment',
      'coverage',
      'tags',
      'user_id',
      'target_url',
      'trace_size',
      'scheduled_at',
      'queued_at',
      'started_at',
      'finished_at',
    ])
    // A job of a stage waits for the stages before; one with needs, even none, for those alone.
    .select(
      sql<string[] | null>`case when scheduling = 'dag' then
        array(select job_needs.name from job_needs where job_needs.job_id = jobs.id order by job_needs.name) end`.as('needs'),
    )
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .orderBy('stage_position')
    .orderBy('name')
    .orderBy('id')
    .limit(limit)

export type ShownJob = Awaited<ReturnType<ReturnType<typeof shownJobsOf>['executeTakeFirstOrThrow']>>
