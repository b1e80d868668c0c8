/** What accounts keep of passwords besides a change by their owners: renewed digests, and how long none is taken. */
import type { Db } from '../../../platform/db/connection.ts'

/** Keeps another digest of the same password, where the password is still the one. @returns the digest that is kept now */
export async function renewPasswordDigest(
  db: Db,
  userId: number,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string> {
  const renewed = await db
    .updateTable('users')
    .set({ password_digest: to })
    .where('id', '=', userId)
    .where('password_digest', '=', from)
    .returning('id')
    .executeTakeFirst()
  return renewed ? to : from
}

/** Takes no passwords of an account until then. */
export async function lockAccount(db: Db, userId: number, until: Date): Promise<void> {
  await db.updateTable('users').set({ locked_until: until }).where('id', '=', userId).execute()
}

/** Takes passwords again, if the lock is the one that ends then. @returns was there such a lock? */
export async function unlockAccount(db: Db, userId: number, until?: Date): Promise<boolean> {
  const unlocked = await db
    .updateTable('users')
    .set({ locked_until: null })
    .where('id', '=', userId)
    .where('locked_until', 'is not', null)
    .$if(until !== undefined, query => query.where('locked_until', '=', (until as Date).toISOString()))
    .returning('id')
    .executeTakeFirst()
  return unlocked !== undefined
}
