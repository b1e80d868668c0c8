/** Who hears of a merge request: whoever takes part in it, unless they have chosen otherwise. */
import { anyOf } from '../db/any.ts'
import type { Db } from '../db/connection.ts'
import type { MergeRequestRow } from './queries.ts'

/** Which of these merge requests a user is subscribed to: by their own choice, else as author, assignee or reviewer. */
export async function subscribedMergeRequests(
  db: Db,
  userId: number | undefined,
  rows: readonly Pick<MergeRequestRow, 'id' | 'author_id' | 'assignee_ids' | 'reviewer_ids'>[],
): Promise<ReadonlySet<number>> {
  if (userId === undefined) return new Set()
  const chosen = await db
    .selectFrom('subscriptions')
    .select(({ ref }) => [ref('merge_request_id').$notNull().as('id'), 'subscribed'])
    .where('user_id', '=', userId)
    .where('merge_request_id', '=', anyOf(rows.map(row => row.id)))
    .execute()
  const choices = new Map(chosen.map(row => [row.id, row.subscribed]))
  const takesPart = (row: (typeof rows)[number]) =>
    row.author_id === userId || row.assignee_ids.includes(userId) || row.reviewer_ids.includes(userId)
  return new Set(rows.filter(row => choices.get(row.id) ?? takesPart(row)).map(row => row.id))
}
