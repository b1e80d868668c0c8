/**
 * What follows the change of a merge request in the same transaction: the event, a note for each change, the facts that are
 * charted, and what there is to do for those it is newly assigned to or who are asked to review. All of it is made from the
 * change set.
 */

import { recordSystemNotes } from '../../collaboration/system_notes/record.ts'
import { addTodos, finishTodos } from '../../collaboration/todos/write.ts'
import { recordResourceEvents } from '../../planning/resource_events/write.ts'
import { type ChangeSet, recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { titleOf } from './drafts.ts'
import type { MergeRequestRow } from './queries.ts'

/** A merge request after its change. */
export type ChangedMergeRequest = Pick<MergeRequestRow, 'id' | 'project_id' | 'project_path' | 'state'>

/** Changes by which somebody has done something about a merge request: what they have pending there is settled (to-do items). */
const settling = ['state', 'assignees', 'reviewers', 'milestone_id', 'labels'] as const

/** Records the change of a merge request with all that follows from it at once. */
export async function recordMergeRequestChange(ctx: Context, mergeRequest: ChangedMergeRequest, changes: ChangeSet): Promise<void> {
  const { db, actor, now } = ctx
  const { id, project_id, project_path, state } = mergeRequest
  const userId = actor.user?.id
  const key = { merge_request_id: id }
  await recordEvent(db, { kind: 'merge_request.updated', payload: { ...key, changes }, actorId: userId, projectId: project_id })
  await recordResourceEvents(db, { ...key, user_id: userId ?? null, created_at: now, state }, changes)
  // What the server does by itself is nobody's word.
  if (userId === undefined) return
  await recordSystemNotes(db, { ...key, author_id: userId, project_path, created_at: now }, tellable(changes))
  if (settling.some(name => changes[name])) await finishTodos(db, userId, key, now)
  await createTodos(ctx, mergeRequest, 'assigned', changes.assignees)
  await createTodos(ctx, mergeRequest, 'review_requested', changes.reviewers)
}

/** Contract: a title that says nothing new but that this is a draft, or is none, is told as that alone (public behaviour at 14.0). */
function tellable(changes: ChangeSet): ChangeSet {
  const { title, ...rest } = changes
  return title && titleOf(String(title.from), false) !== titleOf(String(title.to), false) ? changes : rest
}

/** Something to do for those who are new in a list of people, the caller among them (to-do items). */
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
