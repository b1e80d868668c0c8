/** Writes of the lists of a merge request: labels, assignees and reviewers. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'

/** Replaces the labels of a merge request. */
export async function setLabels(db: Db, mergeRequestId: number, labelIds: readonly number[]): Promise<void> {
  await db
    .deleteFrom('merge_request_labels')
    .where('merge_request_id', '=', mergeRequestId)
    .where(sql<boolean>`label_id <> all(${labelIds}::bigint[])`)
    .execute()
  if (labelIds.length === 0) return
  await db
    .insertInto('merge_request_labels')
    .values(labelIds.map(label_id => ({ merge_request_id: mergeRequestId, label_id })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

const setPeople =
  (table: 'merge_request_assignees' | 'merge_request_reviewers') =>
  async (db: Db, mergeRequestId: number, userIds: readonly number[]): Promise<void> => {
    await db
      .deleteFrom(table)
      .where('merge_request_id', '=', mergeRequestId)
      .where(sql<boolean>`user_id <> all(${userIds}::bigint[])`)
      .execute()
    if (userIds.length === 0) return
    await db
      .insertInto(table)
      .values(userIds.map(user_id => ({ merge_request_id: mergeRequestId, user_id })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }

/** Replaces the assignees of a merge request. */
export const setAssignees = setPeople('merge_request_assignees')

/** Replaces the reviewers of a merge request; those who stay keep their review state. */
export const setReviewers = setPeople('merge_request_reviewers')
