/** Reads of access requests: users who ask to become members of a group or project. */

import type { SummaryRow } from '../../identity/users/queries.ts'
import { summaryColumns } from '../../identity/users/queries.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'

/** A request: the summary of the user, `id` included, and its time. */
export interface AccessRequestRow extends SummaryRow {
  readonly requested_at: string
}

/** The open requests of a group or project, the oldest first. */
export const accessRequestsOf = (db: Db, place: Place) =>
  db
    .selectFrom('access_requests')
    .innerJoin('users', 'users.id', 'access_requests.user_id')
    .select([...summaryColumns, 'access_requests.created_at as requested_at'])
    .where(({ and, eb }) =>
      and(
        'project_id' in place
          ? [eb('access_requests.project_id', '=', place.project_id)]
          : [eb('access_requests.namespace_id', '=', place.namespace_id)],
      ),
    )
    .orderBy('access_requests.id')

/** The open request of one user. */
export const accessRequestBy = (db: Db, place: Place, userId: number) =>
  accessRequestsOf(db, place).where('users.id', '=', userId).executeTakeFirst()
