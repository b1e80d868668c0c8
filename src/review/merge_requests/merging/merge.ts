/**
 * Merging. Objects are written first, then the target branch moves by compare-and-swap. If a push comes between, the merge is
 * planned again on top of it, so that no commit is lost. The outcome is recorded in finalize.ts.
 */

import type { BranchRights } from '../../../code/protected_branches/branch_rights.ts'
import { branchRights } from '../../../code/protected_branches/rights.ts'
import { moveReferences } from '../../../code/ref_updates/move.ts'
import { personOf } from '../../../code/repository/commits/person.ts'
import { referencesOf } from '../../../collaboration/item_kinds/references.ts'
import { commitEmailOf } from '../../../identity/emails/private_email.ts'
import { userById } from '../../../identity/users/queries.ts'
import { compiled } from '../../../platform/db/statements/compiled.ts'
import { listCommits, type ObjectId, type Person, RefConflict, type RefMove, type Repository, zeroId } from '../../../platform/git/index.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { conflict, methodNotAllowed, Refusal, unauthenticated } from '../../../platform/kernel/errors.ts'
import { visibleProject } from '../../../spaces/projects/queries.ts'
import type { ProjectWithRole } from '../../../spaces/projects/scope.ts'
import { withRoomForCopy } from '../../../spaces/storage_limits/limits.ts'
import type { DetailedRow } from '../details/details.ts'
import { type MergeRequestRow, mergeRequestById } from '../queries.ts'
import { refreshCodeOwners } from '../versions/code_owners.ts'
import { lockedForMerge, type MergeContinuation } from './finalize.ts'
import { mergeBlocker } from './mergeability/blockers.ts'
import { mergeMessage, squashMessage } from './messages.ts'
import { type MergeOptions, MOST_MESSAGES, planMerge } from './plan.ts'
import { updateToTip } from './pushed/refresh.ts'
import { branchRef, tipsOf } from './tips.ts'

/**
 * Attempts to plan a merge while its branches keep moving. Of concurrent merges into one branch one succeeds each round, so this many
 * concurrent merges all succeed.
 */
const TRIES = 24

/** Merges a merge request of `project` that was just read, and returns the new row; not to be called inside a transaction. */
export async function mergeNow(ctx: Context, project: ProjectWithRole, seen: MergeRequestRow, options: MergeOptions): Promise<DetailedRow> {
  const read = async () => (await mergeRequestById(ctx.db, seen.id, project.full_path)) as MergeRequestRow
  for (let attempt = 1; ; attempt++) {
    const present = attempt === 1 ? seen : await read()
    // Commits whose push is not processed yet reset approvals, and may block the merge.
    const mergeRequest = (await updateToTip(ctx, present, project)) ? await read() : present
    try {
      await mergeOnce(ctx, project, mergeRequest, options)
      await removeSourceInFork(ctx, mergeRequest, options)
      return { ...(await read()), mayMerge: true }
    } catch (error) {
      if (!(error instanceof RefConflict)) throw error
      if (attempt === TRIES) throw notMergeable()
    }
  }
}

/** 409 if the source branch is not at the commit that the caller expects. */
export function assertHead({ head_sha }: Pick<MergeRequestRow, 'head_sha'>, { sha }: MergeOptions): void {
  if (sha !== undefined && sha !== head_sha) throw conflict(`SHA does not match HEAD of source branch: ${head_sha}`)
}

/** Contract: 406 if the branches cannot be merged, whatever the reason (merge requests API). */
const notMergeable = () => new Refusal('not_acceptable', { message: 'Branch cannot be merged' })

async function mergeOnce(ctx: Context, project: ProjectWithRole, mergeRequest: MergeRequestRow, options: MergeOptions): Promise<void> {
  // The statements are sent concurrently.
  const [rights, obstacle, closed] = await Promise.all([
    branchRights(ctx, project),
    mergeBlocker(ctx, mergeRequest),
    closedBy(ctx, project, mergeRequest),
  ])
  // Contract: 401 for a caller who may not merge into the branch (merge requests API).
  if (!rights.mayMerge(mergeRequest.target_branch)) throw unauthenticated()
  // Contract: 405 if it is closed, a draft, or not ready by the project's settings (merge requests API).
  if (obstacle) throw methodNotAllowed()
  const { target, start } = await tipsOf(ctx, mergeRequest, project)
  const head = mergeRequest.head_sha
  if (!target || start === undefined || head === null) throw methodNotAllowed()
  assertHead(mergeRequest, options)
  // The target branch may have got another CODEOWNERS file, of which no check knows yet.
  if ((await refreshCodeOwners(ctx.db, target, start, mergeRequest)) && (await mergeBlocker(ctx, mergeRequest))) throw methodNotAllowed()
  const order = await orderOf(ctx, project, { mergeRequest, closed }, options, { target: start, source: head })
  const write = () => planMerge(target, order)
  const messageBytes = Buffer.byteLength(`${options.merge_commit_message ?? ''}${options.squash_commit_message ?? ''}`)
  // The project already has the commits of a fork; the merge is refused if they exceed its storage limit.
  const takesRoom = mergeRequest.source_project_id !== project.id || messageBytes > 0
  const plan = await (takesRoom ? withRoomForCopy(ctx.deps, project, async () => messageBytes, write) : write())
  if (plan === 'nothing_to_merge') throw methodNotAllowed()
  if (typeof plan === 'string') throw notMergeable()
  const ref = branchRef(mergeRequest.target_branch)
  const continuation: MergeContinuation = { kind: 'merge', ref, merge_request_id: mergeRequest.id, ...plan }
  const removal = removesSource(project, mergeRequest, options, rights)
    ? [{ ref: branchRef(mergeRequest.source_branch), old: head, new: zeroId }]
    : []
  const moves: RefMove[] = [{ ref, old: start, new: plan.merged_commit_sha }, ...removal]
  await moveReferences(ctx, project, moves, { continuation, claim: { part: lockedForMerge(mergeRequest.id), refusal: methodNotAllowed } })
}

/** Is the source branch removed, provided that it belongs to `project`? Never while other merge requests use it. */
function removesSource(project: ProjectWithRole, mergeRequest: MergeRequestRow, options: MergeOptions, rights: BranchRights): boolean {
  const { source_branch, source_project_id } = mergeRequest
  const isRequested = options.should_remove_source_branch ?? mergeRequest.force_remove_source_branch ?? false
  const isFree = source_branch !== project.default_branch && !rights.isProtected(source_branch)
  return isRequested && isFree && source_project_id === project.id && rights.mayDelete(source_branch)
}

/** Removes the source branch in a fork if requested and permitted; a branch that has moved on stays. */
async function removeSourceInFork(ctx: Context, mergeRequest: MergeRequestRow, options: MergeOptions): Promise<void> {
  const { source_project_id: id, source_branch, project_id, head_sha } = mergeRequest
  const fork = id === null || id === project_id || head_sha === null ? undefined : await visibleProject(ctx.db, ctx.actor, String(id))
  if (!fork || head_sha === null) return
  const rights = await branchRights(ctx, fork)
  if (!removesSource(fork, mergeRequest, options, rights)) return
  try {
    await moveReferences(ctx, fork, [{ ref: branchRef(source_branch), old: head_sha, new: zeroId }])
  } catch (error) {
    if (!(error instanceof RefConflict)) throw error
  }
}

/** Are commits squashed? The choice of the user who merges, unless the project's setting decides (document 3 `squash_option`). */
function squashes({ squash_option }: ProjectWithRole, mergeRequest: MergeRequestRow, requested: boolean | undefined): boolean {
  if (squash_option === 'always' || squash_option === 'never') return squash_option === 'always'
  return requested ?? mergeRequest.squash
}

async function orderOf(
  ctx: Context,
  project: ProjectWithRole,
  { mergeRequest, closed }: { readonly mergeRequest: MergeRequestRow; readonly closed: readonly string[] },
  options: MergeOptions,
  sides: { target: ObjectId; source: ObjectId },
) {
  const committer = personOf(ctx.actor)
  const squash = squashes(project, mergeRequest, options.squash)
  // The author of the squash commit.
  const author = squash ? await userById(ctx.db, mergeRequest.author_id) : undefined
  return {
    ...sides,
    method: project.merge_method,
    squash,
    title: mergeRequest.title,
    author: author ? ({ name: author.name, email: commitEmailOf(author) } satisfies Person) : committer,
    committer,
    merge_commit_message: options.merge_commit_message || mergeMessage(mergeRequest, closed),
    squash_commit_message: options.squash_commit_message || null,
    now: ctx.now,
  }
}

/** The messages that a merge would use unless others are given. At most one process. */
export async function defaultMessages(ctx: Context, project: ProjectWithRole, row: MergeRequestRow, repository: Repository | undefined) {
  const { start_commit_sha: start, head_commit_sha: head } = row
  const [closed, commits] = await Promise.all([
    closedBy(ctx, project, row),
    repository && start !== null && head !== null && project.squash_option !== 'never'
      ? listCommits(repository, { from: [head], except: [start], order: 'topo', limit: MOST_MESSAGES })
      : [],
  ])
  return { merge: mergeMessage(row, closed), squash: squashMessage(row, commits.toReversed()) }
}

/** The issues that the merge closes, as references; merges into other branches than the default one close none. */
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
