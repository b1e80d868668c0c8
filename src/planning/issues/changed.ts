/**
 * What follows the change of an issue in the same transaction: the event, a note for each change, the facts that are
 * charted, and what there is to do for those it is newly assigned to. All of it is made from the change set.
 */

import { type Closer, recordSystemNotes } from '../../collaboration/system_notes/record.ts'
import { addTodos, finishTodos } from '../../collaboration/todos/write.ts'
import { type ChangeSet, recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { recordResourceEvents } from '../resource_events/write.ts'

/** An issue after its change. */
export interface ChangedIssue {
  readonly id: number
  readonly project_id: number
  readonly project_path: string
  readonly state: 'opened' | 'closed'
}

/** Changes by which somebody has done something about an issue: what they have pending there is settled (to-do items). */
const settling = ['state', 'assignees', 'milestone_id', 'labels'] as const

/**
 * Records the change of an issue with all that follows from it at once.
 * @param closer what has closed it, where nobody did by hand
 */
export async function recordIssueChange(ctx: Context, issue: ChangedIssue, changes: ChangeSet, closer?: Closer): Promise<void> {
  const { db, actor, now } = ctx
  const userId = actor.user?.id
  await recordEvent(db, { kind: 'issue.updated', payload: { issue_id: issue.id, changes }, actorId: userId, projectId: issue.project_id })
  await recordResourceEvents(db, { issue_id: issue.id, user_id: userId ?? null, created_at: now, state: issue.state }, changes)
  // What the server does by itself is nobody's word.
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

/** Something to do for those whom an issue is newly assigned to, the caller among them (to-do items). */
export async function assignTodos({ db, actor, now }: Context, issue: Pick<ChangedIssue, 'id' | 'project_id'>, userIds: readonly number[]) {
  const authorId = actor.user?.id
  if (authorId === undefined) return
  await addTodos(db, { issue_id: issue.id, project_id: issue.project_id, author_id: authorId, action: 'assigned', user_ids: userIds }, now)
}
