/**
 * Side effects of a change of an issue, in the same transaction: the event, a system note for each change, resource events, and to-do
 * items for new assignees. All are derived from the change set.
 */

import { type Closer, recordSystemNotes } from '../../../collaboration/system_notes/record.ts'
import { addTodos, finishTodos } from '../../../collaboration/todos/write.ts'
import type { ChangeSet } from '../../../platform/events/audit/kinds.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { recordResourceEvents } from '../../resource_events/write.ts'

/** An issue after its change. */
export interface ChangedIssue {
  readonly id: number
  readonly project_id: number
  readonly project_path: string
  readonly state: 'opened' | 'closed'
}

/** Changes that count as the caller's reaction to the issue: they complete the caller's pending to-do items. */
const settling = ['state', 'assignees', 'milestone_id', 'labels'] as const

/**
 * Records the change of an issue with all its side effects.
 * @param closer what closed it automatically, if anything did
 */
export async function recordIssueChange(ctx: Context, issue: ChangedIssue, changes: ChangeSet, closer?: Closer): Promise<void> {
  const { db, actor, now } = ctx
  const userId = actor.user?.id
  await recordEvent(db, { kind: 'issue.updated', payload: { issue_id: issue.id, changes }, actorId: userId, projectId: issue.project_id })
  await recordResourceEvents(db, { issue_id: issue.id, user_id: userId ?? null, created_at: now, state: issue.state }, changes)
  // Changes by the server itself have no author, and thus no notes.
  if (userId === undefined) return
  await recordSystemNotes(db, { issue_id: issue.id, author_id: userId, project_path: issue.project_path, created_at: now, closer }, changes)
  if (settling.some(name => changes[name])) await finishTodos(db, userId, { issue_id: issue.id }, now)
  if (changes.assignees) {
    const { from, to } = changes.assignees as { from: readonly number[]; to: readonly number[] }
    await assignTodos(
      ctx,
      issue,
      to.filter(id => !from.includes(id)),
    )
  }
}

/** Creates to-do items for new assignees, the caller included. */
export async function assignTodos({ db, actor, now }: Context, issue: Pick<ChangedIssue, 'id' | 'project_id'>, userIds: readonly number[]) {
  const authorId = actor.user?.id
  if (authorId === undefined) return
  await addTodos(db, { issue_id: issue.id, project_id: issue.project_id, author_id: authorId, action: 'assigned', user_ids: userIds }, now)
}
