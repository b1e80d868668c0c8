/** Writes of artifacts. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import type { StoredBytes } from '../../platform/object_store/measured.ts'
import { recordObject } from '../../platform/object_store/rows.ts'
import { addToStatistics } from '../../spaces/project_statistics/commands.ts'
import { expireArtifactsAt } from '../jobs/commands.ts'
import { keepsLatest } from './keeps_latest.ts'
import { removeTestReports } from './test_reports.ts'
import type { ArtifactFormat, ArtifactTypeName } from './types.ts'

/** An artifact whose bytes are already in the store. */
export interface NewArtifact {
  readonly file_type: ArtifactTypeName
  readonly file_format: ArtifactFormat
  readonly filename: string
  /** Null: never. */
  readonly expires_at: Date | null
}

/** Records stored bytes as an artifact of a job, and returns its id. `db` must be a transaction. */
export async function addArtifact(
  { db, now }: { readonly db: Db; readonly now: Date },
  job: { readonly id: number; readonly project_id: number },
  stored: StoredBytes,
  artifact: NewArtifact,
): Promise<number> {
  const { id } = await db
    .insertInto('job_artifacts')
    .values({
      ...artifact,
      job_id: job.id,
      project_id: job.project_id,
      object_id: await recordObject(db, stored),
      size: stored.size,
      sweep_at: artifact.expires_at,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addToStatistics(db, job.project_id, 'job_artifacts_size', stored.size)
  return id
}

/** Keeps the artifacts of a job for good (document 2 "Job artifacts", keep). */
export async function keepArtifacts(db: Db, jobId: number): Promise<void> {
  await expireArtifactsAt(db, jobId, null)
  await db.updateTable('job_artifacts').set({ expires_at: null, sweep_at: null }).where('job_id', '=', jobId).execute()
}

/**
 * Deletes the artifacts of these jobs except their logs (`eraseTraces`); the store's sweeper removes the bytes. Must also be called before
 * jobs are deleted: the delete would cascade to the rows, and the sizes would stay in the project's statistics.
 */
export async function removeArtifacts(db: Db, jobIds: readonly number[]): Promise<void> {
  if (jobIds.length === 0) return
  const removed = await db
    .deleteFrom('job_artifacts')
    .where('job_id', '=', anyOf(jobIds))
    .where('file_type', '!=', 'trace')
    .returning(['project_id', 'size'])
    .execute()
  await removeTestReports(db, jobIds)
  await countRemoved(db, removed)
}

/** Deletes one artifact that is no log; an archive with the list of what is in it, which means nothing without it. */
export async function removeArtifact(
  db: Db,
  { id, job_id, file_type }: { readonly id: number; readonly job_id: number; readonly file_type: string },
): Promise<void> {
  const removed = await db
    .deleteFrom('job_artifacts')
    .where('job_id', '=', job_id)
    .where(({ or, eb }) => or([eb('id', '=', id), ...(file_type === 'archive' ? [eb('file_type', '=', 'metadata')] : [])]))
    .returning(['project_id', 'size'])
    .execute()
  if (file_type === 'junit') await removeTestReports(db, [job_id])
  await countRemoved(db, removed)
}

/** Deletes the archived logs of these jobs. */
export async function removeStoredTraces(db: Db, jobIds: readonly number[]): Promise<void> {
  const removed = await db
    .deleteFrom('job_artifacts')
    .where('job_id', '=', anyOf(jobIds))
    .where('file_type', '=', 'trace')
    .returning(['project_id', 'size'])
    .execute()
  await countRemoved(db, removed)
}

/** Subtracts the sizes of removed artifacts from the statistics of their projects: one statement for each project. */
export async function countRemoved(db: Db, removed: readonly { readonly project_id: number; readonly size: number }[]): Promise<void> {
  const byProject = Map.groupBy(removed, row => row.project_id)
  // Ordered by id, so that concurrent removals wait for each other instead of deadlocking.
  for (const id of [...byProject.keys()].sort((a, b) => a - b))
    await addToStatistics(db, id, 'job_artifacts_size', -(byProject.get(id) ?? []).reduce((sum, { size }) => sum + size, 0))
}

/** Artifacts of a project that are processed in one transaction. */
const BATCH = 1_000

/**
 * Makes all artifacts that the jobs of a project have left so far expire immediately, except logs. The artifacts that the latest
 * successful pipelines keep stay (artifacts API, added after 14.0). The expiry task then removes the expired ones.
 */
export async function expireArtifactsOf(db: Db, projectId: number, now: Date): Promise<void> {
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      with batch as (
        select id from job_artifacts where project_id = ${projectId} and id > ${last} and created_at <= ${now} order by id limit ${sql.lit(BATCH)}
      ), expired as (
        update job_artifacts set expires_at = ${now}, sweep_at = ${now}
         where id in (select id from batch) and file_type <> 'trace'
           and not exists (
             select from jobs join pipelines on pipelines.id = jobs.pipeline_id join projects on projects.id = pipelines.project_id
              where jobs.id = job_artifacts.job_id and pipelines.locked and ${keepsLatest})
      )
      select id from batch order by id`.execute(db)
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id ?? last
  }
}
