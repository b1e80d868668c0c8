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

/** How many schedules a project has of each kind. */
export async function scheduleCountsOf(db: Db, projectId: number): Promise<Readonly<Record<'all' | 'active' | 'inactive', number>>> {
  const { all, active } = await db
    .selectFrom('pipeline_schedules')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.countAll<number>().filterWhere('active', '=', true).as('active')])
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return { all: Number(all), active: Number(active), inactive: Number(all) - Number(active) }
}

/** The schedule with this id, of whatever project. */
export const scheduleById = (db: Db, id: number) => schedules(db).where('id', '=', id).executeTakeFirst()

/** The pipelines of a schedule, oldest first or newest first. */
export const pipelinesOfSchedule = (db: Db, scheduleId: number, order: 'asc' | 'desc' = 'asc') =>
  pipelines(db).where('pipelines.schedule_id', '=', scheduleId).orderBy('pipelines.id', order)

/** The newest pipelines of schedules, by schedule: one statement, which reads one pipeline of each. */
export async function lastPipelinesOf(db: Db, scheduleIds: readonly number[]): Promise<Map<number, PipelineRow>> {
  const rows = await pipelines(db)
    .where('pipelines.id', 'in', ({ selectFrom }) =>
      selectFrom('pipeline_schedules')
        .select(({ selectFrom }) =>
          selectFrom('pipelines as own')
            .select(({ fn }) => fn.max('own.id').as('newest'))
            .whereRef('own.schedule_id', '=', 'pipeline_schedules.id')
            .as('newest'),
        )
        .where('pipeline_schedules.id', '=', anyOf(scheduleIds)),
    )
    .execute()
  return new Map(rows.map(row => [row.schedule_id as number, row]))
}

/** The variables of schedules, oldest first. */
export const scheduleVariables = (db: Db, scheduleIds: readonly number[]) =>
  db.selectFrom('run_variables').selectAll().where('schedule_id', '=', anyOf(scheduleIds)).orderBy('id')

export type ScheduleVariableRow = Awaited<ReturnType<ReturnType<typeof scheduleVariables>['executeTakeFirstOrThrow']>>
