/** Reads of the facts of changes. */

import { columnOf } from '../../collaboration/item_kinds/kinds.ts'
import type { Noteable } from '../../collaboration/notes/noteable.ts'
import type { Db } from '../../platform/db/connection.ts'

/** What can have changed. */
export type FactKind = 'state' | 'label' | 'milestone' | 'iteration' | 'weight'

/** The changes of one kind of a thing, the oldest first. */
export function factsOf(db: Db, { key }: Noteable, kind: FactKind) {
  const [column, id] = columnOf(key)
  return db.selectFrom('resource_events').selectAll().where(column, '=', id).where('kind', '=', kind).orderBy('id')
}

export type FactRow = Awaited<ReturnType<ReturnType<typeof factsOf>['executeTakeFirstOrThrow']>>

/** One of them. */
export const factOf = (db: Db, noteable: Noteable, kind: FactKind, id: number) =>
  factsOf(db, noteable, kind).where('id', '=', id).executeTakeFirst()
