/** Sessions that have signed in with the provider of a group after they were begun in another way. */
import type { Context } from '../../platform/kernel/context.ts'

/** Keeps that the session of the request has signed in with the provider now. */
export async function keepSignOn({ actor: { credential }, deps, now }: Context, saml_provider_id: number): Promise<void> {
  if (credential?.kind !== 'session') throw new Error('only a session signs in with the provider of a group')
  await deps.database.db
    .insertInto('session_sign_ons')
    .values({ session_id: credential.id, saml_provider_id, signed_on_at: now })
    .onConflict(conflict => conflict.columns(['session_id', 'saml_provider_id']).doUpdateSet({ signed_on_at: now }))
    .execute()
}
