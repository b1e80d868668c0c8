/** Reads of runners. */
import { anyOf } from '../../db/any.ts'
import type { Db } from '../../db/connection.ts'

export const runners = (db: Db) => db.selectFrom('runners').selectAll('runners')

export type RunnerRow = Awaited<ReturnType<ReturnType<typeof runners>['executeTakeFirstOrThrow']>>

/** Runners by id, for the presenters of other resources: one statement for a page. */
export async function runnersById(db: Db, ids: readonly number[]): Promise<Map<number, RunnerRow>> {
  if (ids.length === 0) return new Map()
  const rows = await runners(db).where('runners.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}
