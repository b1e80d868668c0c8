/** Variables that people gave a pipeline, schedule or job, and that jobs left for later ones: the rows of `run_variables`. */
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../platform/db/any.ts'
import { compiled } from '../../platform/db/compiled.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context, Deps } from '../../platform/kernel/context.ts'
import { Secret } from '../../platform/secret.ts'

/** What the encryption of values is bound to. */
export const RUN_VALUE_PURPOSE = 'run_variables.value'

/** A variable as somebody gave it. */
export interface GivenVariable {
  readonly key: string
  readonly value: Secret
  readonly variable_type?: 'env_var' | 'file' | undefined
  readonly raw?: boolean | undefined
}

/** A variable as a request gives it. */
export type WrittenVariable = Omit<GivenVariable, 'value'> & { readonly value: string }

/** The variable of a request, whose value is secret from here on. */
export const given = ({ value, ...variable }: WrittenVariable): GivenVariable => ({ ...variable, value: new Secret(value) })

/** To whom they were given; the later goes before the earlier. */
export interface GivenTo {
  readonly pipelineId?: number | undefined
  readonly scheduleId?: number | null | undefined
  readonly jobId?: number | undefined
}

/** Keeps variables, encrypted. The keys are new to whom they are given to; one statement, none for none. */
export async function insertRunVariables(
  { db, deps, now }: Pick<Context, 'db' | 'deps' | 'now'>,
  to: { readonly pipeline_id: number } | { readonly schedule_id: number } | { readonly job_id: number },
  variables: readonly GivenVariable[],
  source: 'given' | 'dotenv' = 'given',
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

/** Gives jobs that are run again what the jobs before them were given: by pairs `old` and `new` of ids, a table expression. */
export const copyGivenVariables = (db: Db, pairs: RawBuilder<unknown>, now: Date) =>
  sql`
    insert into run_variables (job_id, key, value, variable_type, raw, source, created_at, updated_at)
    select pairs.new, v.key, v.value, v.variable_type, v.raw, v.source, ${now}::timestamptz, ${now}::timestamptz
      from ${pairs} join run_variables v on v.job_id = pairs.old and v.source = 'given'`.execute(db)

/** Changes the value or the type of a variable; answers its row. */
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

/** Takes a variable back. */
export const removeVariable = (db: Db, id: number) => db.deleteFrom('run_variables').where('id', '=', id).execute()

const givenTo = compiled((db, pipelineId: number, scheduleId: number, jobIds: readonly number[]) =>
  db
    .selectFrom('run_variables')
    .select(['key', 'value', 'variable_type', 'raw', 'job_id'])
    .where(({ or, eb, and }) =>
      or([
        eb('pipeline_id', '=', pipelineId),
        eb('schedule_id', '=', scheduleId),
        and([eb('job_id', '=', anyOf(jobIds)), eb('source', '=', 'given')]),
      ]),
    )
    .orderBy(sql`case when pipeline_id is not null then 0 when schedule_id is not null then 1 else 2 end`)
    .orderBy('id'),
)

/** What was given to a pipeline, to the schedule that made it and to a job, weakest first. One statement. */
export async function givenVariables(db: Db, deps: Deps, { jobId, ...to }: GivenTo): Promise<GivenVariable[]> {
  return (await givenVariablesOfJobs(db, deps, to, jobId === undefined ? [] : [jobId]))(jobId)
}

/** The same of several jobs of one pipeline: what was given to each of them. One statement. */
export async function givenVariablesOfJobs(
  db: Db,
  { secrets }: Deps,
  { pipelineId, scheduleId }: Omit<GivenTo, 'jobId'>,
  jobIds: readonly number[],
): Promise<(jobId: number | undefined) => GivenVariable[]> {
  const rows = await givenTo(db, pipelineId ?? 0, scheduleId ?? 0, jobIds)
  const given = rows.map(({ job_id, value, ...row }) => ({
    job_id,
    variable: { ...row, value: secrets.decrypt(value, RUN_VALUE_PURPOSE) },
  }))
  return jobId => given.flatMap(({ job_id, variable }) => (job_id === null || job_id === jobId ? [variable] : []))
}
