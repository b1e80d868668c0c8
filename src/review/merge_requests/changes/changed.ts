/**
 * Side effects of a change of a merge request, in the same transaction: the event, a system note for each change, resource events, and
 * to-do items for new assignees and reviewers. All are derived from the change set.
 */

import { recordSystemNotes } from '../../../collaboration/system_notes/record.ts'
import { addTodos, finishTodos } from '../../../collaboration/todos/write.ts'
import { recordResourceEvents } from '../../../planning/resource_events/write.ts'
import type { ChangeSet } from '../../../platform/events/audit/kinds.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { MergeRequestRow } from '../queries.ts'
import { titleOf } from './drafts.ts'

/** A merge request after its change. */
export type ChangedMergeRequest = Pick<MergeRequestRow, 'id' | 'project_id' | 'project_path' | 'state'>

/** Changes that count as the caller's reaction to the merge request: they complete the caller's pending to-do items. */
const settling = ['state', 'assignees', 'reviewers', 'milestone_id', 'labels'] as const

/** Records the change of a merge request with all its side effects. */
export async function recordMergeRequestChange(ctx: Context, mergeRequest: ChangedMergeRequest, changes: ChangeSet): Promise<void> {
  const { db, actor, now } = ctx
  const { id, project_id, project_path, state } = mergeRequest
  const userId = actor.user?.id
  const key = { merge_request_id: id }
  await recordEvent(db, { kind: 'merge_request.updated', payload: { ...key, changes }, actorId: userId, projectId: project_id })
  await recordResourceEvents(db, { ...key, user_id: userId ?? null, created_at: now, state }, changes)
  // Changes by the server itself have no author, and thus no notes.
  if (userId === undefined) return
  await recordSystemNotes(db, { ...key, author_id: userId, project_path, created_at: now }, withoutDraftMark(changes))
  if (settling.some(name => changes[name])) await finishTodos(db, userId, key, now)
  await createTodos(ctx, mergeRequest, 'assigned', changes.assignees)
  await createTodos(ctx, mergeRequest, 'review_requested', changes.reviewers)
}

/** Contract: a title that only gains or loses the draft mark makes a note about the draft state alone (public behaviour at 14.0). */
function withoutDraftMark(changes: ChangeSet): ChangeSet {
  const { title, ...rest } = changes
  return title && titleOf(String(title.from), false) !== titleOf(String(title.to), false) ? changes : rest
}

/** Creates to-do items for users newly added to a list of people, the caller included. */
export async function createTodos(
  { db, actor, now }: Context,
  { id, project_id }: Pick<ChangedMergeRequest, 'id' | 'project_id'>,
  action: 'assigned' | 'review_requested',
  change: ChangeSet[string] | undefined,
): Promise<void> {
  if (!change || !actor.user) return
  const { from, to } = change as { from: readonly number[]; to: readonly number[] }
  const user_ids = to.filter(userId => !from.includes(userId))
  await addTodos(db, { merge_request_id: id, project_id, author_id: actor.user.id, action, user_ids }, now)
}
