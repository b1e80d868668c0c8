/**
 * Removes access requests. A file of its own, because commands of memberships remove requests, and approving a request creates a
 * membership.
 */

import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'

/** Removes a user's request, if there is one: it was denied, or they are a member now. */
export async function removeAccessRequest(db: Db, place: Place, userId: number): Promise<void> {
  await db
    .deleteFrom('access_requests')
    .where('user_id', '=', userId)
    .where(({ and }) => and(place))
    .execute()
}
