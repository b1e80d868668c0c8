/**
 * Changing a merge request: the only way for the API, quick actions and background work. The resulting change set is recorded as the
 * event `merge_request.updated` in the same transaction, and all side effects are derived from it.
 */

import { processMentions, readMentions } from '../../../collaboration/mentions/process.ts'
import { labelIdsAfter } from '../../../planning/labels/label_changes.ts'
import { milestoneFor } from '../../../planning/shared/attributes.ts'
import { changeOfList, changesOfColumns, given } from '../../../planning/shared/change_sets.ts'
import { taskCounts } from '../../../planning/shared/task_lists.ts'
import { allows } from '../../../platform/access/abilities.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { uniqueViolation } from '../../../platform/db/errors.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { next } from '../../../platform/kernel/declaration/machine.ts'
import { conflict, invalid, notFound } from '../../../platform/kernel/errors.ts'
import { planningPlaceOf } from '../../../spaces/places/places.ts'
import { type ProjectRow, projectsById, visibleProject } from '../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { noteClosingIssues } from '../closing/commands.ts'
import { mergeRequestTextPlace } from '../item_kind/readers.ts'
import { isUnchecked, requestCheck } from '../merging/mergeability/check.ts'
import { type MergeRequestRow, mergeRequestById } from '../queries.ts'
import { mergeCheckMachine, mergeRequestMachine } from '../states.ts'
import { surveyWithRoom } from '../versions/record.ts'
import { mayFollowSource } from '../versions/source_access.ts'
import { type NewVersion, takeVersion, withNews } from '../versions/take.ts'
import { type AdminAttributes, type OwnAttributes, peopleAmong, squashIn } from './attributes.ts'
import { assertDistinctBranches, assertNoOpenMergeRequest, requireTips, SECOND, type SourceAndTarget } from './branches.ts'
import { recordMergeRequestChange } from './changed.ts'
import { isDraft } from './drafts.ts'
import { setAssignees, setLabels, setReviewers } from './rows.ts'

/** Changes of a merge request; attributes that are not given stay. */
export interface MergeRequestChanges extends OwnAttributes, AdminAttributes {
  readonly target_branch?: string | undefined
  /** Contract: an event that is impossible in the present state is ignored (public behaviour at 14.0). */
  readonly state_event?: 'close' | 'reopen' | undefined
  /** Labels to add to the present ones, by name. */
  readonly add_labels?: readonly string[] | undefined
  readonly remove_labels?: readonly string[] | undefined
}

/** Locks a merge request against changes, but not against new notes, until the transaction ends; 404 if it was deleted. */
export async function lockMergeRequest(db: Db, id: number): Promise<void> {
  const row = await db.selectFrom('merge_requests').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw notFound('Merge Request')
}

/**
 * Changes a merge request into `project` and returns the new row. Of two concurrent identical requests one makes the change, and
 * one event is recorded. A new target branch, and reopening, create a new version.
 * @throws Refusal 400 for a blank title, a missing branch or a milestone of another place; 422 for a branch into itself; 409 if
 * another one is open for the same branches
 */
export async function updateMergeRequest(
  ctx: Context,
  project: ProjectRow,
  mergeRequest: { readonly id: number },
  changes: MergeRequestChanges,
): Promise<MergeRequestRow> {
  const { db, deps, now } = ctx
  await readMentions(changes.description)
  const seen = await mergeRequestById(db, mergeRequest.id, project.full_path)
  if (!seen) throw notFound('Merge Request')
  // Read from git before taking locks.
  const surveyed = await versionFor(ctx, project, seen, changes)
  await lockMergeRequest(db, mergeRequest.id)
  const before = (await mergeRequestById(db, mergeRequest.id, project.full_path)) as MergeRequestRow
  // A push that was taken meanwhile has another version.
  const version = before.head_sha === seen.head_sha ? surveyed : await versionFor(ctx, project, before, changes)
  const columns = await columnsOf(ctx, project, before, changes)
  const labelIds = await labelIdsAfter(ctx, planningPlaceOf(project), before.label_ids, changes)
  const assigneeIds = changes.assignee_ids ? await peopleAmong(ctx, project, changes.assignee_ids) : before.assignee_ids
  const reviewerIds = changes.reviewer_ids ? await peopleAmong(ctx, project, changes.reviewer_ids) : before.reviewer_ids
  const changed = {
    ...changesOfColumns(before, columns, derived),
    ...changeOfList('labels', before.label_ids, labelIds),
    ...changeOfList('assignees', before.assignee_ids, assigneeIds),
    ...changeOfList('reviewers', before.reviewer_ids, reviewerIds),
  }
  if (Object.keys(changed).length === 0) return before

  await db
    .updateTable('merge_requests')
    .set({ ...columns, updated_at: now })
    .where('id', '=', before.id)
    .execute()
    .catch(error => {
      // A concurrent request opened another one.
      throw uniqueViolation(error) === 'merge_requests_open_key' ? conflict([SECOND]) : error
    })
  if (changed.labels) await setLabels(db, before.id, labelIds)
  if (changed.assignees) await setAssignees(db, before.id, assigneeIds)
  if (changed.reviewers) await setReviewers(db, before.id, reviewerIds)
  const repository = deps.storages.repository(project)
  const head = version && (changed.target_branch || changed.state) ? await takeVersion(ctx, repository, project, before, version) : {}
  const after = (await mergeRequestById(db, before.id, project.full_path)) as MergeRequestRow
  if (version || changed.description) await noteClosingIssues(ctx, project, after, version?.version.commits)
  await recordMergeRequestChange(ctx, after, { ...changed, ...head })
  if (isUnchecked(after) && (changed.target_branch || changed.state)) await requestCheck(db, after.id)
  if (changed.description) await processMentions(ctx, mergeRequestTextPlace(project, after), after.description, { isEdit: true })
  return after
}

/** The version that the changes create, if any. */
async function versionFor(
  ctx: Context,
  target: ProjectRow,
  row: MergeRequestRow,
  { state_event, target_branch = row.target_branch }: MergeRequestChanges,
): Promise<NewVersion | undefined> {
  const state = (state_event && next(mergeRequestMachine, row.state, state_event)) ?? row.state
  const isReopened = state === 'opened' && row.state !== 'opened'
  if (state !== 'opened' || (!isReopened && target_branch === row.target_branch)) return undefined
  const names = { source_branch: row.source_branch, target_branch }
  const ends = await endsOf(ctx, target, row)
  // As for a project that is gone: who cannot read it learns nothing of it.
  if (!(await mayFollowSource(ctx, row))) throw sourceIsGone()
  assertDistinctBranches(ends, names)
  await assertNoOpenMergeRequest(ctx.db, ends, names, row.id)
  const tips = await requireTips(ctx, ends, names)
  return withNews(tips.target, row, await surveyWithRoom(ctx, target, tips))
}

const sourceIsGone = () => invalid({ source_project: ['does not exist'] })

/** The projects of a merge request; 400 if the fork that it came from was deleted. */
async function endsOf({ db }: Context, target: ProjectRow, { source_project_id }: MergeRequestRow): Promise<SourceAndTarget<ProjectRow>> {
  if (source_project_id === target.id) return { source: target, target }
  const source = source_project_id === null ? undefined : (await projectsById(db, [source_project_id])).get(source_project_id)
  if (!source) throw sourceIsGone()
  return { source, target }
}

/** The columns that the changes set, except `updated_at`. */
async function columnsOf(ctx: Context, project: ProjectRow, before: MergeRequestRow, changes: MergeRequestChanges) {
  const { title, description, milestone_id, state_event } = changes
  if (title !== undefined && title.trim() === '') throw invalid({ title: ["can't be blank"] })
  const state = state_event && next(mergeRequestMachine, before.state, state_event)
  // Contract: the target of a merged one cannot change; the parameter is silently ignored (public behaviour at 14.0).
  const target_branch = before.state === 'merged' ? undefined : changes.target_branch
  const tasks = description === undefined ? undefined : await taskCounts(description)
  const isEdited = description !== undefined && description !== before.description
  const isElsewhere = target_branch !== undefined && target_branch !== before.target_branch
  const userId = ctx.actor.user?.id ?? null
  return given({
    title: title?.trim(),
    draft: title === undefined ? undefined : isDraft(title),
    description,
    tasks_count: tasks?.count,
    tasks_completed_count: tasks?.completed,
    ...(isEdited && { last_edited_at: ctx.now, last_edited_by_id: userId }),
    target_branch,
    discussion_locked: changes.discussion_locked,
    milestone_id: milestone_id === undefined ? undefined : await milestoneFor(ctx, project, milestone_id),
    squash: changes.squash === undefined ? undefined : squashIn(project, changes.squash),
    force_remove_source_branch: changes.remove_source_branch,
    allow_collaboration:
      changes.allow_collaboration === undefined || !(await mayShare(ctx, before)) ? undefined : changes.allow_collaboration,
    approvals_before_merge: changes.approvals_before_merge,
    ...(state && {
      state,
      closed_at: state === 'closed' ? ctx.now : null,
      closed_by_id: state === 'closed' ? userId : null,
    }),
    ...((isElsewhere || state === 'opened') && {
      merge_status: next(mergeCheckMachine, before.merge_status, 'outdate') ?? before.merge_status,
    }),
    // An automatic merge was meant for the previous target and state.
    ...((isElsewhere || state) && noAutoMerge),
  })
}

/** Collaboration applies to forks only, and may be set by users who can push to the fork; for others it is silently ignored. */
async function mayShare({ db, actor }: Context, { source_project_id, project_id }: MergeRequestRow): Promise<boolean> {
  if (source_project_id === null || source_project_id === project_id) return false
  const source = await visibleProject(db, actor, String(source_project_id))
  return source !== undefined && allows(actor, 'push_code', projectSubject(source)) === 'yes'
}

const noAutoMerge = { merge_when_pipeline_succeeds: false, merge_user_id: null, auto_merge_sha: null } as const

/** Columns that are derived from others and are not changes themselves. */
const derived: ReadonlySet<string> = new Set([
  'tasks_count',
  'tasks_completed_count',
  'last_edited_at',
  'last_edited_by_id',
  'closed_at',
  'closed_by_id',
  'merge_status',
  ...Object.keys(noAutoMerge),
])
