/** Reads of who follows whom. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { summaryColumns } from '../users/queries.ts'

/** How many follow a user, and how many the user follows. */
export interface FollowCounts {
  readonly followers: number
  readonly following: number
}

/** The users who follow a user, the latest first. */
export const followersOf = (db: Db, userId: number) =>
  db
    .selectFrom('user_follows')
    .innerJoin('users', 'users.id', 'user_follows.follower_id')
    .select(summaryColumns)
    .where('user_follows.followed_id', '=', userId)
    .orderBy('user_follows.created_at', 'desc')
    .orderBy('users.id', 'desc')

/** The users whom a user follows, the latest first. */
export const followedBy = (db: Db, userId: number) =>
  db
    .selectFrom('user_follows')
    .innerJoin('users', 'users.id', 'user_follows.followed_id')
    .select(summaryColumns)
    .where('user_follows.follower_id', '=', userId)
    .orderBy('user_follows.created_at', 'desc')
    .orderBy('users.id', 'desc')

/** Does a user follow another? */
export async function follows(db: Db, followerId: number, followedId: number): Promise<boolean> {
  const found = await db
    .selectFrom('user_follows')
    .select('follower_id')
    .where('follower_id', '=', followerId)
    .where('followed_id', '=', followedId)
    .executeTakeFirst()
  return found !== undefined
}

/** The counts of each of these users: one statement. */
export async function followCountsOf(db: Db, userIds: readonly number[]): Promise<Map<number, FollowCounts>> {
  const count = (column: 'follower_id' | 'followed_id'): RawBuilder<number> =>
    sql`(select count(*) from user_follows where user_follows.${sql.ref(column)} = users.id)::int`
  const rows = await db
    .selectFrom('users')
    .select(['users.id', count('followed_id').as('followers'), count('follower_id').as('following')])
    .where('users.id', '=', anyOf(userIds))
    .execute()
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}
