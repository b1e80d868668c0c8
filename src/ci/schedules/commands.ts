/** Writes of pipeline schedules. */

import { randomUUID } from 'node:crypto'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { changesBetween, changesExcept } from '../../platform/events/audit/changes.ts'
import type { ChangeSet } from '../../platform/events/audit/kinds.ts'
import { recordEvent } from '../../platform/events/events.ts'
import { enqueue } from '../../platform/events/worker.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, forbidden, invalid, unauthenticated } from '../../platform/kernel/errors.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { isCronLine } from '../cron/lines.ts'
import { isTimeZone } from '../cron/time_zones.ts'
import { refNamed } from '../named_ref.ts'
import { maySetVariables, requireRightToSetVariables, rightsOnRef, VARIABLES_REFUSED } from '../pipelines/rights/ref_rights.ts'
import { changeVariable, type GivenVariable, insertRunVariables, removeVariable, type WrittenVariable } from '../run_variables/given.ts'
import { dueAfter } from './due.ts'
import { type ScheduleRow, type ScheduleVariableRow, scheduleById, scheduleVariables } from './queries.ts'
import { requireRightsOnNames } from './rights.ts'

export interface ScheduleAttributes {
  readonly description?: string | undefined
  readonly ref?: string | undefined
  readonly cron?: string | undefined
  readonly cron_timezone?: string | undefined
  readonly active?: boolean | undefined
}

/** 400 for an invalid cron line or time zone. */
function refuse({ cron, cron_timezone }: ScheduleAttributes): void {
  const wrong = ['is invalid syntax']
  const failures = {
    ...(cron === undefined || isCronLine(cron) ? {} : { cron: wrong }),
    ...(cron_timezone === undefined || isTimeZone(cron_timezone) ? {} : { cron_timezone: wrong }),
  }
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** 400 for variables of which two have the same key. */
function refuseRepeated(variables: readonly GivenVariable[]): void {
  const keys = variables.map(({ key }) => key)
  const repeated = keys.find((key, at) => keys.indexOf(key) < at)
  if (repeated !== undefined) throw invalid({ variables: [`has ${repeated} twice`] })
}

/**
 * Adds a schedule to a project, with its variables; the actor becomes its owner.
 * @throws Refusal 403 for a branch or tag of which the actor may run no pipelines, and for variables where the project leaves them to Maintainers
 */
export async function createSchedule(
  ctx: Context,
  project: ProjectWithRole,
  given: { readonly description: string; readonly ref: string; readonly cron: string } & ScheduleAttributes,
  variables: readonly GivenVariable[] = [],
): Promise<ScheduleRow> {
  refuse(given)
  refuseRepeated(variables)
  if (variables.length > 0) requireRightToSetVariables(ctx, project)
  await requireRightsOnNames(ctx, project, [given.ref])
  const { db, now, actor } = ctx
  const project_id = project.id
  const { description, ref, cron, cron_timezone = 'UTC', active = true } = given
  const made = await db
    .insertInto('pipeline_schedules')
    .values({
      project_id,
      owner_id: actor.user?.id ?? null,
      description,
      ref,
      cron,
      cron_timezone,
      active,
      next_run_at: dueAfter({ cron, cron_timezone }, now),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await insertRunVariables(ctx, { schedule_id: made.id }, variables)
  await recordEvent(ctx, { kind: 'pipeline_schedule.created', payload: aboutSchedule(made), projectId: project_id })
  return made
}

const aboutSchedule = ({ id, description }: ScheduleRow) => ({ id, name: description })

/** Records the changes of a schedule in the audit log, including a new owner. */
const recordChange = (ctx: Context, schedule: ScheduleRow, changes: ChangeSet): Promise<void> => {
  const owner = changesBetween(schedule, { owner_id: ctx.actor.user?.id ?? null }, ['owner_id'])
  const payload = { ...aboutSchedule(schedule), changes: { ...changes, ...owner } }
  return recordEvent(ctx, { kind: 'pipeline_schedule.updated', payload, projectId: schedule.project_id })
}

/**
 * Makes the actor the owner of a schedule that they are about to change. Its pipelines run as its owner: nobody may decide what runs
 * with the rights of another user. The row stays locked, so that of two changes the later one finds the new owner.
 * @throws Refusal 409 where another change has given it to another owner in the meantime
 */
async function takeOver({ db, now, actor }: Context, { id, owner_id }: ScheduleRow): Promise<void> {
  const taken = await db
    .updateTable('pipeline_schedules')
    .set({ owner_id: actor.user?.id ?? null, updated_at: now })
    .where('id', '=', id)
    .where('owner_id', 'is not distinct from', owner_id)
    .returning('id')
    .executeTakeFirst()
  if (!taken) throw conflict('The schedule has got another owner')
}

/**
 * Changes a schedule and makes the actor its owner; recomputes when it is due if its line, its zone, or `active` has changed.
 * @throws Refusal 403 where the actor may run no pipelines of what it runs of, before or after the change; they may still switch it off
 */
export async function updateSchedule(
  ctx: Context,
  project: ProjectWithRole,
  row: ScheduleRow,
  changes: ScheduleAttributes,
): Promise<ScheduleRow> {
  const { db, now } = ctx
  refuse(changes)
  const { cron = row.cron, cron_timezone = row.cron_timezone, active = row.active, ref = row.ref } = changes
  const changed = changesExcept(row, changes, [])
  const isSwitchedOff = !active && Object.keys(changed).every(field => field === 'active')
  if (!isSwitchedOff) await requireRightsOnNames(ctx, project, [row.ref, ref])
  await takeOver(ctx, row)
  await recordChange(ctx, row, changed)
  const isMoved = cron !== row.cron || cron_timezone !== row.cron_timezone || (active && !row.active)
  return db
    .updateTable('pipeline_schedules')
    .set({ ...changes, ...(isMoved && { next_run_at: dueAfter({ cron, cron_timezone }, now) }), updated_at: now })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes the actor the owner, for whom its pipelines run from then on. */
export async function takeOwnership(ctx: Context, schedule: ScheduleRow): Promise<ScheduleRow> {
  const { db, now, actor } = ctx
  const { id } = schedule
  await recordChange(ctx, schedule, {})
  await db
    .updateTable('pipeline_schedules')
    .set({ owner_id: actor.user?.id ?? null, updated_at: now })
    .where('id', '=', id)
    .execute()
  return (await scheduleById(db, id)) as ScheduleRow
}

/** Removes a schedule; its pipelines stay. */
export async function removeSchedule(ctx: Context, schedule: ScheduleRow): Promise<void> {
  await ctx.db.deleteFrom('pipeline_schedules').where('id', '=', schedule.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'pipeline_schedule.deleted', payload: aboutSchedule(schedule), projectId: schedule.project_id })
}

/**
 * Queues a pipeline of a schedule immediately, for the actor; the next due time is unchanged.
 * @throws Refusal 403 if the actor may not run pipelines of its reference, or give it the variables that the schedule has: the same rules as in the
 *   background (`runSchedule`)
 */
export async function playSchedule(ctx: Context, project: ProjectWithRole, { id, ref }: ScheduleRow): Promise<void> {
  const { db, actor } = ctx
  if (!actor.user) throw unauthenticated()
  const found = await refNamed(ctx, project, ref)
  const { refusal } = found ? await rightsOnRef(ctx, project, found.ref) : {}
  if (refusal !== undefined) throw forbidden(refusal)
  if (!maySetVariables(ctx, project) && (await scheduleVariables(db, [id]).limit(1).executeTakeFirst())) throw forbidden(VARIABLES_REFUSED)
  await enqueue(
    db,
    'run_schedule',
    { schedule_id: id, for: { user_id: actor.user.id }, request_key: randomUUID() },
    { turnOf: actor.user.id },
  )
}

/**
 * Adds a variable to a schedule, which the actor then owns.
 * @throws Refusal 400 for a key that it has already; 403 where the project leaves variables to Maintainers, or the actor may run no pipelines of
 *   what it runs of
 */
export async function addScheduleVariable(
  ctx: Context,
  project: ProjectWithRole,
  schedule: ScheduleRow,
  given: GivenVariable,
): Promise<ScheduleVariableRow> {
  const { id } = schedule
  requireRightToSetVariables(ctx, project)
  await requireRightsOnNames(ctx, project, [schedule.ref])
  await takeOver(ctx, schedule)
  await insertRunVariables(ctx, { schedule_id: id }, [given]).catch(error => {
    throw uniqueViolation(error) === undefined ? error : invalid({ key: ['has already been taken'] })
  })
  await recordChange(ctx, schedule, { variables: { from: null, to: given.key } })
  return scheduleVariables(ctx.db, [id]).where('key', '=', given.key).executeTakeFirstOrThrow()
}

/** Changes the value or type of a variable of a schedule, which the actor then owns; 403 as above. */
export async function updateScheduleVariable(
  ctx: Context,
  project: ProjectWithRole,
  schedule: ScheduleRow,
  { id, key }: ScheduleVariableRow,
  changes: Partial<Pick<WrittenVariable, 'value' | 'variable_type'>>,
): Promise<ScheduleVariableRow> {
  requireRightToSetVariables(ctx, project)
  await requireRightsOnNames(ctx, project, [schedule.ref])
  await takeOver(ctx, schedule)
  await recordChange(ctx, schedule, { variables: { from: key, to: key } })
  return changeVariable(ctx, id, changes)
}

/** Removes a variable from a schedule, which the actor then owns; 403 where they may run no pipelines of what it runs of. */
export async function removeScheduleVariable(
  ctx: Context,
  project: ProjectWithRole,
  schedule: ScheduleRow,
  { id, key }: ScheduleVariableRow,
): Promise<void> {
  await requireRightsOnNames(ctx, project, [schedule.ref])
  await takeOver(ctx, schedule)
  await recordChange(ctx, schedule, { variables: { from: key, to: null } })
  await removeVariable(ctx.db, id)
}
