/** Writes of GPG keys. */
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { parseGpgKey } from './parse.ts'
import type { GpgKeyRow } from './queries.ts'

/** Adds a GPG key to a user; 400 when it is invalid or already in use: a key must identify one user. */
export async function addGpgKey(ctx: Context, userId: number, pasted: string): Promise<GpgKeyRow> {
  const { db, now } = ctx
  const parsed = parseGpgKey(pasted)
  if (!parsed) throw invalid({ key: ['is invalid: it must be one armoured public key'] })
  const stored = await db
    .insertInto('gpg_keys')
    .values({ user_id: userId, key: parsed.text, fingerprint: parsed.fingerprint, key_ids: [...parsed.keyIds], created_at: now })
    .onConflict(conflict => conflict.column('fingerprint').doNothing())
    .returningAll()
    .executeTakeFirst()
  // Contract: 400, not 409, as for SSH keys (users API, 14.0).
  if (!stored) throw invalid({ fingerprint: ['has already been taken'] })
  await recordEvent(ctx, { kind: 'gpg_key.added', payload: { id: stored.id, name: stored.fingerprint, user_id: userId } })
  return stored
}

/** Removes a GPG key. */
export async function removeGpgKey(ctx: Context, key: GpgKeyRow): Promise<void> {
  await ctx.db.deleteFrom('gpg_keys').where('id', '=', key.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'gpg_key.removed', payload: { id: key.id, name: key.fingerprint, user_id: key.user_id } })
}
