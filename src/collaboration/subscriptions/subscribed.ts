/** Subscriptions to items: participants are subscribed unless they chose otherwise. */

import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiledPer } from '../../platform/db/statements/compiled.ts'

/** The column that names the item of a subscription. */
type Subscribed = 'issue_id' | 'merge_request_id' | 'epic_id'

/** What a user has chosen for an item; undefined for no choice: then those who take part are subscribed. */
export async function isSubscribed(db: Db, userId: number | undefined, key: Subscribed, id: number): Promise<boolean | undefined> {
  if (userId === undefined) return false
  return (await choicesAmong(db, key, userId, [id]))[0]?.subscribed
}

/** Which of these items a user is subscribed to: by explicit choice, else as a participant. One statement. */
export async function subscribedAmong<Row extends { readonly id: number }>(
  db: Db,
  userId: number | undefined,
  key: Subscribed,
  rows: readonly Row[],
  takesPart: (row: Row, userId: number) => boolean,
): Promise<ReadonlySet<number>> {
  if (userId === undefined || rows.length === 0) return new Set()
  const ids = rows.map(row => row.id)
  const chosen = await choicesAmong(db, key, userId, ids)
  const choices = new Map(chosen.map(row => [row.id, row.subscribed]))
  return new Set(rows.filter(row => choices.get(row.id) ?? takesPart(row, userId)).map(row => row.id))
}

const choicesAmong = compiledPer(
  (key: Subscribed) => (db, userId: number, ids: readonly number[]) =>
    db
      .selectFrom('subscriptions')
      .select(({ ref }) => [ref(key).$notNull().as('id'), 'subscribed'])
      .where('user_id', '=', userId)
      .where(key, '=', anyOf(ids)),
)
