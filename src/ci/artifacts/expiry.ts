/** Expiry of artifacts: by time, unless the latest successful pipeline of a reference keeps them. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { transact } from '../../platform/db/transact.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { dropObjects } from '../../platform/object_store/rows.ts'
import { lockWithChildren, lockWithParent, unlocking } from '../pipelines/locks.ts'
import { countRemoved, expireArtifactsOf } from './commands.ts'
import { keepsLatest } from './keeps_latest.ts'
import { removeTestReports } from './test_reports.ts'

/** Artifacts per transaction: few enough that the locks are short. */
const BATCH = 500

/** Milliseconds until an artifact that its pipeline keeps is checked again. */
const LOOK_AGAIN = 24 * 60 * 60 * 1000

/** Removes the artifacts that have expired, in batches; stops between two batches when the server shuts down. */
export async function removeExpiredArtifacts({ database, objects, log, now }: Deps, signal?: AbortSignal): Promise<void> {
  let removed = 0
  for (let looked = BATCH; looked === BATCH && !signal?.aborted; ) {
    const batch = await transact(database.db, db => removeBatch(db, now()))
    // The sweeper removes the bytes that a crash leaves here, like all bytes that no row names.
    await objects.delete(batch.keys)
    looked = batch.looked
    removed += batch.keys.length
  }
  if (removed > 0) log.info({ removed }, 'expired artifacts were removed')
}

async function removeBatch(db: Db, now: Date): Promise<{ looked: number; keys: string[] }> {
  const { rows: due } = await sql<{ id: number; is_kept: boolean }>`
    select a.id, pipelines.locked and ${keepsLatest} as is_kept
      from job_artifacts a join jobs on jobs.id = a.job_id join pipelines on pipelines.id = jobs.pipeline_id
           join projects on projects.id = a.project_id
     where a.sweep_at <= ${now} order by a.sweep_at, a.id limit ${sql.lit(BATCH)} for no key update of a skip locked`.execute(db)
  const kept = due.filter(row => row.is_kept).map(({ id }) => id)
  const gone = due.filter(row => !row.is_kept).map(({ id }) => id)
  if (kept.length > 0)
    await db
      .updateTable('job_artifacts')
      .set({ sweep_at: new Date(now.getTime() + LOOK_AGAIN) })
      .where('id', '=', anyOf(kept))
      .execute()
  if (gone.length === 0) return { looked: due.length, keys: [] }
  const removed = await db
    .deleteFrom('job_artifacts')
    .where('id', '=', anyOf(gone))
    .returning(['job_id', 'project_id', 'size', 'object_id', 'file_type'])
    .execute()
  const reported = removed.filter(({ file_type }) => file_type === 'junit').map(({ job_id }) => job_id)
  if (reported.length > 0) await removeTestReports(db, reported)
  await countRemoved(db, removed)
  const keys = await dropObjects(
    db,
    removed.map(({ object_id }) => object_id),
  )
  return { looked: due.length, keys }
}

/** Makes the artifacts that a project had at an instant expire; the expiry task removes them. */
export async function expireProjectArtifacts(
  deps: Deps,
  { project_id, until }: { readonly project_id: number; readonly until: string },
): Promise<void> {
  await expireArtifactsOf(deps.database.db, project_id, new Date(until))
}

/**
 * The latest successful pipeline of a reference keeps its artifacts and those of its children; earlier pipelines lose theirs
 * (`keep_latest_artifact`). Later pipelines keep theirs from the start. Idempotent; called whenever a pipeline changes status.
 */
export async function keepLatestArtifacts(
  deps: Deps,
  { pipeline_id, status }: { readonly pipeline_id: number; readonly status: string },
): Promise<void> {
  if (status !== 'success') return
  await transact(deps.database.db, async db => {
    const pipeline = await db
      .selectFrom('pipelines')
      .select(['id', 'project_id', 'ref', 'tag', 'parent_id'])
      .where('id', '=', pipeline_id)
      .executeTakeFirst()
    // A child is kept with its parent. The parent succeeds after its child or, if it does not wait for the child, before it.
    if (!pipeline) return
    if (pipeline.parent_id === null) await lockTree(db, pipeline)
    else await lockWithParent(db, pipeline_id)
  })
}

interface Kept {
  readonly id: number
  readonly project_id: number
  readonly ref: string
  readonly tag: boolean
}

async function lockTree(db: Db, { id, project_id, ref, tag }: Kept): Promise<void> {
  const { rows } = await sql<{ isLater: boolean }>`
    select exists (
      select from pipelines
       where project_id = ${project_id} and ref = ${ref} and tag = ${tag} and parent_id is null and locked and id > ${id} and status = 'success'
    ) as "isLater"`.execute(db)
  if (rows[0]?.isLater) return
  await lockWithChildren(db, id)
  await unlock(db, sql`project_id = ${project_id} and ref = ${ref} and tag = ${tag} and id < ${id}`)
}

/** Unlocks the artifacts of these pipelines: the expiry task handles them when they expire. */
async function unlock(db: Db, which: ReturnType<typeof sql<boolean>>): Promise<void> {
  await sql`
    with unlocked as (${unlocking(which)})
    update job_artifacts set sweep_at = expires_at from unlocked join jobs on jobs.pipeline_id = unlocked.id
     where job_artifacts.job_id = jobs.id and job_artifacts.expires_at is not null`.execute(db)
}

/** A deleted branch or tag keeps no artifacts. */
export async function releaseArtifacts(
  deps: Deps,
  { moves }: { readonly moves: readonly { readonly ref: string; readonly new: string }[] },
  { project_id }: { readonly project_id: number | null },
): Promise<void> {
  for (const { ref, new: to } of moves) {
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? []
    if (project_id === null || name === undefined || !/^0+$/.test(to)) continue
    await unlock(deps.database.db, sql`project_id = ${project_id} and ref = ${name} and tag = ${kind === 'tags'}`)
  }
}
