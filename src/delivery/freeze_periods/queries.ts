/** Reads of freeze periods. */
import type { Db } from '../../platform/db/connection.ts'

/** The freeze periods of a project, sorted by the cron lines of their beginnings. */
export const freezePeriodsOf = (db: Db, projectId: number) =>
  db.selectFrom('freeze_periods').selectAll().where('project_id', '=', projectId).orderBy('freeze_start').orderBy('id')

export type FreezePeriodRow = Awaited<ReturnType<ReturnType<typeof freezePeriodsOf>['executeTakeFirstOrThrow']>>

/** The freeze period of a project with this id. */
export const freezePeriodById = (db: Db, projectId: number, id: number) =>
  freezePeriodsOf(db, projectId).where('id', '=', id).executeTakeFirst()
