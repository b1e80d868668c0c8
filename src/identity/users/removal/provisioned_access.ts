/**
 * An account that the SCIM of a group has made becomes an administrator's. The owners of the group choose the provider that opened it, and may know
 * whatever it was given until now: it begins as an administrator's with nothing of that. The provisioning itself ends by a trigger (migration 0141),
 * however the promotion comes.
 */
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { Port } from '../../../platform/kernel/declaration/port.ts'
import { removeEmail } from '../../emails/commands.ts'
import { emailsOf } from '../../emails/queries.ts'
import { dropIdentitiesOf } from '../../identities/commands.ts'
import { removeKey } from '../../keys/commands.ts'
import { keysOf } from '../../keys/queries.ts'
import { dropFactorsOf } from '../../two_factor/removal.ts'
import { resetFeedToken } from '../activity/feed_tokens.ts'
import { resetIncomingToken } from '../activity/incoming_email_tokens.ts'
import { forgetEmail } from '../preferences/own_addresses.ts'
import type { UserRow } from '../queries.ts'

/** Revokes the personal access tokens of a user, which belong to a wing above. */
export const personalTokenRevocation = new Port<(ctx: Context, userId: number) => Promise<void>>('personalTokenRevocation')

/** Did SCIM make this account? Also where its group was deleted since: what the group's owners know of it opens it all the same. */
export const wasProvisioned = async (db: Db, userId: number): Promise<boolean> =>
  (await db.selectFrom('provisioned_users').select('user_id').where('user_id', '=', userId).executeTakeFirst()) !== undefined

/**
 * Takes away all that opens the account besides a password and sign-ins, which `updateUser` ends: tokens, SSH keys, passkeys and second
 * factors, linked accounts but that which made it an administrator's, and further addresses, since a forgotten password is set again by
 * them. The user's row is locked.
 */
export async function dropProvisionedAccess(ctx: Context, user: UserRow): Promise<void> {
  await personalTokenRevocation.value(ctx, user.id)
  for (const key of await keysOf(ctx.db, user.id).execute()) await removeKey(ctx, key)
  for (const email of await emailsOf(ctx.db, user.id).execute()) {
    await removeEmail(ctx, email)
    await forgetEmail(ctx, user.id, email.email)
  }
  await dropIdentitiesOf(ctx, user.id)
  await dropFactorsOf(ctx, user)
  if (user.two_factor_enabled) await ctx.db.updateTable('users').set({ two_factor_enabled: false }).where('id', '=', user.id).execute()
  await resetFeedToken(ctx, user.id)
  await resetIncomingToken(ctx, user.id)
}
