/** Inserts new jobs: those of a plan, and reported statuses of a commit. */
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Jobs } from '../../platform/db/schema.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { JobRow } from './queries.ts'

/** The columns that all jobs of a pipeline share. */
export interface JobsOfPipeline {
  readonly projectId: number
  readonly pipelineId: number
  readonly isProtected: boolean
}

/** The own columns of a new job. */
export interface PlannedRow
  extends Pick<JobRow, 'kind' | 'name' | 'stage' | 'stage_position' | 'when' | 'allow_failure' | 'interruptible' | 'timeout'>,
    Pick<JobRow, 'options' | 'variables'> {
  /** Among the jobs of its pipeline. */
  readonly position: number
  readonly scheduling: string
  readonly tags: readonly string[]
  readonly environment: string | undefined
  readonly resource_group_id: number | null | undefined
}

/** Writes jobs in the order of their `position`: one statement, however many they are. */
export async function insertJobs(
  { db, actor, now }: Context,
  { projectId, pipelineId, isProtected }: JobsOfPipeline,
  planned: readonly PlannedRow[],
): Promise<{ id: number; name: string }[]> {
  // One JSON parameter: twenty parameters for each of a thousand jobs take longer to bind than to insert.
  const { rows } = await sql<{ id: number; name: string }>`
    insert into jobs (project_id, pipeline_id, user_id, protected, created_at, updated_at, kind, name, stage, stage_position, "when",
                      allow_failure, scheduling, interruptible, tags, environment, resource_group_id, timeout, options, variables)
    select ${projectId}::bigint, ${pipelineId}::bigint, ${actor.user?.id ?? null}::bigint, ${isProtected}::boolean, ${now}::timestamptz,
           ${now}::timestamptz, kind, name, stage, stage_position, "when", allow_failure, scheduling, interruptible, tags, environment,
           resource_group_id, timeout, options, variables
      from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as planned (position integer, kind text, name text, stage text, stage_position integer,
           "when" text, allow_failure boolean, scheduling text, interruptible boolean, tags text[], environment text,
           resource_group_id bigint, timeout integer, options jsonb, variables jsonb)
     order by position
    returning id, name`.execute(db)
  return rows
}

/** A need of a job for another one of its pipeline. */
export interface Need {
  readonly job_id: number
  readonly name: string
  readonly artifacts: boolean
  readonly optional: boolean
}

/** Inserts the needs of jobs of a pipeline: one statement, none if there are none. */
export async function insertNeeds(db: Db, pipelineId: number, needs: readonly Need[]): Promise<void> {
  if (needs.length === 0) return
  await sql`
    insert into job_needs (job_id, pipeline_id, name, artifacts, optional)
    select job_id, ${pipelineId}, name, artifacts, optional
      from jsonb_to_recordset(${JSON.stringify(needs)}::jsonb) as planned (job_id bigint, name text, artifacts boolean, optional boolean)
        on conflict do nothing`.execute(db)
}

/** The key of a reported status: its pipeline and its name. */
export interface ExternalStatus {
  readonly project_id: number
  readonly pipeline_id: number
  readonly name: string
  readonly stage: string
  readonly stage_position: number
  /** For whom it is; the actor unless given. */
  readonly user_id?: number | null
}

/** Inserts a reported status that replaces those of its name; returns its id. */
export async function insertExternalStatus(
  { db, actor, now }: Context,
  { project_id, pipeline_id, name, user_id = actor.user?.id ?? null, ...stage }: ExternalStatus,
): Promise<number> {
  await db
    .updateTable('jobs')
    .set({ retried: true, updated_at: now })
    .where('pipeline_id', '=', pipeline_id)
    .where('kind', '=', 'external')
    .where('name', '=', name)
    .where('retried', '=', false)
    .execute()
  const row: Insertable<Jobs> = {
    project_id,
    pipeline_id,
    kind: 'external',
    name,
    ...stage,
    user_id,
    created_at: now,
    updated_at: now,
  }
  const { id } = await db.insertInto('jobs').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}
