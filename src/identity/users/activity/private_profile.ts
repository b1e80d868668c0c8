/** What a private profile keeps from others: activity and stars. One rule, for one user and as a condition on rows. */
import { type RawBuilder, sql } from 'kysely'
import { type Actor, isAdmin } from '../../../platform/access/actor.ts'

/** May the actor see the activity and the stars of this user? Those of a private profile are for the user and for administrators alone. */
export const showsActivity = (actor: Actor, user: { readonly id: number; readonly private_profile: boolean }): boolean =>
  !user.private_profile || actor.user?.id === user.id || isAdmin(actor)

/** The same of the user `users`. Private profiles are few and have an index of their own: not all users of a list are read for it. */
export const activityVisibleTo = (actor: Actor): RawBuilder<boolean> =>
  isAdmin(actor)
    ? sql`true`
    : sql`users.id not in (select hidden.id from users hidden where hidden.private_profile and hidden.id is distinct from ${actor.user?.id ?? null}::bigint)`
