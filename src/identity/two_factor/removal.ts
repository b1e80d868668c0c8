/** Taking away all factors of an account. */
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { secondFactorChanged } from '../account_mails/texts.ts'
import type { UserRow } from '../users/queries.ts'

/** Removes the app, security keys, passkeys and recovery codes of an account, which is locked. Whether it needs a second factor is its caller's to keep. */
export async function dropFactorsOf(ctx: Context, user: UserRow): Promise<void> {
  const { db } = ctx
  const keys = await db.deleteFrom('webauthn_credentials').where('user_id', '=', user.id).returning(['id', 'name', 'passkey']).execute()
  for (const { id, name, passkey } of keys) {
    const by = passkey ? 'passkey' : 'security_key'
    await recordEvent(ctx, { kind: 'second_factor.removed', payload: { id, name, user_id: user.id, by } })
    await mailOwner(ctx, user, secondFactorChanged(user.username, { removed: name }))
  }
  await db.deleteFrom('totp_factors').where('user_id', '=', user.id).execute()
  await db.deleteFrom('recovery_codes').where('user_id', '=', user.id).execute()
  if (!user.two_factor_enabled) return
  await recordEvent(ctx, { kind: 'two_factor.disabled', payload: { user_id: user.id } })
  await mailOwner(ctx, user, secondFactorChanged(user.username, 'off_by_administrator'))
}
