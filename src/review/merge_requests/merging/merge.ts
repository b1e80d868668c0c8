/**
 * Merging. Objects are written first, then the target branch moves by compare-and-swap: a push that comes between is met by
 * planning once more on top of it, so that no commit is lost. What a merge leaves behind: finalize.ts.
 */

import type { BranchRights } from '../../../code/protected_branches/branch_rights.ts'
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { moveReferences } from '../../../code/ref_updates/move.ts'
import { personOf } from '../../../code/repository/person.ts'
import { referencesOf } from '../../../collaboration/item_kinds/references.ts'
import { userById } from '../../../identity/users/queries.ts'
import { compiled } from '../../../platform/db/compiled.ts'
import type { Person } from '../../../platform/git/objects/commit-object.ts'
import { type ObjectId, zeroId } from '../../../platform/git/objects/oid.ts'
import { RefConflict, type RefMove } from '../../../platform/git/refs/update.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { conflict, methodNotAllowed, Refusal, unauthenticated } from '../../../platform/kernel/errors.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { withRoomForCopy } from '../../../spaces/storage_limits/limits.ts'
import type { DetailedRow } from '../details.ts'
import { type MergeRequestRow, mergeRequestById } from '../queries.ts'
import { mergeBlocker } from './blockers.ts'
import { lockedForMerge, type MergeContinuation } from './finalize.ts'
import { mergeMessage } from './messages.ts'
import type { MergeOptions } from './options.ts'
import { planMerge } from './plan.ts'
import { bringUp } from './pushed/refresh.ts'
import { branchRef, tipsOf } from './tips.ts'

/**
 * Times that a merge is planned anew because one of the branches moved meanwhile. Of those who merge into a branch at once one comes
 * through each time, so that these many all do.
 */
const TRIES = 24

/** Merges a merge request of `project` that has just been read, and returns it as it is then; not to be called inside a transaction. */
export async function mergeNow(ctx: Context, project: ProjectWithRole, seen: MergeRequestRow, wish: MergeOptions): Promise<DetailedRow> {
  const read = async () => (await mergeRequestById(ctx.db, seen.id, project.full_path)) as MergeRequestRow
  for (let attempt = 1; ; attempt++) {
    const present = attempt === 1 ? seen : await read()
    // Commits that nobody has heard of yet take approvals back, and may be a reason not to merge.
    const mergeRequest = (await bringUp(ctx, present, project)) ? await read() : present
    try {
      await mergeOnce(ctx, project, mergeRequest, wish)
      await removeSourceInFork(ctx, mergeRequest, wish)
      return { ...(await read()), mayMerge: true }
    } catch (error) {
      if (!(error instanceof RefConflict)) throw error
      if (attempt === TRIES) throw notMergeable()
    }
  }
}

/** 409 where the source branch is not where whoever merges believes it to be. */
export function assertHead({ head_sha }: Pick<MergeRequestRow, 'head_sha'>, { sha }: MergeOptions): void {
  if (sha !== undefined && sha !== head_sha) throw conflict(`SHA does not match HEAD of source branch: ${head_sha}`)
}

/** Contract: 406 where the branches do not fit together, whatever the reason (merge requests API). */
const notMergeable = () => new Refusal('not_acceptable', { message: 'Branch cannot be merged' })

async function mergeOnce(ctx: Context, project: ProjectWithRole, mergeRequest: MergeRequestRow, wish: MergeOptions): Promise<void> {
  // What is asked of the database goes out at once.
  const [rights, obstacle, closed] = await Promise.all([
    branchRights(ctx, project),
    mergeBlocker(ctx, mergeRequest),
    closedBy(ctx, project, mergeRequest),
  ])
  // Contract: 401 for whoever may not merge into the branch (merge requests API).
  if (!rights.mayMerge(mergeRequest.target_branch)) throw unauthenticated()
  // Contract: 405 for what is closed, a draft, or not ready by the project's settings (merge requests API).
  if (obstacle) throw methodNotAllowed()
  const { target, start } = await tipsOf(ctx, mergeRequest, project)
  const head = mergeRequest.head_sha
  if (!target || start === undefined || head === null) throw methodNotAllowed()
  assertHead(mergeRequest, wish)
  const order = await orderOf(ctx, project, { mergeRequest, closed }, wish, { target: start, source: head })
  const write = () => planMerge(target, order)
  const words = Buffer.byteLength(`${wish.merge_commit_message ?? ''}${wish.squash_commit_message ?? ''}`)
  // The commits of a fork are in the project since the merge request has them; what is more than it may have is not merged.
  const takesRoom = mergeRequest.source_project_id !== project.id || words > 0
  const plan = await (takesRoom ? withRoomForCopy(ctx.deps, project, async () => words, write) : write())
  if (plan === 'nothing_to_merge') throw methodNotAllowed()
  if (typeof plan === 'string') throw notMergeable()
  const ref = branchRef(mergeRequest.target_branch)
  const continuation: MergeContinuation = { kind: 'merge', ref, merge_request_id: mergeRequest.id, ...plan }
  const removal = removesSource(project, mergeRequest, wish, rights)
    ? [{ ref: branchRef(mergeRequest.source_branch), old: head, new: zeroId }]
    : []
  const moves: RefMove[] = [{ ref, old: start, new: plan.merged_commit_sha }, ...removal]
  await moveReferences(ctx, project, moves, { continuation, claim: { part: lockedForMerge(mergeRequest.id), refusal: methodNotAllowed } })
}

/** Does the source branch go, if `project` is where it is? Never one that others rely on. */
function removesSource(project: ProjectWithRole, mergeRequest: MergeRequestRow, wish: MergeOptions, rights: BranchRights): boolean {
  const { source_branch, source_project_id } = mergeRequest
  const isWished = wish.should_remove_source_branch ?? mergeRequest.force_remove_source_branch ?? false
  const isFree = source_branch !== project.default_branch && !rights.isProtected(source_branch)
  return isWished && isFree && source_project_id === project.id && rights.mayDelete(source_branch)
}

/** Removes the source branch in a fork, where that is wished and the caller may; one that has moved on stays. */
async function removeSourceInFork(ctx: Context, mergeRequest: MergeRequestRow, wish: MergeOptions): Promise<void> {
  const { source_project_id: id, source_branch, project_id, head_sha } = mergeRequest
  const fork = id === null || id === project_id || head_sha === null ? undefined : await visibleProject(ctx.db, ctx.actor, String(id))
  if (!fork || head_sha === null) return
  const rights = await branchRights(ctx, fork)
  if (!removesSource(fork, mergeRequest, wish, rights)) return
  try {
    await moveReferences(ctx, fork, [{ ref: branchRef(source_branch), old: head_sha, new: zeroId }])
  } catch (error) {
    if (!(error instanceof RefConflict)) throw error
  }
}

/** Whether commits are squashed: as whoever merges wishes, as far as the project leaves it to them (document 3 `squash_option`). */
function squashes({ squash_option }: ProjectWithRole, mergeRequest: MergeRequestRow, wished: boolean | undefined): boolean {
  if (squash_option === 'always' || squash_option === 'never') return squash_option === 'always'
  return wished || mergeRequest.squash
}

async function orderOf(
  ctx: Context,
  project: ProjectWithRole,
  { mergeRequest, closed }: { readonly mergeRequest: MergeRequestRow; readonly closed: readonly string[] },
  wish: MergeOptions,
  sides: { target: ObjectId; source: ObjectId },
) {
  const committer = personOf(ctx.actor)
  const squash = squashes(project, mergeRequest, wish.squash)
  // Whose the commit that stands for all is.
  const author = squash ? await userById(ctx.db, mergeRequest.author_id) : undefined
  return {
    ...sides,
    method: project.merge_method,
    squash,
    title: mergeRequest.title,
    author: author ? ({ name: author.name, email: author.email } satisfies Person) : committer,
    committer,
    merge_commit_message: wish.merge_commit_message || mergeMessage(mergeRequest, closed),
    squash_commit_message: wish.squash_commit_message || null,
    now: ctx.now,
  }
}

/** The issues that the merge closes, as references; those of other branches than the default one close none. */
async function closedBy({ db }: Context, project: ProjectWithRole, { id, target_branch }: MergeRequestRow): Promise<string[]> {
  if (target_branch !== project.default_branch || !project.autoclose_referenced_issues) return []
  return (await closingIssuesOf(db, id)).map(({ iid, path }) => referencesOf('#', iid, path, project.full_path).relative)
}

const closingIssuesOf = compiled((db, id: number) =>
  db
    .selectFrom('merge_request_closing_issues')
    .innerJoin('issues', 'issues.id', 'merge_request_closing_issues.issue_id')
    .innerJoin('routes', 'routes.project_id', 'issues.project_id')
    .select(['issues.iid', 'routes.path'])
    .where('merge_request_id', '=', id)
    .where('issues.confidential', '=', false)
    .orderBy('issues.id'),
)
