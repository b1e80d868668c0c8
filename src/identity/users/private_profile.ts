/** What a private profile keeps from others: activity and stars. One rule, for one user and as a condition on rows. */
import { type RawBuilder, sql } from 'kysely'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'

/** May the actor see the activity and the stars of this user? Those of a private profile are for the user and for administrators alone. */
export const showsActivity = (actor: Actor, user: { readonly id: number; readonly private_profile: boolean }): boolean =>
  !user.private_profile || actor.user?.id === user.id || isAdmin(actor)

/** The same of the user `users`. */
export const activityVisibleTo = (actor: Actor): RawBuilder<boolean> =>
  isAdmin(actor) ? sql`true` : sql`(not users.private_profile or users.id is not distinct from ${actor.user?.id ?? null}::bigint)`
