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
  /** The names of those who reacted first. */
  readonly names: readonly string[]
}

/** Names of people that a reaction has at most. */
const MOST_NAMES = 10

/** The reactions to notes or to items, by the id of what was reacted to. One statement. */
export async function reactionsTo(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  column: 'note_id' | 'issue_id' | 'merge_request_id' | 'epic_id' | 'snippet_id',
  ids: readonly number[],
): Promise<Map<number, readonly Reaction[]>> {
  if (ids.length === 0) return new Map()
  const key = sql.ref(`e.${column}`)
  const { rows } = await sql<{ id: number; name: string; count: number; own: number | null; names: string[] }>`
    select ${key} as id, e.name, count(*)::int as count, min(e.id) filter (where e.user_id = ${actor.user?.id ?? null}) as own,
           (array_agg(u.name order by e.id))[:${sql.lit(MOST_NAMES)}] as names
      from award_emoji e join users u on u.id = e.user_id
     where ${key} = any(${ids}) group by ${key}, e.name order by min(e.id)`.execute(db)
  return Map.groupBy(
    rows.map(row => ({ ...row, own: row.own ?? undefined })),
    row => row.id,
  )
}
