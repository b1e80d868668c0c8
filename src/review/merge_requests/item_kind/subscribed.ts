/** Subscriptions to merge requests. */

import { subscribedAmong } from '../../../collaboration/subscriptions/subscribed.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { MergeRequestRow } from '../queries.ts'

/** Which of these merge requests a user is subscribed to: explicitly, else as author, assignee or reviewer. */
export const subscribedMergeRequests = (
  db: Db,
  userId: number | undefined,
  rows: readonly Pick<MergeRequestRow, 'id' | 'author_id' | 'assignee_ids' | 'reviewer_ids'>[],
): Promise<ReadonlySet<number>> =>
  subscribedAmong(
    db,
    userId,
    'merge_request_id',
    rows,
    (row, id) => row.author_id === id || row.assignee_ids.includes(id) || row.reviewer_ids.includes(id),
  )
