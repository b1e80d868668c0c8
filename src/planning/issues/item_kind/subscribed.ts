/** Subscriptions to issues. */

import { subscribedAmong } from '../../../collaboration/subscriptions/subscribed.ts'
import type { Db } from '../../../platform/db/connection.ts'
import type { IssueRow } from '../queries.ts'

/** Which of these issues a user is subscribed to: explicitly, else as author or assignee. */
export const subscribedIssues = (
  db: Db,
  userId: number | undefined,
  rows: readonly Pick<IssueRow, 'id' | 'author_id' | 'assignee_ids'>[],
): Promise<ReadonlySet<number>> =>
  subscribedAmong(db, userId, 'issue_id', rows, (row, id) => row.author_id === id || row.assignee_ids.includes(id))
