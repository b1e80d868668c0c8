/** The end of links with which a password is set: by another password, and by whatever ends sessions. */
import type { Db } from '../../platform/db/connection.ts'
import type { Deps } from '../../platform/kernel/context.ts'

/** No link sets the password of this account any more. */
export async function revokePasswordResets(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

/** Milliseconds that rows are kept after their end: by them the next requests are counted. */
const KEPT = 24 * 60 * 60 * 1000

/** Deletes links that have ended. */
export async function sweepPasswordResets({ database, now }: Pick<Deps, 'database' | 'now'>): Promise<void> {
  const instant = new Date(now().getTime() - KEPT)
  await database.db.deleteFrom('password_resets').where('expires_at', '<', instant.toISOString()).execute()
}
