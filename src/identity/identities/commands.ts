/** Who users are at identity providers. */
import { uniqueViolation } from '../../platform/db/errors.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'

/**
 * Says who a user is at a provider, in place of who they were there; nothing unless both are given.
 * @throws 400 where another user is that already
 */
export async function setIdentity(
  ctx: Context,
  userId: number,
  { provider, extern_uid }: { readonly provider?: string | undefined; readonly extern_uid?: string | undefined },
): Promise<void> {
  if (!provider || !extern_uid) return
  const { db } = ctx
  const before = await db
    .selectFrom('identities')
    .select(['id', 'extern_uid'])
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirst()
  if (before?.extern_uid === extern_uid) return
  const written = before
    ? db.updateTable('identities').set({ extern_uid }).where('id', '=', before.id)
    : db.insertInto('identities').values({ user_id: userId, provider, extern_uid, created_at: ctx.now })
  await written.execute().catch((error: unknown) => {
    if (uniqueViolation(error) !== 'identities_provider_extern_uid_key') throw error
    throw invalid({ 'identities.extern_uid': ['has already been taken'] })
  })
  await recordEvent(ctx, { kind: 'identity.set', payload: { user_id: userId, provider } })
}

/** Removes an identity: the user can no longer sign in by that provider. */
export async function removeIdentity(
  ctx: Context,
  { id, user_id, provider }: { readonly id: number; readonly user_id: number; readonly provider: string },
): Promise<void> {
  await ctx.db.deleteFrom('identities').where('id', '=', id).execute()
  await recordEvent(ctx, { kind: 'identity.removed', payload: { user_id, provider } })
}
