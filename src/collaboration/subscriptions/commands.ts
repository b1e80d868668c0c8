/** Explicit subscriptions of users. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { columnOf, type NoteableKey } from '../item_kinds/kinds.ts'
import { type Replacement, replacementRows } from '../item_kinds/replacements.ts'

/** An item or label. */
export type Subscribable = NoteableKey | { readonly label_id: number }

/** Stores that a user subscribes or unsubscribes, replacing an earlier choice. */
export async function setSubscription(db: Db, userId: number, thing: Subscribable, subscribed: boolean, now: Date): Promise<void> {
  await db
    .insertInto('subscriptions')
    .values({ ...thing, user_id: userId, subscribed, created_at: now, updated_at: now })
    .onConflict(conflict =>
      conflict.columns(['label_id' in thing ? 'label_id' : columnOf(thing)[0], 'user_id']).doUpdateSet({ subscribed, updated_at: now }),
    )
    .execute()
}

/** Subscribes the subscribers of the labels `from` to `to`, unless they have made a choice for it. */
export const moveSubscriptions = (db: Db, from: readonly number[], to: number, now: Date) =>
  sql`insert into subscriptions (user_id, label_id, subscribed, created_at, updated_at)
      select distinct user_id, ${to}::bigint, true, ${now}::timestamptz, ${now}::timestamptz
        from subscriptions where label_id = any(${from}) and subscribed
      on conflict do nothing`.execute(db)

/** Subscribes the subscribers of labels to the copies of these. */
export const copyLabelSubscriptions = (db: Db, copies: readonly Replacement[], now: Date) =>
  sql`insert into subscriptions (user_id, label_id, subscribed, created_at, updated_at)
      select distinct s.user_id, r.to_id, true, ${now}::timestamptz, ${now}::timestamptz
        from ${replacementRows(copies)} join subscriptions s on s.label_id = r.from_id and s.subscribed
      on conflict do nothing`.execute(db)

/** Copies the subscription choices for an issue to the issue that it was moved to, unless users have made a choice there. */
export const copySubscriptions = (db: Db, fromIssueId: number, toIssueId: number, now: Date) =>
  sql`insert into subscriptions (user_id, issue_id, subscribed, created_at, updated_at)
      select user_id, ${toIssueId}::bigint, subscribed, ${now}::timestamptz, ${now}::timestamptz
        from subscriptions where issue_id = ${fromIssueId}
      on conflict do nothing`.execute(db)
