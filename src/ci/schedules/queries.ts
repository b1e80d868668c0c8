/** Reads of pipeline schedules. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { type PipelineRow, pipelines } from '../pipelines/queries.ts'

const schedules = (db: Db) => db.selectFrom('pipeline_schedules').selectAll('pipeline_schedules')

export type ScheduleRow = Awaited<ReturnType<ReturnType<typeof schedules>['executeTakeFirstOrThrow']>>

/** The schedules of a project, in the order in which they were made. */
export function schedulesOf(db: Db, projectId: number, scope?: 'active' | 'inactive') {
  const query = schedules(db).where('project_id', '=', projectId).orderBy('id')
  return scope === undefined ? query : query.where('active', '=', scope === 'active')
}

/** The schedule with this id, of whatever project. */
export const scheduleById = (db: Db, id: number) => schedules(db).where('id', '=', id).executeTakeFirst()

/** The pipelines of a schedule, oldest first. */
export const pipelinesOfSchedule = (db: Db, scheduleId: number) =>
  pipelines(db).where('pipelines.schedule_id', '=', scheduleId).orderBy('pipelines.id')

/** The newest pipelines of schedules, by schedule: one statement. */
export async function lastPipelinesOf(db: Db, scheduleIds: readonly number[]): Promise<Map<number, PipelineRow>> {
  const rows = await pipelines(db)
    .distinctOn('pipelines.schedule_id')
    .where('pipelines.schedule_id', '=', anyOf(scheduleIds))
    .orderBy('pipelines.schedule_id')
    .orderBy('pipelines.id', 'desc')
    .execute()
  return new Map(rows.map(row => [row.schedule_id as number, row]))
}

/** The variables of schedules, oldest first. */
export const scheduleVariables = (db: Db, scheduleIds: readonly number[]) =>
  db.selectFrom('run_variables').selectAll().where('schedule_id', '=', anyOf(scheduleIds)).orderBy('id')

export type ScheduleVariableRow = Awaited<ReturnType<ReturnType<typeof scheduleVariables>['executeTakeFirstOrThrow']>>
