/** Reviewers of a merge request and their review states (merge requests API, "reviewers"). */

import Type from 'typebox'
import { presentSummary, summaryFields } from '../../../identity/users/entity.ts'
import type { SummaryRow } from '../../../identity/users/queries.ts'
import { idsOf, usersById } from '../../../identity/users/queries.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { DateTime, described, text } from '../../../platform/kernel/declaration/types.ts'

/** The reviewers of a merge request, in order of request. */
export const reviewersOf = (db: Db, mergeRequestId: number) =>
  db
    .selectFrom('merge_request_reviewers')
    .select(['user_id', 'state', 'created_at'])
    .where('merge_request_id', '=', mergeRequestId)
    .orderBy('created_at')
    .orderBy('user_id')

type ReviewerRow = Awaited<ReturnType<ReturnType<typeof reviewersOf>['executeTakeFirstOrThrow']>>

export const Reviewer = entity({
  name: 'MergeRequestReviewer',
  schema: Type.Object({
    user: described('The reviewer', Type.Object(summaryFields)),
    state: text('State of the review: `unreviewed` or `reviewed`'),
    created_at: DateTime('When it was created'),
  }),
  load: ({ db }: Context, rows: readonly ReviewerRow[]) => usersById(db, idsOf(rows, 'user_id')),
  present: ({ user_id, state, created_at }: ReviewerRow, users: Map<number, SummaryRow>, facts) => ({
    user: presentSummary(users.get(user_id)!, facts),
    state,
    created_at,
  }),
})

/** Records that a reviewer has reviewed the merge request; does nothing for other users. */
export async function markReviewed(db: Db, mergeRequestId: number, userId: number): Promise<void> {
  await db
    .updateTable('merge_request_reviewers')
    .set({ state: 'reviewed' })
    .where('merge_request_id', '=', mergeRequestId)
    .where('user_id', '=', userId)
    .execute()
}
