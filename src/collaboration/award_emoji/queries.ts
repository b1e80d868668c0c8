/** Reads of reactions. */
import type { Db } from '../../platform/db/connection.ts'
import { columnOf } from '../item_kinds/kinds.ts'
import type { Awardable } from './awardable.ts'

/** The reactions to an item or note, oldest first. */
export function awardsOf(db: Db, { key }: Awardable) {
  const [column, id] = 'note_id' in key ? (['note_id', key.note_id] as const) : columnOf(key)
  return db.selectFrom('award_emoji').selectAll().where(column, '=', id).orderBy('id')
}

export type AwardRow = Awaited<ReturnType<ReturnType<typeof awardsOf>['executeTakeFirstOrThrow']>>

/** A reaction by id. */
export const awardOf = (db: Db, awardable: Awardable, id: number) => awardsOf(db, awardable).where('id', '=', id).executeTakeFirst()
