/** Variables that users gave a pipeline, schedule or job, and that jobs left for later ones: the rows of `run_variables`. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'

/** The associated data of the encryption of values. */
export const RUN_VALUE_PURPOSE = 'run_variables.value'

/** A variable with its secret value. */
export interface GivenVariable {
  readonly key: string
  readonly value: Secret
  readonly variable_type?: 'env_var' | 'file' | undefined
  readonly raw?: boolean | undefined
}

/** A variable as a request contains it. */
export type WrittenVariable = Omit<GivenVariable, 'value'> & { readonly value: string }

/** Wraps the value of a request's variable as a secret. */
export const given = ({ value, ...variable }: WrittenVariable): GivenVariable => ({ ...variable, value: new Secret(value) })

/** The owner of given variables. */
export type GivenTo = { readonly pipelineId: number } | { readonly scheduleId: number } | { readonly jobId: number }

/** Stores variables, encrypted. The owner must not have the keys yet; one statement, none if there are no variables. */
export async function insertRunVariables(
  { db, deps, now }: Pick<Context, 'db' | 'deps' | 'now'>,
  to: { readonly pipeline_id: number } | { readonly schedule_id: number } | { readonly job_id: number },
  variables: readonly GivenVariable[],
  source: 'given' | 'dotenv' | 'schedule' = 'given',
): Promise<void> {
  if (variables.length === 0) return
  await db
    .insertInto('run_variables')
    .values(
      variables.map(({ key, value, variable_type = 'env_var', raw = false }) => ({
        ...to,
        key,
        value: deps.secrets.encrypt(value, RUN_VALUE_PURPOSE),
        variable_type,
        raw,
        source,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute()
}

/** Copies the given variables of retried jobs to their new jobs: by pairs `old` and `new` of ids, a table expression. */
export const copyGivenVariables = (db: Db, pairs: RawBuilder<unknown>, now: Date) =>
  sql`
    insert into run_variables (job_id, key, value, variable_type, raw, source, created_at, updated_at)
    select pairs.new, v.key, v.value, v.variable_type, v.raw, v.source, ${now}::timestamptz, ${now}::timestamptz
      from ${pairs} join run_variables v on v.job_id = pairs.old and v.source = 'given'`.execute(db)

/** Changes the value or the type of a variable; returns its row. */
export const changeVariable = (
  { db, deps, now }: Pick<Context, 'db' | 'deps' | 'now'>,
  id: number,
  { value, variable_type }: Partial<Pick<WrittenVariable, 'value' | 'variable_type'>>,
) =>
  db
    .updateTable('run_variables')
    .set({
      ...(value !== undefined && { value: deps.secrets.encrypt(value, RUN_VALUE_PURPOSE) }),
      ...(variable_type !== undefined && { variable_type }),
      updated_at: now,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Removes a variable. */
export const removeVariable = (db: Db, id: number) => db.deleteFrom('run_variables').where('id', '=', id).execute()

const givenTo = compiled((db, pipelineId: number, scheduleId: number, jobId: number) =>
  db
    .selectFrom('run_variables')
    .select(['key', 'value', 'variable_type', 'raw'])
    .where(({ or, eb }) => or([eb('pipeline_id', '=', pipelineId), eb('schedule_id', '=', scheduleId), eb('job_id', '=', jobId)]))
    .where('source', '=', 'given')
    .orderBy('id'),
)

/** The variables that a pipeline, a schedule or a job was given itself. One statement. */
export async function givenVariables(db: Db, { secrets }: Deps, to: GivenTo): Promise<GivenVariable[]> {
  const { pipelineId = 0, scheduleId = 0, jobId = 0 }: { pipelineId?: number; scheduleId?: number; jobId?: number } = to
  const rows = await givenTo(db, pipelineId, scheduleId, jobId)
  return rows.map(({ value, ...row }) => ({ ...row, value: secrets.decrypt(value, RUN_VALUE_PURPOSE) }))
}

const givenToJobs = compiled((db, pipelineId: number, jobIds: readonly number[]) =>
  db
    .selectFrom('run_variables')
    .select(['key', 'value', 'variable_type', 'raw', 'job_id'])
    .where(({ or, eb, and }) =>
      or([eb('pipeline_id', '=', pipelineId), and([eb('job_id', '=', anyOf(jobIds)), eb('source', '=', 'given')])]),
    )
    .orderBy(sql`case when job_id is not null then 2 when source = 'schedule' then 1 else 0 end`)
    .orderBy('id'),
)

/**
 * The variables given to each of several jobs of a pipeline, weakest first: those of the pipeline, those that its schedule had when it was made, and
 * its own. One statement.
 */
export async function givenVariablesOfJobs(
  db: Db,
  { secrets }: Deps,
  pipelineId: number,
  jobIds: readonly number[],
): Promise<(jobId: number) => GivenVariable[]> {
  const rows = await givenToJobs(db, pipelineId, jobIds)
  const given = rows.map(({ job_id, value, ...row }) => ({
    job_id,
    variable: { ...row, value: secrets.decrypt(value, RUN_VALUE_PURPOSE) },
  }))
  return jobId => given.flatMap(({ job_id, variable }) => (job_id === null || job_id === jobId ? [variable] : []))
}
