/** The last step of deleting an account, the same for people and for bots. */
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { accountRemoval } from './account_removal.ts'
import { ghostId } from './ghost.ts'
import type { UserRow } from './queries.ts'

/** What is deleted of an account, and what is told of it afterwards. */
export type Leaving = Pick<UserRow, 'id' | 'username' | 'name' | 'email' | 'created_at' | 'updated_at'>

/**
 * Deletes an account: what goes on in its name ends, and what it wrote goes too with `writings: 'removed'`, or stays behind under the ghost
 * user's name. What the account owns (groups, projects) is the matter of the caller. `ctx.db` is a transaction.
 */
export async function deleteAccount(
  ctx: Context,
  account: Leaving,
  { writings }: { readonly writings: 'kept' | 'removed' },
): Promise<void> {
  const { db, actor } = ctx
  const { id, username, name, email, created_at, updated_at } = account
  const others = accountRemoval.value
  await others.stopWork(ctx, id)
  if (writings === 'removed') await others.removeAuthored(ctx, id)
  else await others.reassignAuthored(ctx, id, await ghostId(ctx))
  await db.deleteFrom('users').where('id', '=', id).execute()
  // A bot that revokes its own last token cannot be named as the one who did it: it is gone.
  const actorId = actor.user?.id === id ? undefined : actor.user?.id
  const was = { name, email, created_at, updated_at }
  await recordEvent(ctx, { kind: 'user.deleted', payload: { user_id: id, username, was }, actorId })
}
