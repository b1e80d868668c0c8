/** Sessions that have signed in with the provider of a group, as they were begun or afterwards. */
import { transact } from '../../platform/db/transact.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { removeIdentity } from '../identities/removal.ts'
import type { Provider } from '../providers/provider.ts'
import { type EndedSessions, isEnded, keptSession, type ProviderSession } from '../providers/provider_sessions.ts'
import { endNamedSessions, endSessionsBy } from '../sessions/entry.ts'
import { endNamedPending } from '../two_factor/pending.ts'

/** Keeps that the session of the request has signed in with the provider now, and what the provider calls its own session. */
export async function keepSignOn(
  { actor: { credential }, deps, now }: Context,
  saml_provider_id: number,
  session: ProviderSession | undefined,
): Promise<void> {
  if (credential?.kind !== 'session') throw new Error('only a session signs in with the provider of a group')
  const values = { signed_on_at: now, provider_session: keptSession(session) }
  await deps.database.db
    .insertInto('session_sign_ons')
    .values({ ...values, session_id: credential.id, saml_provider_id })
    .onConflict(conflict => conflict.columns(['session_id', 'saml_provider_id']).doUpdateSet(values))
    .execute()
}

/** Ends what a provider says has ended: sessions that it began, sign-ins that wait, and, of the provider of a group, what other sessions have signed in for. */
export const endNamed = (ctx: Context, provider: Provider, which: EndedSessions): Promise<void> =>
  transact(ctx.db, async db => {
    await endNamedSessions({ ...ctx, db }, provider.name, which)
    await endNamedPending(db, provider.name, which)
    if (!provider.ofGroup) return
    await db.deleteFrom('session_sign_ons').where('saml_provider_id', '=', provider.ofGroup.samlProviderId).where(isEnded(which)).execute()
  })

/**
 * Ends what a person has by the provider of a group, which has taken them out: their identity there, the sessions that it began, and what others have
 * signed in for. `ctx.db` is a transaction.
 * @param keepsRoles whether the membership that followed from the identity stays
 */
export async function endSignOns(
  ctx: Context,
  { groupId, userId, keepsRoles }: { readonly groupId: number; readonly userId: number; readonly keepsRoles: boolean },
): Promise<void> {
  const { db } = ctx
  const provider = await db.selectFrom('saml_providers').select(['id', 'name']).where('group_id', '=', groupId).executeTakeFirst()
  if (!provider) return
  // A sign-in that is on its way waits for the account, and then finds no identity.
  await db.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const identity = await db
    .selectFrom('identities')
    .select(['id', 'user_id', 'provider'])
    .where('user_id', '=', userId)
    .where('saml_provider_id', '=', provider.id)
    .executeTakeFirst()
  if (identity) await removeIdentity(ctx, identity, keepsRoles)
  await endSessionsBy(ctx, userId, provider.name)
  await db
    .deleteFrom('session_sign_ons')
    .where('saml_provider_id', '=', provider.id)
    .where('session_id', 'in', db.selectFrom('sessions').select('id').where('user_id', '=', userId))
    .execute()
}
