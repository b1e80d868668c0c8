/** Reads of resource events. */

import type { ItemFact } from '../../collaboration/item_kinds/item_kind.ts'
import { columnOf, type ItemKey } from '../../collaboration/item_kinds/kinds.ts'
import type { Noteable } from '../../collaboration/notes/items/noteable.ts'
import type { Db } from '../../platform/db/connection.ts'

/** The resource events of one kind of an item, oldest first. Commits have none. */
export function factsOf(db: Db, { key }: Noteable, kind: ItemFact) {
  const [column, id] = columnOf(key as ItemKey)
  return db.selectFrom('resource_events').selectAll().where(column, '=', id).where('kind', '=', kind).orderBy('id')
}

export type FactRow = Awaited<ReturnType<ReturnType<typeof factsOf>['executeTakeFirstOrThrow']>>

/** A resource event by id. */
export const factOf = (db: Db, noteable: Noteable, kind: ItemFact, id: number) =>
  factsOf(db, noteable, kind).where('id', '=', id).executeTakeFirst()
