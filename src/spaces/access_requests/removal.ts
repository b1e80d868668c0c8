/** Ending an access request. A file of its own, for memberships end requests and approved requests make memberships. */

import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'

/** Takes a person's request away, if there is one: it was denied, or they are a member now. */
export async function removeAccessRequest(db: Db, place: Place, userId: number): Promise<void> {
  await db
    .deleteFrom('access_requests')
    .where('user_id', '=', userId)
    .where(({ and }) => and(place))
    .execute()
}
