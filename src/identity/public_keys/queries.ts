/** Reads of what is public of a user's keys. */
import { isInForce } from '../../platform/access/credentials/lifetimes.ts'
import type { Db } from '../../platform/db/connection.ts'

/** The SSH keys of a user that let them in now: none of one who is blocked or deactivated, since other machines let in whom they find here. */
export async function sshKeysInForce(db: Db, userId: number, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('keys')
    .innerJoin('users', 'users.id', 'keys.user_id')
    .select('keys.key')
    .where('users.id', '=', userId)
    .where('users.state', '=', 'active')
    .where(isInForce('keys.fingerprint_sha256', 'keys', now))
    .orderBy('keys.id')
    .execute()
  return rows.map(row => row.key)
}

/** The GPG keys of a user as they were added. */
export async function armoredKeysOf(db: Db, userId: number): Promise<string[]> {
  const rows = await db.selectFrom('gpg_keys').select('key').where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(row => row.key)
}
