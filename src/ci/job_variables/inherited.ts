/** Variables that earlier jobs left in their `dotenv` reports. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import type { JobRow } from '../jobs/queries.ts'
import { type GivenVariable, RUN_VALUE_PURPOSE } from '../run_variables/given.ts'

/** May the job download artifacts of other jobs? Not in the first stage, nor if `dependencies` is empty. Pure. */
export const mayHaveDependencies = ({ scheduling, stage_position, options }: Pick<JobRow, 'scheduling' | 'stage_position' | 'options'>) =>
  options.dependencies?.length !== 0 && (scheduling === 'dag' || stage_position > 0)

/**
 * Does the row of `jobs` belong to the same pipeline, and does this job download its artifacts: a job that it needs with them, or one of
 * an earlier stage that its `dependencies` allow?
 */
export const isDependencyOf = (
  job: Pick<JobRow, 'id' | 'pipeline_id' | 'scheduling' | 'stage_position' | 'options'>,
): RawBuilder<boolean> => {
  const before =
    job.scheduling === 'dag'
      ? sql`jobs.name = any(array(select n.name from job_needs n where n.job_id = ${job.id} and n.artifacts))`
      : sql`jobs.stage_position < ${job.stage_position}`
  const { dependencies } = job.options
  const named = dependencies === undefined ? sql`` : sql` and jobs.name = any(${dependencies}::text[])`
  return sql`(jobs.pipeline_id = ${job.pipeline_id} and not jobs.retried and ${before}${named})`
}

/**
 * The `dotenv` variables of the jobs whose artifacts a job downloads: those of its own pipeline in their order, then those
 * `elsewhere`, by their ids. One statement.
 */
export async function inheritedVariables(
  db: Db,
  { secrets }: Deps,
  job: JobRow,
  elsewhere: readonly number[] = [],
): Promise<GivenVariable[]> {
  const { rows } = await sql<{ key: string; value: string }>`
    select v.key, v.value from jobs join run_variables v on v.job_id = jobs.id and v.source = 'dotenv'
     where ${isDependencyOf(job)} or jobs.id = any(${elsewhere}::bigint[])
     order by jobs.pipeline_id <> ${job.pipeline_id}, jobs.stage_position, jobs.id, v.id`.execute(db)
  return rows.map(({ key, value }) => ({ key, value: secrets.decrypt(value, RUN_VALUE_PURPOSE) }))
}

/** What a job has left in its `dotenv` report. One statement. */
export async function variablesLeftBy(db: Db, { secrets }: Deps, job_id: number): Promise<GivenVariable[]> {
  const rows = await db
    .selectFrom('run_variables')
    .select(['key', 'value'])
    .where('job_id', '=', job_id)
    .where('source', '=', 'dotenv')
    .orderBy('id')
    .execute()
  return rows.map(({ key, value }) => ({ key, value: secrets.decrypt(value, RUN_VALUE_PURPOSE) }))
}
