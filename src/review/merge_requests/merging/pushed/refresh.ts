/**
 * Brings a merge request up to date with its source branch: a new version, and the effects of new commits. It reads the current state
 * from git, so that it can be repeated, delayed and run concurrently.
 */

import { trackPositions } from '../../../../collaboration/notes/positions/position_tracking.ts'
import { insertNotes } from '../../../../collaboration/notes/writing/write.ts'
import { transact } from '../../../../platform/db/transact.ts'
import {
  type Commit,
  countCommits,
  listCommits,
  mergeRequestRef,
  type ObjectId,
  type Repository,
  setRef,
} from '../../../../platform/git/index.ts'
import type { Context } from '../../../../platform/kernel/context.ts'
import { next } from '../../../../platform/kernel/declaration/machine.ts'
import { Refusal, sentenceOf } from '../../../../platform/kernel/errors.ts'
import { projectsById } from '../../../../spaces/projects/queries.ts'
import type { Stored } from '../../../../spaces/projects/repository/store.ts'
import { resetApprovalsOnPush, withdrawCommitters } from '../../../approvals/commands.ts'
import { recordMergeRequestChange } from '../../changes/changed.ts'
import { lockMergeRequest, updateMergeRequest } from '../../changes/update.ts'
import { noteClosingIssues } from '../../closing/commands.ts'
import { type MergeRequestRow, mergeRequestById } from '../../queries.ts'
import { mergeCheckMachine } from '../../states.ts'
import { recordVersion, type SurveyedVersion, surveyVersion, surveyWithRoom } from '../../versions/record.ts'
import { abortAutoMerge } from '../auto_merge/auto_merge.ts'
import { requestCheck } from '../mergeability/check.ts'
import { type Tips, tipsOf } from '../tips.ts'

/** Upper bound of the new commits that a note lists. */
const MOST_LISTED = 100

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
 * Like `refreshMergeRequest`, for a row that was just read. Returns whether the row may be outdated now.
 * @param project the target project, if it is loaded
 */
export async function updateToTip(ctx: Context, row: MergeRequestRow, project?: Stored): Promise<boolean> {
  if (row.state !== 'opened') return false
  const tips = await tipsOf(ctx, row, project)
  if (tips.head === row.head_sha) return false
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
  const news = await newsOf(tips.target, row, version)
  await transact(ctx.db, db => take({ ...ctx, db }, tips.target as Repository, row, version, news))
}

async function closeWithoutSource(ctx: Context, { id, project_id }: MergeRequestRow): Promise<void> {
  await transact(ctx.db, async db => {
    const project = (await projectsById(db, [project_id])).get(project_id)
    if (project) await updateMergeRequest({ ...ctx, db }, project, { id }, { state_event: 'close' })
  })
}

/** The commits that the merge request gained. */
interface News {
  readonly count: number
  readonly oldestFirst: readonly Commit[]
}

async function newsOf(repository: Repository, row: MergeRequestRow, version: SurveyedVersion): Promise<News> {
  const known = [version.start_commit_sha, ...(row.head_sha === null ? [] : [row.head_sha])]
  const filter = { from: [version.head_commit_sha], except: known }
  const commits = await listCommits(repository, { ...filter, order: 'topo', limit: MOST_LISTED })
  const count = commits.length < MOST_LISTED ? commits.length : await countCommits(repository, filter)
  return { count, oldestFirst: commits.toReversed() }
}

async function take(ctx: Context, target: Repository, seen: MergeRequestRow, version: SurveyedVersion, news: News): Promise<void> {
  const { db, now } = ctx
  await lockMergeRequest(db, seen.id)
  const before = (await mergeRequestById(db, seen.id, null)) as MergeRequestRow
  // A concurrent update came first, or the merge request is no longer open.
  if (before.state !== 'opened' || before.head_sha !== seen.head_sha) return
  await recordVersion(db, seen.id, version, now)
  await db
    .updateTable('merge_requests')
    .set({
      merge_status: next(mergeCheckMachine, before.merge_status, 'outdate') ?? before.merge_status,
      merge_error: null,
      updated_at: now,
    })
    .where('id', '=', seen.id)
    .execute()
  await tellNews(ctx, seen.id, news)
  await resetApprovalsOnPush(db, [seen.id])
  await withdrawCommitters(db, seen.id, version.commits)
  await abortAutoMerge(ctx, before, 'the source branch was updated')
  const after = (await mergeRequestById(db, seen.id, null)) as MergeRequestRow
  await recordMergeRequestChange(ctx, after, { head_sha: { from: before.head_sha, to: version.head_commit_sha } })
  const project = (await projectsById(db, [after.project_id])).get(after.project_id)
  if (project) {
    await noteClosingIssues(ctx, project, after, version.commits)
    await trackPositions(ctx, target, project, before, version)
  }
  await requestCheck(db, seen.id)
  await setRef(target, mergeRequestRef(seen.iid, 'head'), version.head_commit_sha)
}

/** Adds a note that lists the new commits; none if there are none, as after a reset of the branch. */
async function tellNews({ db, actor, now }: Context, mergeRequestId: number, { count, oldestFirst }: News): Promise<void> {
  if (!actor.user || count === 0) return
  const lines = oldestFirst.map(({ id, title }) => `* ${short(id)} - ${title}`)
  const more = count > oldestFirst.length ? [`* and ${count - oldestFirst.length} before these`] : []
  const body = `added ${count} commit${count === 1 ? '' : 's'}\n\n${[...more, ...lines].join('\n')}`
  await insertNotes(db, [{ merge_request_id: mergeRequestId, author_id: actor.user.id, action: 'commit', body, created_at: now }])
}

const short = (id: ObjectId): string => id.slice(0, 8)
