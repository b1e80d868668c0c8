/** Running finished jobs again: new rows replace the old ones. */
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { copyGivenVariables } from '../../run_variables/given.ts'
import { jobHooks } from '../hooks.ts'
import type { JobRow } from '../queries.ts'
import { jobs } from '../queries.ts'

/** Options of a new run. */
export interface Again {
  /** The user for whom the new jobs run; by default the user of the old ones. */
  readonly userId?: number | undefined
  /** Is it an automatic retry by the job's own `retry:`, which is counted? */
  readonly isAutomatic?: boolean | undefined
  /** Are variables that a user gave the old jobs copied to the new ones? Default: yes. */
  readonly keepsVariables?: boolean | undefined
}

/** The columns that a new row copies. */
const copied = [
  'project_id',
  'pipeline_id',
  'kind',
  'name',
  'stage',
  'stage_position',
  '"when"',
  'allow_failure',
  'scheduling',
  'interruptible',
  'protected',
  'tags',
  'environment_id',
  'environment',
  'resource_group_id',
  'timeout',
  'options',
  'variables',
] as const

/**
 * Creates a new job for each of these that is over and has not been replaced, with its needs and the variables that were given
 * to it, and marks the old ones as retried. Of two concurrent callers, the later gets none. `ctx.db` is a transaction.
 */
export async function cloneJobs(ctx: Context, ids: readonly number[], again: Again = {}): Promise<JobRow[]> {
  const { db, now } = ctx
  const { userId, isAutomatic = false, keepsVariables = true } = again
  const replaced = await db
    .updateTable('jobs')
    .set({ retried: true, updated_at: now })
    .where('id', '=', anyOf(ids))
    .where('retried', '=', false)
    .where('status', 'in', ['success', 'failed', 'canceled'])
    .returning('id')
    .execute()
  if (replaced.length === 0) return []
  const old = replaced.map(({ id }) => id)
  const columns = sql.raw(copied.join(', '))
  const retries: RawBuilder<number> = isAutomatic ? sql`retries + 1` : sql`0`
  const { rows } = await sql<{ id: number; old: number }>`
    with made as (
      insert into jobs (${columns}, user_id, retries, created_at, updated_at)
      select ${columns}, coalesce(${userId ?? null}::bigint, user_id), ${retries}, ${now}::timestamptz, ${now}::timestamptz
        from jobs where id = any(${old}::bigint[]) order by stage_position, id
      returning id, pipeline_id, name
    )
    select made.id, jobs.id as old from made join jobs on jobs.pipeline_id = made.pipeline_id and jobs.name = made.name
     where jobs.id = any(${old}::bigint[])`.execute(db)
  const pairs = sql`unnest(${rows.map(row => row.old)}::bigint[], ${rows.map(row => row.id)}::bigint[]) as pairs(old, new)`
  await sql`
    insert into job_needs (job_id, pipeline_id, name, artifacts, optional)
    select pairs.new, n.pipeline_id, n.name, n.artifacts, n.optional from ${pairs} join job_needs n on n.job_id = pairs.old`.execute(db)
  if (keepsVariables) await copyGivenVariables(db, pairs, now)
  const made = rows.map(({ id }) => id)
  await jobHooks.value.onCreated(ctx, made)
  return jobs(db).where('id', '=', anyOf(made)).orderBy('id').execute()
}
