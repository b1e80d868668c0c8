/** Reads of the time that was spent on items. */
import type { Db } from '../../platform/db/connection.ts'
import { columnOf, type ItemKey } from '../item_kinds/kinds.ts'

const logsOf = (db: Db, key: ItemKey) => {
  const [column, id] = columnOf(key)
  if (column === 'epic_id') throw new Error('epics have no time tracking')
  return db.selectFrom('timelogs').where(column, '=', id)
}

/** What was added to, and taken from, the time spent on an item: the latest first. */
export const timelogsOf = (db: Db, key: ItemKey) =>
  logsOf(db, key).select(['id', 'user_id', 'time_spent', 'spent_at', 'summary']).orderBy('spent_at', 'desc').orderBy('id', 'desc')

/** The time that each person spent on an item, in seconds: those with the most first. */
export const timeByPerson = (db: Db, key: ItemKey, most: number) =>
  logsOf(db, key)
    .select(({ fn }) => ['user_id', fn.sum<number>('time_spent').as('seconds')])
    .groupBy('user_id')
    .orderBy('seconds', 'desc')
    .limit(most)
    .execute()
