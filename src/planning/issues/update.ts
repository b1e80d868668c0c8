/**
 * Changing an issue: the one way in which the API, quick actions and background work do it. The change set that comes
 * out is recorded as the event `issue.updated` in the same transaction, and all that follows is made from it.
 */

import { sql } from 'kysely'
import { noticeMentions } from '../../collaboration/mentions/notice.ts'
import type { Closer } from '../../collaboration/system_notes/record.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid, notFound } from '../../platform/kernel/errors.ts'
import { next } from '../../platform/kernel/machine.ts'
import { planningPlaceOf } from '../../spaces/places/project_places.ts'
import { countIssue } from '../../spaces/projects/issue_counts.ts'
import type { ProjectRow } from '../../spaces/projects/queries.ts'
import { labelIdsAfter } from '../labels/chosen.ts'
import { milestoneFor } from '../shared/attributes.ts'
import { changeOfList, changesOfColumns } from '../shared/change_sets.ts'
import { taskCounts } from '../shared/task_lists.ts'
import { type AdminAttributes, assigneesAmong, epicFor, iterationFor, lastInEpic, type OwnAttributes } from './attributes.ts'
import { recordIssueChange } from './changed.ts'
import { type IssueRow, issueById } from './queries.ts'
import { issueTextPlace } from './readers.ts'
import { issueMachine } from './states.ts'

/** What is to become of an issue; what is not given stays. */
export interface IssueChanges extends OwnAttributes, AdminAttributes {
  /** Contract: closing what is closed, or reopening what is open, changes nothing (public behaviour at 14.0). */
  readonly state_event?: 'close' | 'reopen' | undefined
  /** What closes it, where nobody does it by hand. */
  readonly closer?: Closer | undefined
  /** Labels to add to those that are there, by name. */
  readonly add_labels?: readonly string[] | undefined
  readonly remove_labels?: readonly string[] | undefined
  /** The issue that this one has become, in another project or as the one that it repeats. */
  readonly moved_to_id?: number | undefined
  readonly duplicated_to_id?: number | undefined
  /** The epic that it has become. */
  readonly promoted_to_epic_id?: number | undefined
  /** The time to record; for those who may choose it. Now unless given. */
  readonly updated_at?: string | undefined
}

/** Keeps everybody else from changing an issue until the transaction ends, not from talking about it; 404 when it is gone. */
export async function lockIssue(db: Db, id: number): Promise<void> {
  const row = await db.selectFrom('issues').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw notFound('Issue')
}

/**
 * Changes an issue of `project` and returns it as it is then. Of two who do the same at once one makes the change, and
 * there is one event. 400 for a blank title or a milestone of another place.
 */
export async function updateIssue(
  ctx: Context,
  project: ProjectRow,
  issue: { readonly id: number },
  changes: IssueChanges,
): Promise<IssueRow> {
  const { db } = ctx
  await lockIssue(db, issue.id)
  const before = (await issueById(db, issue.id, project.full_path)) as IssueRow
  const columns = await columnsOf(ctx, project, before, changes)
  const labelIds = await labelIdsAfter(ctx, planningPlaceOf(project), before.label_ids, changes)
  const assigneeIds = changes.assignee_ids ? await assigneesAmong(ctx, project, changes.assignee_ids) : before.assignee_ids
  const changed = {
    ...changesOfColumns(before, columns, derived),
    ...changeOfList('labels', before.label_ids, labelIds),
    ...changeOfList('assignees', before.assignee_ids, assigneeIds),
  }
  if (Object.keys(changed).length === 0) return before

  await db
    .updateTable('issues')
    .set({ ...columns, updated_at: changes.updated_at ?? ctx.now })
    .where('id', '=', before.id)
    .execute()
  if (changed.labels) await setLabels(db, before.id, labelIds)
  if (changed.assignees) await setAssignees(db, before.id, assigneeIds)
  await countIssue(db, project.id, before, { ...before, ...columns })
  const after = (await issueById(db, issue.id, project.full_path)) as IssueRow
  await recordIssueChange(ctx, after, changed, changes.closer)
  if (changed.description) await noticeMentions(ctx, issueTextPlace(project, after), after.description, { isEdit: true })
  return after
}

/** The columns that the changes set, `updated_at` apart. */
async function columnsOf(ctx: Context, project: ProjectRow, before: IssueRow, changes: IssueChanges) {
  const { title, description, milestone_id, iteration_id, state_event } = changes
  const epic_id = await epicFor(ctx, project, changes)
  if (title !== undefined && title.trim() === '') throw invalid({ title: ["can't be blank"] })
  const state = state_event && next(issueMachine, before.state, state_event)
  const tasks = description === undefined ? undefined : taskCounts(description)
  const isEdited = description !== undefined && description !== before.description
  const columns = {
    title: title?.trim(),
    description,
    tasks_count: tasks?.count,
    tasks_completed_count: tasks?.completed,
    ...(isEdited && { last_edited_at: ctx.now, last_edited_by_id: ctx.actor.user?.id ?? null }),
    issue_type: changes.issue_type,
    confidential: changes.confidential,
    discussion_locked: changes.discussion_locked,
    due_date: changes.due_date,
    weight: changes.weight,
    health_status: changes.health_status,
    milestone_id: milestone_id === undefined ? undefined : await milestoneFor(ctx, project, milestone_id),
    iteration_id: iteration_id === undefined ? undefined : await iterationFor(ctx, project, iteration_id),
    epic_id,
    ...(epic_id !== undefined && epic_id !== before.epic_id && { epic_position: lastInEpic(epic_id) }),
    moved_to_id: changes.moved_to_id,
    duplicated_to_id: changes.duplicated_to_id,
    promoted_to_epic_id: changes.promoted_to_epic_id,
    ...(state && {
      state,
      closed_at: state === 'closed' ? ctx.now : null,
      closed_by_id: state === 'closed' ? (ctx.actor.user?.id ?? null) : null,
    }),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<
    Record<keyof typeof columns, never>
  >
}

/** What follows from other columns and is no change by itself. */
const derived = new Set([
  'epic_position',
  'promoted_to_epic_id',
  'tasks_count',
  'tasks_completed_count',
  'last_edited_at',
  'last_edited_by_id',
  'closed_at',
  'closed_by_id',
])

/** Gives an issue these labels and no others. */
export async function setLabels(db: Db, issueId: number, labelIds: readonly number[]): Promise<void> {
  await db.deleteFrom('issue_labels').where('issue_id', '=', issueId).where(sql<boolean>`label_id <> all(${labelIds}::bigint[])`).execute()
  if (labelIds.length === 0) return
  await db
    .insertInto('issue_labels')
    .values(labelIds.map(label_id => ({ issue_id: issueId, label_id })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Assigns an issue to these people and nobody else. */
export async function setAssignees(db: Db, issueId: number, userIds: readonly number[]): Promise<void> {
  await db.deleteFrom('issue_assignees').where('issue_id', '=', issueId).where(sql<boolean>`user_id <> all(${userIds}::bigint[])`).execute()
  if (userIds.length === 0) return
  await db
    .insertInto('issue_assignees')
    .values(userIds.map(user_id => ({ issue_id: issueId, user_id })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
