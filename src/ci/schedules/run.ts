/** Creates the pipelines of schedules that are due. */
import { randomUUID } from 'node:crypto'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { visibleProject } from '../../spaces/projects/queries.ts'
import { refNamed } from '../named_ref.ts'
import { tryCreatePipeline } from '../pipeline_creation/create.ts'
import { rightsOnRef } from '../pipelines/rights/ref_rights.ts'
import { dueAgain } from './due.ts'
import { type ScheduleRow, scheduleById } from './queries.ts'

/** Schedules per transaction. */
const BATCH = 100

/**
 * Queues the schedules that are due, each once: its next due time is written in the same transaction, and rows that another process
 * has locked are skipped. Runs that were missed while Ingot was down are replaced by one run.
 */
export async function runSchedules(deps: Deps): Promise<void> {
  for (;;) {
    const found = await transact(deps.database.db, async db => {
      const now = deps.now()
      const due = await db
        .selectFrom('pipeline_schedules')
        .selectAll()
        .where('active', '=', true)
        .where('next_run_at', '<=', now.toISOString())
        .orderBy('next_run_at')
        .limit(BATCH)
        .forUpdate()
        .skipLocked()
        .execute()
      for (const schedule of due) await queueRun(db, schedule, now)
      return due.length
    })
    if (found < BATCH) return
  }
}

async function queueRun(db: Db, schedule: ScheduleRow, now: Date): Promise<void> {
  const next_run_at = dueAgain(schedule, now)
  await db.updateTable('pipeline_schedules').set({ next_run_at }).where('id', '=', schedule.id).execute()
  await enqueue(
    db,
    'run_schedule',
    { schedule_id: schedule.id, for: { due_at: now.toISOString() }, request_key: randomUUID() },
    { turnOf: schedule.owner_id },
  )
}

/** The user for whom a pipeline of a schedule is created: the one who plays it, or its owner, because it was due. */
type For = { readonly user_id: number } | { readonly due_at: string }

/**
 * Creates the pipeline of a schedule, or keeps why there is none. Idempotent. A schedule whose owner was deleted, or may not
 * run pipelines of its branch any more, becomes inactive.
 */
export async function runSchedule(
  deps: Deps,
  run: { readonly schedule_id: number; readonly for: For; readonly request_key?: string },
): Promise<void> {
  const { db } = deps.database
  const schedule = await scheduleById(db, run.schedule_id)
  if (!schedule) return
  const userId = 'user_id' in run.for ? run.for.user_id : schedule.owner_id
  const refusal = await makePipeline(deps, schedule, userId, run.request_key)
  await db
    .updateTable('pipeline_schedules')
    .set({ last_run_at: deps.now(), last_run_errors: [...(refusal?.words ?? [])] })
    .where('id', '=', schedule.id)
    .execute()
  if (refusal === undefined) return
  deps.log.info({ schedule_id: schedule.id, refusal: refusal.words }, 'a schedule made no pipeline')
  if (refusal.forGood && 'due_at' in run.for)
    await db
      .updateTable('pipeline_schedules')
      .set({ active: false, updated_at: deps.now() })
      .where('id', '=', schedule.id)
      .where('owner_id', 'is not distinct from', schedule.owner_id)
      .execute()
}

/** Why there is no pipeline; permanent if the user may have none. */
interface Refusal {
  readonly words: readonly string[]
  readonly forGood: boolean
}

async function makePipeline(
  deps: Deps,
  schedule: ScheduleRow,
  userId: number | null,
  requestKey: string | undefined,
): Promise<Refusal | undefined> {
  const { db } = deps.database
  const actor = await actingAs(db, userId)
  if (!actor) return { words: ['The account of its owner is deleted or not active'], forGood: true }
  const project = await visibleProject(db, actor, String(schedule.project_id))
  if (!project) return { words: ['Its owner may not see the project any more'], forGood: true }
  const ctx = systemContext(deps, db, actor)
  const found = await refNamed(ctx, project, schedule.ref)
  if (!found) return { words: [`There is no branch or tag ${schedule.ref}`], forGood: false }
  const { refusal } = await rightsOnRef(ctx, project, found.ref)
  if (refusal !== undefined) return { words: [refusal], forGood: true }
  const input = { source: 'schedule', ...found, schedule_id: schedule.id, requestKey, quietly: true } as const
  const granted = await tryCreatePipeline(ctx, project, input)
  return granted.kind === 'refused' ? { words: granted.errors, forGood: false } : undefined
}
