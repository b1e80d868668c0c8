/** The counts that items carry of what is said about them and of the thumbs that they are given. */
import type { Db } from '../../platform/db/connection.ts'
import { itemKindOf } from '../item_kinds/item_kind.ts'
import type { ItemKey } from '../item_kinds/kinds.ts'

/** Counts notes that people have written, or that are gone. */
export function countNotes(db: Db, key: ItemKey, change: number, now: Date): Promise<void> {
  const [kind, id] = itemKindOf(key)
  return kind.countNotes(db, id, change, now)
}

/** Counts a reaction to an item, or one that is gone. */
export function countAward(db: Db, key: ItemKey, name: string, change: number): Promise<void> {
  const [kind, id] = itemKindOf(key)
  return kind.countAward(db, id, name, change)
}
