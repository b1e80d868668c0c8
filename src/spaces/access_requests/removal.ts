/**
 * Removes access requests. A file of its own, because commands of memberships remove requests, and approving a request creates a
 * membership.
 */

import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/**
 * Removes the requests of users, if there are any: they were denied, or the users are members now.
 * @returns how many there were
 */
export async function removeAccessRequests(db: Db, place: Place, userIds: readonly number[]): Promise<number> {
  const removed = await db
    .deleteFrom('access_requests')
    .where('user_id', '=', anyOf(userIds))
    .where(({ and }) => and(place))
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}
