/** The last step of deleting an account, the same for people and bots. */
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { UserRow } from '../queries.ts'
import { accountRemoval } from './account_removal.ts'
import { ghostId } from './ghost.ts'

/** A deleted account, with the facts that its event carries. */
export type DeletedAccount = Pick<UserRow, 'id' | 'username' | 'name' | 'email' | 'created_at' | 'updated_at'>

/**
 * Deletes an account: its work is cancelled, and what it wrote is deleted too with `writings: 'removed'`, or else reassigned to the ghost
 * user. The caller handles what the account owns (groups, projects). `ctx.db` is a transaction.
 */
export async function deleteAccount(
  ctx: Context,
  account: DeletedAccount,
  { writings }: { readonly writings: 'kept' | 'removed' },
): Promise<void> {
  const { db, actor } = ctx
  const { id, username, name, email, created_at, updated_at } = account
  const others = accountRemoval.value
  await others.stopWork(ctx, id)
  await others.endRights(ctx, id)
  if (writings === 'removed') await others.removeAuthored(ctx, id)
  else await others.reassignAuthored(ctx, id, await ghostId(ctx))
  await db.deleteFrom('users').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  // A bot that revokes its own last token cannot be the actor of the event: it no longer exists.
  const actorId = actor.user?.id === id ? undefined : actor.user?.id
  const was = { name, email, created_at, updated_at }
  await recordEvent(ctx, { kind: 'user.deleted', payload: { user_id: id, username, was }, actorId })
}
