/**
 * Changing an issue: the only way for the API, quick actions and background work. The resulting change set is recorded as the event
 * `issue.updated` in the same transaction, and all side effects are derived from it.
 */

import { sql } from 'kysely'
import { processMentions, readMentions } from '../../../collaboration/mentions/process.ts'
import type { Closer } from '../../../collaboration/system_notes/record.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { next } from '../../../platform/kernel/declaration/machine.ts'
import { invalid, notFound } from '../../../platform/kernel/errors.ts'
import { planningPlaceOf } from '../../../spaces/places/places.ts'
import { countIssue } from '../../../spaces/projects/facts/issue_counts.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { labelIdsAfter } from '../../labels/label_changes.ts'
import { milestoneFor } from '../../shared/attributes.ts'
import { changeOfList, changesOfColumns } from '../../shared/change_sets.ts'
import { lockContents } from '../../shared/epics.ts'
import { taskCounts } from '../../shared/task_lists.ts'
import { issueTextPlace } from '../item_kind/readers.ts'
import { type IssueRow, issueById } from '../queries.ts'
import { issueMachine } from '../states.ts'
import { type AdminAttributes, assigneesAmong, epicFor, iterationFor, lastInEpic, type OwnAttributes } from './attributes.ts'
import { recordIssueChange } from './changed.ts'

/** Changes of an issue; attributes that are not given stay. */
export interface IssueChanges extends OwnAttributes, AdminAttributes {
  /** Contract: closing a closed issue, or reopening an open one, is ignored (public behaviour at 14.0). */
  readonly state_event?: 'close' | 'reopen' | undefined
  /** What closes it automatically, if anything does. */
  readonly closer?: Closer | undefined
  /** Labels to add to the present ones, by name. */
  readonly add_labels?: readonly string[] | undefined
  readonly remove_labels?: readonly string[] | undefined
  /** The issue in another project that it was moved to, or that it duplicates. */
  readonly moved_to_id?: number | undefined
  readonly duplicated_to_id?: number | undefined
  /** The epic that it was promoted to. */
  readonly promoted_to_epic_id?: number | undefined
  /** The recorded time, for callers who may set it; default now. */
  readonly updated_at?: string | undefined
}

/** Locks an issue against changes, but not against new notes, until the transaction ends; 404 if it was deleted. */
export async function lockIssue(db: Db, id: number): Promise<void> {
  const row = await db.selectFrom('issues').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw notFound('Issue')
}

/**
 * Locks an issue as `lockIssue` does, and before it the epic that it is in and the one that it is to be in. An issue that came into another
 * epic meanwhile has the transaction run again.
 */
export async function lockIssueAndEpics(db: Db, id: number, epicId: number | null): Promise<void> {
  const locked = await lockContents(db, sql`${epicId}::bigint, (select epic_id from issues where issues.id = ${id})`)
  await lockIssue(db, id)
  await db
    .selectFrom('issues')
    .select('id')
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('epic_id', 'is', null), eb('epic_id', '=', anyOf(locked))]))
    .executeTakeFirstOrThrow()
}

/** Locks an issue as `lockIssue` does, and against notes, links and awards that are added to it. */
export async function lockIssueAndParts(db: Db, id: number): Promise<void> {
  const row = await db.selectFrom('issues').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw notFound('Issue')
}

/**
 * Changes an issue of `project` and returns the new row. Of two concurrent identical requests one makes the change, and
 * one event is recorded. 400 for a blank title or a milestone of another place.
 */
export async function updateIssue(
  ctx: Context,
  project: ProjectRow,
  issue: { readonly id: number },
  changes: IssueChanges,
): Promise<IssueRow> {
  const { db } = ctx
  await readMentions(changes.description)
  const epicId = await epicFor(ctx, project, changes)
  await (epicId === undefined ? lockIssue(db, issue.id) : lockIssueAndEpics(db, issue.id, epicId))
  const before = (await issueById(db, issue.id, project.full_path)) as IssueRow
  const columns = await columnsOf(ctx, project, before, changes, epicId)
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
  if (changed.description) await processMentions(ctx, issueTextPlace(project, after), after.description, { isEdit: true })
  return after
}

/** The columns that the changes set, except `updated_at`. */
async function columnsOf(ctx: Context, project: ProjectRow, before: IssueRow, changes: IssueChanges, epic_id: number | null | undefined) {
  const { title, description, milestone_id, iteration_id, state_event } = changes
  if (title !== undefined && title.trim() === '') throw invalid({ title: ["can't be blank"] })
  const state = state_event && next(issueMachine, before.state, state_event)
  const tasks = description === undefined ? undefined : await taskCounts(description)
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

/** Columns that are derived from others and are not changes themselves. */
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

/** Replaces the labels of an issue. */
export async function setLabels(db: Db, issueId: number, labelIds: readonly number[]): Promise<void> {
  await db.deleteFrom('issue_labels').where('issue_id', '=', issueId).where(sql<boolean>`label_id <> all(${labelIds}::bigint[])`).execute()
  if (labelIds.length === 0) return
  await db
    .insertInto('issue_labels')
    .values(labelIds.map(label_id => ({ issue_id: issueId, label_id })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Replaces the assignees of an issue. */
export async function setAssignees(db: Db, issueId: number, userIds: readonly number[]): Promise<void> {
  await db.deleteFrom('issue_assignees').where('issue_id', '=', issueId).where(sql<boolean>`user_id <> all(${userIds}::bigint[])`).execute()
  if (userIds.length === 0) return
  await db
    .insertInto('issue_assignees')
    .values(userIds.map(user_id => ({ issue_id: issueId, user_id })))
    .onConflict(conflict => conflict.doNothing())
    .execute()
}
