/** Writes of security keys and passkeys. `ctx.db` is a transaction. */
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { invalid, notFound } from '../../../platform/kernel/errors.ts'
import { mailOwner } from '../../account_mails/recipients.ts'
import { secondFactorChanged } from '../../account_mails/texts.ts'
import type { UserRow } from '../../users/queries.ts'
import { lockAccount, type TurnedOn, turnOffWithoutFactor, turnOn } from '../commands.ts'
import { registered } from './ceremonies.ts'

/** What a new key is. */
export interface NewKey {
  readonly name: string
  readonly isPasskey: boolean
  /** What the authenticator answered, as JSON. */
  readonly response: string
}

/**
 * Adds a key. A security key turns two factors on; a passkey opens the account by itself, and leaves the password as it is.
 * @throws Refusal 400 for an answer that does not hold
 */
export async function addKey(ctx: Context, user: UserRow, { name, isPasskey, response }: NewKey): Promise<TurnedOn> {
  const made = await registered(ctx, user, isPasskey, response)
  if (!made) throw invalid({ response: ['is not what was asked of the authenticator: try again'] })
  await lockAccount(ctx.db, user.id)
  const added = await ctx.db
    .insertInto('webauthn_credentials')
    .values({ ...made, user_id: user.id, passkey: isPasskey, name, created_at: ctx.now })
    .onConflict(conflict => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw invalid({ response: ['is of an authenticator that was added before'] })
  const by = isPasskey ? 'passkey' : 'security_key'
  await recordEvent(ctx, { kind: 'second_factor.added', payload: { id: added.id, name, user_id: user.id, by } })
  await mailOwner(ctx, user, secondFactorChanged(user.username, { added: name }))
  return isPasskey ? { codes: [] } : turnOn(ctx, user)
}

/** Removes a key; two factors go off with the last second factor. */
export async function removeKey(ctx: Context, user: UserRow, id: number): Promise<void> {
  await lockAccount(ctx.db, user.id)
  const removed = await ctx.db
    .deleteFrom('webauthn_credentials')
    .where('id', '=', id)
    .where('user_id', '=', user.id)
    .returning(['id', 'name', 'passkey'])
    .executeTakeFirst()
  if (!removed) throw notFound('Key')
  const { name, passkey } = removed
  const by = passkey ? 'passkey' : 'security_key'
  await recordEvent(ctx, { kind: 'second_factor.removed', payload: { id, name, user_id: user.id, by } })
  await mailOwner(ctx, user, secondFactorChanged(user.username, { removed: name }))
  if (!passkey) await turnOffWithoutFactor(ctx, user)
}
