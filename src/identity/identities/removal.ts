/** Ends of identities. Apart from their writes, which accounts are made with. */
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { takeGiven } from '../providers/roles.ts'
import { userById } from '../users/queries.ts'

/** Removes an identity: the user can no longer sign in by that provider, and loses what it gave. */
export async function removeIdentity(
  ctx: Context,
  { id, user_id, provider }: { readonly id: number; readonly user_id: number; readonly provider: string },
): Promise<void> {
  await ctx.db.selectFrom('users').select('id').where('id', '=', user_id).forUpdate().execute()
  const user = await userById(ctx.db, user_id)
  if (user) await takeGiven(ctx, { identityId: id, userId: user_id }, user)
  await ctx.db.deleteFrom('identities').where('id', '=', id).execute()
  await recordEvent(ctx, { kind: 'identity.removed', payload: { user_id, provider } })
}
