/** Following the activity of others. */
import type { Context } from '../../platform/kernel/context.ts'
import { notModified, unauthenticated } from '../../platform/kernel/errors.ts'
import type { UserRow } from '../users/queries.ts'

const callerOf = ({ actor }: Context): number => {
  if (!actor.user) throw unauthenticated()
  return actor.user.id
}

/** The caller follows a user. @throws notModified where they do, and for themselves */
export async function followUser(ctx: Context, user: UserRow): Promise<UserRow> {
  const follower_id = callerOf(ctx)
  if (follower_id === user.id) throw notModified()
  const { numInsertedOrUpdatedRows: added } = await ctx.db
    .insertInto('user_follows')
    .values({ follower_id, followed_id: user.id, created_at: ctx.now })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (added !== 1n) throw notModified()
  return user
}

/** The caller follows a user no longer. @throws notModified where they do not */
export async function unfollowUser(ctx: Context, user: UserRow): Promise<UserRow> {
  const { numDeletedRows: removed } = await ctx.db
    .deleteFrom('user_follows')
    .where('follower_id', '=', callerOf(ctx))
    .where('followed_id', '=', user.id)
    .executeTakeFirstOrThrow()
  if (removed !== 1n) throw notModified()
  return user
}
