/** Reads of reactions. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
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

/** A reaction, by its emoji: who reacted. */
export interface Reaction {
  readonly name: string
  readonly count: number
  /** The caller's own; undefined where there is none. */
  readonly own: number | undefined
}

/** The reactions to notes or to items, by the id of what was reacted to. One statement. */
export async function reactionsTo(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  column: 'note_id' | 'issue_id' | 'merge_request_id' | 'epic_id',
  ids: readonly number[],
): Promise<Map<number, readonly Reaction[]>> {
  if (ids.length === 0) return new Map()
  const key = sql.ref(column)
  const { rows } = await sql<{ id: number; name: string; count: number; own: number | null }>`
    select ${key} as id, name, count(*)::int as count, min(id) filter (where user_id = ${actor.user?.id ?? null}) as own
      from award_emoji where ${key} = any(${ids}) group by ${key}, name order by min(id)`.execute(db)
  return Map.groupBy(
    rows.map(row => ({ ...row, own: row.own ?? undefined })),
    row => row.id,
  )
}
