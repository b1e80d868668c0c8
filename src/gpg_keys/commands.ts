/** Writes of GPG keys. */
import type { Context } from '../kernel/context.ts'
import { invalid } from '../kernel/errors.ts'
import { parseGpgKey } from './parse.ts'
import type { GpgKeyRow } from './queries.ts'

/** Gives a user a GPG key; 400 when it is none, or somebody's already: it must lead to one person. */
export async function addGpgKey({ db, now }: Context, userId: number, pasted: string): Promise<GpgKeyRow> {
  const parsed = parseGpgKey(pasted)
  if (!parsed) throw invalid({ key: ['is invalid: it must be one armoured public key'] })
  const stored = await db
    .insertInto('gpg_keys')
    .values({ user_id: userId, key: parsed.text, fingerprint: parsed.fingerprint, created_at: now })
    .onConflict(conflict => conflict.column('fingerprint').doNothing())
    .returningAll()
    .executeTakeFirst()
  // Contract: 400, not 409, as for SSH keys (users API, 14.0).
  if (!stored) throw invalid({ fingerprint: ['has already been taken'] })
  return stored
}

/** Takes a GPG key away. */
export async function removeGpgKey({ db }: Context, key: GpgKeyRow): Promise<void> {
  await db.deleteFrom('gpg_keys').where('id', '=', key.id).execute()
}
