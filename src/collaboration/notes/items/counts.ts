/** Counters of notes and thumbs on items. */
import type { Db } from '../../../platform/db/connection.ts'
import { itemKindOf } from '../../item_kinds/item_kind.ts'
import type { AwardableKey, NoteableKey } from '../../item_kinds/kinds.ts'

/** Counts added or deleted user notes. */
export function countNotes(db: Db, key: NoteableKey, change: number, now: Date): Promise<void> {
  const [kind, id] = itemKindOf(key)
  return kind.countNotes(db, id, change, now)
}

/** Counts an added or removed reaction to an item or snippet. */
export function countAward(db: Db, key: AwardableKey, name: string, change: number): Promise<void> {
  const [kind, id] = itemKindOf(key)
  return kind.countAward(db, id, name, change)
}
