/** Writes of freeze periods. */

import { isCronLine } from '../../ci/cron/lines.ts'
import { isTimeZone } from '../../ci/cron/time_zones.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import type { FreezePeriodRow } from './queries.ts'

export interface FreezePeriodAttributes {
  readonly freeze_start?: string | undefined
  readonly freeze_end?: string | undefined
  readonly cron_timezone?: string | undefined
}

/** 400 for an invalid cron line or time zone. */
function refuse({ freeze_start, freeze_end, cron_timezone }: FreezePeriodAttributes): void {
  const wrong = ['is invalid syntax']
  const failures = {
    ...(freeze_start === undefined || isCronLine(freeze_start) ? {} : { freeze_start: wrong }),
    ...(freeze_end === undefined || isCronLine(freeze_end) ? {} : { freeze_end: wrong }),
    ...(cron_timezone === undefined || isTimeZone(cron_timezone) ? {} : { cron_timezone: wrong }),
  }
  if (Object.keys(failures).length > 0) throw invalid(failures)
}

/** Freeze periods of a project: each of its pipelines, and pages, look at all of them. */
const MOST = 50

/** 400 for one too many. Of requests at the same time the later ones wait, and count the others. */
async function assertRoom({ db }: Context, project_id: number): Promise<void> {
  await db.selectFrom('projects').select('id').where('id', '=', project_id).forNoKeyUpdate().execute()
  const { count } = await db
    .selectFrom('freeze_periods')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST) throw invalid({ base: [`Maximum number of freeze periods (${MOST}) exceeded`] })
}

/** Adds a freeze period to a project; 400 beyond `MOST` of them. */
export async function createFreezePeriod(
  ctx: Context,
  project_id: number,
  given: FreezePeriodAttributes & { readonly freeze_start: string; readonly freeze_end: string },
): Promise<FreezePeriodRow> {
  refuse(given)
  await assertRoom(ctx, project_id)
  const { db, now } = ctx
  const made = await db
    .insertInto('freeze_periods')
    .values({ project_id, ...given, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'freeze_period.created', payload: { id: made.id, name: nameOf(made) }, projectId: project_id })
  return made
}

/** Changes a freeze period. */
export async function updateFreezePeriod(ctx: Context, period: FreezePeriodRow, changes: FreezePeriodAttributes): Promise<FreezePeriodRow> {
  refuse(changes)
  const { id, project_id: projectId } = period
  const payload = { id, name: nameOf(period), changes: changesExcept(period, changes, []) }
  await recordEvent(ctx, { kind: 'freeze_period.updated', payload, projectId })
  return ctx.db
    .updateTable('freeze_periods')
    .set({ ...changes, updated_at: ctx.now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes a freeze period. */
export async function removeFreezePeriod(ctx: Context, period: FreezePeriodRow): Promise<void> {
  const { id, project_id: projectId } = period
  await ctx.db.deleteFrom('freeze_periods').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'freeze_period.deleted', payload: { id, name: nameOf(period) }, projectId })
}

/** The name of a freeze period in the audit log: when it begins and ends. */
const nameOf = ({ freeze_start, freeze_end }: FreezePeriodRow): string => `${freeze_start} – ${freeze_end}`
