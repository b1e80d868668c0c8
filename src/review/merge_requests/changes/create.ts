/** Creating merge requests. */

import { areInOneNetwork } from '../../../code/forks/queries.ts'
import { processMentions, readMentions } from '../../../collaboration/mentions/process.ts'
import { recordResourceEvents } from '../../../planning/resource_events/write.ts'
import { labelIdsFor, milestoneFor } from '../../../planning/shared/attributes.ts'
import { taskCounts } from '../../../planning/shared/task_lists.ts'
import { allows } from '../../../platform/access/abilities.ts'
import { uniqueViolation } from '../../../platform/db/errors.ts'
import { transact } from '../../../platform/db/transact.ts'
import { recordEvents } from '../../../platform/events/events.ts'
import { mergeRequestRef, setRef } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { forbidden, invalid, unprocessable } from '../../../platform/kernel/errors.ts'
import { nextIid } from '../../../spaces/places/iids.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../../spaces/projects/scope.ts'
import { setCodeOwners } from '../../approvals/code_owners.ts'
import { noteClosingIssues } from '../closing/commands.ts'
import { mergeRequestTextPlace } from '../item_kind/readers.ts'
import { checkOf } from '../merging/mergeability/check.ts'
import { type MergeRequestRow, mergeRequestById } from '../queries.ts'
import { recordVersion, surveyWithRoom } from '../versions/record.ts'
import { type AdminAttributes, type OwnAttributes, peopleAmong, squashIn } from './attributes.ts'
import { assertDistinctBranches, assertNoOpenMergeRequest, requireTips, type SourceAndTarget } from './branches.ts'
import { createTodos } from './changed.ts'
import { isDraft } from './drafts.ts'
import { setAssignees, setLabels, setReviewers } from './rows.ts'

export interface NewMergeRequest extends OwnAttributes, AdminAttributes {
  readonly title: string
  readonly source_branch: string
  readonly target_branch: string
}

/**
 * The projects of a merge request from `source`: the target is `source` itself unless another project of its fork network is named.
 * 404 for a target that the caller may not see; 403 if they may not push to the source or create in the target; 422 outside the network.
 */
export async function endsFrom(
  ctx: Context,
  source: ProjectWithRole,
  targetId: number | undefined,
): Promise<SourceAndTarget<ProjectWithRole>> {
  const { db, actor } = ctx
  const target = targetId === undefined || targetId === source.id ? source : await findProject(db, actor, String(targetId))
  if (allows(actor, 'create_merge_request_from', projectSubject(source)) !== 'yes') throw forbidden()
  if (allows(actor, 'create_merge_request', projectSubject(target)) !== 'yes') throw forbidden()
  if (target !== source && !(await areInOneNetwork(db, source.id, target.id)))
    throw unprocessable(['Source project is not a fork of the target project'])
  return { source, target }
}

/**
 * Creates a merge request with its first version; not to be called inside a transaction. Its number is allocated in the
 * transaction that inserts it, so that no number is skipped or used twice.
 * @throws Refusal 400 for a blank title, a missing branch or a milestone of another place; 422 for a branch into itself; 409 if
 * a merge request for the same two branches is open
 * @param finish runs in the transaction, after all rows are written
 */
export async function createMergeRequest(
  ctx: Context,
  ends: SourceAndTarget<ProjectWithRole>,
  given: NewMergeRequest,
  finish: (ctx: Context, row: MergeRequestRow) => Promise<MergeRequestRow> = async (_ctx, row) => row,
): Promise<MergeRequestRow> {
  const { target } = ends
  const title = given.title.trim()
  if (title === '') throw invalid({ title: ["can't be blank"] })
  assertDistinctBranches(ends, given)
  const { database, storages } = ctx.deps
  const tips = await requireTips(ctx, ends, given)
  await assertNoOpenMergeRequest(ctx.db, ends, given)
  const version = await surveyWithRoom(ctx, target, tips)
  try {
    return await transact(database.db, async db => {
      await readMentions(given.description)
      const row = await insertMergeRequest({ ...ctx, db }, ends, { ...given, title })
      await recordVersion(db, row.id, version, ctx.now)
      await setCodeOwners(db, { id: row.id, project_id: target.id, code_owners_file: null }, version.code_owners)
      // If the transaction fails, the next merge request with this number overwrites the reference.
      await setRef(storages.repository(target), mergeRequestRef(row.iid, 'head'), tips.head)
      const about = { actorId: ctx.actor.user?.id, projectId: target.id }
      await recordEvents(db, [{ kind: 'merge_request.created', payload: { merge_request_id: row.id }, ...about }], [checkOf(row.id)])
      const created = (await mergeRequestById(db, row.id, target.full_path)) as MergeRequestRow
      await noteClosingIssues({ ...ctx, db }, target, created, version.commits)
      return finish({ ...ctx, db }, await tellOf({ ...ctx, db }, target, created))
    })
  } catch (error) {
    if (uniqueViolation(error) === 'merge_requests_open_key') await assertNoOpenMergeRequest(ctx.db, ends, given)
    throw error
  }
}

/** Side effects of a new merge request, in the transaction that creates it. */
async function tellOf(ctx: Context, target: ProjectWithRole, row: MergeRequestRow): Promise<MergeRequestRow> {
  const { id, label_ids, assignee_ids, reviewer_ids, milestone_id } = row
  const fact = { merge_request_id: id, user_id: row.author_id, created_at: ctx.now, state: row.state }
  await recordResourceEvents(ctx.db, fact, {
    ...(label_ids.length > 0 && { labels: { from: [], to: label_ids } }),
    ...(milestone_id !== null && { milestone_id: { from: null, to: milestone_id } }),
  })
  await createTodos(ctx, row, 'assigned', { from: [], to: assignee_ids })
  await createTodos(ctx, row, 'review_requested', { from: [], to: reviewer_ids })
  await processMentions(ctx, mergeRequestTextPlace(target, row), row.description)
  return row
}

/** Inserts the row and the rows that belong to it; `ctx.db` is the transaction. */
async function insertMergeRequest(
  ctx: Context,
  { source, target }: SourceAndTarget<ProjectWithRole>,
  given: NewMergeRequest,
): Promise<{ id: number; iid: number }> {
  const { db, actor, now } = ctx
  if (!actor.user) throw forbidden()
  const labelIds = given.labels?.length ? await labelIdsFor(ctx, target, given.labels) : []
  const assigneeIds = given.assignee_ids?.length ? await peopleAmong(ctx, target, given.assignee_ids) : []
  const reviewerIds = given.reviewer_ids?.length ? await peopleAmong(ctx, target, given.reviewer_ids) : []
  const tasks = await taskCounts(given.description ?? null)
  const isFork = source.id !== target.id
  const columns = {
    project_id: target.id,
    source_project_id: source.id,
    source_branch: given.source_branch,
    target_branch: given.target_branch,
    author_id: actor.user.id,
    title: given.title,
    description: given.description ?? null,
    draft: isDraft(given.title),
    milestone_id: await milestoneFor(ctx, target, given.milestone_id ?? null),
    discussion_locked: given.discussion_locked ?? null,
    // Has a meaning for forks only, and is for those to allow who may push there.
    allow_collaboration: isFork && given.allow_collaboration === true && allows(actor, 'push_code', projectSubject(source)) === 'yes',
    squash: squashIn(target, given.squash),
    // Contract: the project's `remove_source_branch_after_merge` is the default of web forms only, not of the API (public behaviour).
    force_remove_source_branch: given.remove_source_branch ?? null,
    approvals_before_merge: given.approvals_before_merge ?? null,
    tasks_count: tasks.count,
    tasks_completed_count: tasks.completed,
    created_at: now,
    updated_at: now,
  }
  const row = await db
    .insertInto('merge_requests')
    .values({ ...columns, iid: await nextIid(db, { project_id: target.id }, 'merge_request') })
    .returning(['id', 'iid'])
    .executeTakeFirstOrThrow()
  if (labelIds.length > 0) await setLabels(db, row.id, labelIds)
  if (assigneeIds.length > 0) await setAssignees(db, row.id, assigneeIds)
  if (reviewerIds.length > 0) await setReviewers(db, row.id, reviewerIds)
  return row
}
