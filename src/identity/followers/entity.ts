/** A user with the counts of followers, as `GET /users/:id` shows them (users API at 14.0). */
import Type, { type TProperties } from 'typebox'
import { type Entity, entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { integer, optional } from '../../platform/kernel/declaration/types.ts'
import { showsActivity } from '../users/activity/private_profile.ts'
import { UserForAdmins, UserProfile } from '../users/entity.ts'
import type { UserRow } from '../users/queries.ts'
import { type FollowCounts, followCountsOf } from './queries.ts'

const counts = {
  followers: optional(integer('How many users follow them; not of a private profile')),
  following: optional(integer('How many users they follow; not of a private profile')),
}

interface Loaded<L> {
  readonly inner: L
  readonly counted: ReadonlyMap<number, FollowCounts>
}

/** The same entity with both counts, as far as the profile shows activity to the reader. */
const withCounts = <L, P extends TProperties>(name: string, { schema, load, present }: Entity<UserRow, L, Type.TObject<P>>) =>
  entity({
    name,
    schema: Type.Object({ ...schema.properties, ...counts }),
    load: async (ctx: Context, rows: readonly UserRow[]): Promise<Loaded<L>> => ({
      inner: (await load?.(ctx, rows)) as L,
      counted: await followCountsOf(
        ctx.db,
        rows.map(row => row.id),
      ),
    }),
    present: (row: UserRow, { inner, counted }: Loaded<L>, facts) =>
      ({ ...present(row, inner, facts), ...(showsActivity(facts.actor, row) && counted.get(row.id)) }) as never,
  })

export const ProfileWithCounts = withCounts('UserWithCounts', UserProfile)
export const UserForAdminsWithCounts = withCounts('UserForAdminsWithCounts', UserForAdmins)
