/**
 * Brings a merge request up to date with its source branch: a new version, and the effects of new commits. It reads the current state
 * from git, so that it can be repeated, delayed and run concurrently.
 */

import { transact } from '../../../../platform/db/transact.ts'
import type { Repository } from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { next } from '../../../../platform/kernel/declaration/machine.ts'
import { Refusal, sentenceOf } from '../../../../platform/kernel/errors.ts'
import { projectsById } from '../../../../spaces/projects/queries.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { recordMergeRequestChange } from '../../changes/changed.ts'
import { lockMergeRequest, updateMergeRequest } from '../../changes/update.ts'
import { noteClosingIssues } from '../../closing/commands.ts'
import { type MergeRequestRow, mergeRequestById } from '../../queries.ts'
import { mergeCheckMachine } from '../../states.ts'
import { surveyVersion, surveyWithRoom } from '../../versions/record.ts'
import { mayFollowSource } from '../../versions/source_access.ts'
import { type NewVersion, takeVersion, withNews } from '../../versions/take.ts'
import { abortAutoMerge } from '../auto_merge/auto_merge.ts'
import { requestCheck } from '../mergeability/check.ts'
import { type Tips, tipsOf } from '../tips.ts'

/** Updates a merge request to the tip of its source branch, if that is new; closes it if the source branch is gone. */
export async function refreshMergeRequest(ctx: Context, id: number): Promise<void> {
  const row = await mergeRequestById(ctx.db, id, null)
  try {
    if (row) await updateToTip(ctx, row)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // The merge request keeps its last version and shows why.
    const merge_error = sentenceOf(error)
    await ctx.db.updateTable('merge_requests').set({ merge_error }).where('id', '=', id).execute()
  }
}

/**
 * Like `refreshMergeRequest`, for a row that was just read. Returns whether the row may be outdated now. One whose author may not read the source project
 * any more stays as it is.
 * @param project the target project, if it is loaded
 */
export async function updateToTip(ctx: Context, row: MergeRequestRow, project?: Stored): Promise<boolean> {
  if (row.state !== 'opened') return false
  const tips = await tipsOf(ctx, row, project)
  if (tips.head === row.head_sha || !(await mayFollowSource(ctx, row))) return false
  await bringTo(ctx, row, tips)
  return true
}

async function bringTo(ctx: Context, row: MergeRequestRow, tips: Tips): Promise<void> {
  if (tips.head === undefined) return closeWithoutSource(ctx, row)
  // If the target branch is gone its last known tip is used: the merge request is unchanged and cannot be merged.
  const start = tips.start ?? row.start_commit_sha
  if (!tips.target || !tips.source || start === null) return
  const { target, source, head } = tips
  const project = source.path === target.path ? undefined : (await projectsById(ctx.db, [row.project_id])).get(row.project_id)
  const ends = { target, source, head, start }
  const version = await (project ? surveyWithRoom(ctx, project, ends) : surveyVersion(target, source, ends))
  const taken = await withNews(target, row, version)
  await transact(ctx.db, db => take({ ...ctx, db }, target, row, taken))
}

async function closeWithoutSource(ctx: Context, { id, project_id }: MergeRequestRow): Promise<void> {
  await transact(ctx.db, async db => {
    const project = (await projectsById(db, [project_id])).get(project_id)
    if (project) await updateMergeRequest({ ...ctx, db }, project, { id }, { state_event: 'close' })
  })
}

async function take(ctx: Context, target: Repository, seen: MergeRequestRow, taken: NewVersion): Promise<void> {
  const { db, now } = ctx
  await lockMergeRequest(db, seen.id)
  const before = (await mergeRequestById(db, seen.id, null)) as MergeRequestRow
  // A concurrent update came first, or the merge request is no longer open.
  if (before.state !== 'opened' || before.head_sha !== seen.head_sha) return
  const project = (await projectsById(db, [before.project_id])).get(before.project_id)
  const head = await takeVersion(ctx, target, project, before, taken)
  await db
    .updateTable('merge_requests')
    .set({
      merge_status: next(mergeCheckMachine, before.merge_status, 'outdate') ?? before.merge_status,
      merge_error: null,
      updated_at: now,
    })
    .where('id', '=', seen.id)
    .execute()
  await abortAutoMerge(ctx, before, 'the source branch was updated')
  const after = (await mergeRequestById(db, seen.id, null)) as MergeRequestRow
  await recordMergeRequestChange(ctx, after, head)
  if (project) await noteClosingIssues(ctx, project, after, taken.version.commits)
  await requestCheck(db, seen.id)
}
