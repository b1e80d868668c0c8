/** Writes of the resolution of notes. */

import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'

/** Marks notes as resolved by a user, or with null as unresolved; notes already in that state are unchanged. Returns how many changed. */
export async function setResolved(db: Db, ids: readonly number[], userId: number | null, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('notes')
    .set({ resolved_at: userId === null ? null : now, resolved_by_id: userId })
    .where('id', '=', anyOf(ids))
    .where('resolvable', '=', true)
    .where('resolved_at', userId === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Resolves whole threads. */
export async function resolveDiscussions(db: Db, discussionIds: readonly string[], userId: number, now: Date): Promise<void> {
  await db
    .updateTable('notes')
    .set({ resolved_at: now, resolved_by_id: userId })
    .where('discussion_id', '=', anyOf(discussionIds))
    .where('resolvable', '=', true)
    .where('resolved_at', 'is', null)
    .execute()
}
