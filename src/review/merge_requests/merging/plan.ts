/**
 * What a merge comes to in git: the commits that the method of the project asks for are written, and nothing moves yet.
 * (document 3 `merge_method`, `squash_option`)
 */
import { listCommits, mergeBase } from '../../../platform/git/commits/history.ts'
import { GitError } from '../../../platform/git/errors.ts'
import type { Person } from '../../../platform/git/objects/commit-object.ts'
import { readCommit, readCommits } from '../../../platform/git/objects/objects.ts'
import type { ObjectId } from '../../../platform/git/objects/oid.ts'
import type { Repository } from '../../../platform/git/repository.ts'
import { checkMerge, commitTree, type MergeSides } from '../../../platform/git/writing/merges.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { squashMessage } from './messages.ts'

/** What is wished of a merge. */
export interface MergeOrder extends MergeSides {
  readonly method: ProjectRow['merge_method']
  readonly squash: boolean
  readonly title: string
  readonly author: Person
  /** Who merges. */
  readonly committer: Person
  readonly merge_commit_message: string
  /** Null: the first message that says more than a line, or the title. */
  readonly squash_commit_message: string | null
  readonly now: Date
}

/** The commits of a merge that can be made. */
export interface MergePlan {
  readonly merged_commit_sha: ObjectId
  readonly merge_commit_sha: ObjectId | null
  readonly squash_commit_sha: ObjectId | null
}

/** Why there is no plan: both have changed the same lines, the source must be rebased first, or the target has it all. */
export type Hindrance = 'conflict' | 'need_rebase' | 'nothing_to_merge'

/** Commits whose messages are looked at for that of the squash commit. */
const MOST_MESSAGES = 100

/** Writes the commits of a merge. Without a squash, a merge commit takes two processes and a fast-forward one. */
export async function planMerge(repository: Repository, order: MergeOrder): Promise<MergePlan | Hindrance> {
  const { method, squash } = order
  if (method === 'merge' && !squash) return mergeBoth(repository, order)
  const base = await mergeBase(repository, [order.target, order.source])
  if (base === order.source) return 'nothing_to_merge'
  if (method !== 'merge' && base !== order.target) return 'need_rebase'
  const squashed = squash ? await squashFrom(repository, order, base) : null
  const source = squashed ?? order.source
  if (method === 'ff') return { merged_commit_sha: source, merge_commit_sha: null, squash_commit_sha: squashed }
  const plan = await mergeBoth(repository, { ...order, source })
  return typeof plan === 'object' ? { ...plan, squash_commit_sha: squashed } : plan
}

/** Joins both branches by a commit with two parents. */
async function mergeBoth(repository: Repository, order: MergeOrder): Promise<MergePlan | Hindrance> {
  const { target, source, committer, merge_commit_message: message, now } = order
  const merge = await checkMerge(repository, { target, source })
  if (merge.kind === 'conflict') return 'conflict'
  // The same files as before: perhaps everything is there already.
  const [before] = await readCommits(repository, [target])
  if (before?.tree_id === merge.tree && (await mergeBase(repository, [target, source])) === source) return 'nothing_to_merge'
  const text = { author: committer, committer, message, now }
  const id = await commitTree(repository, { ...text, tree: merge.tree, parents: [target, source] })
  return { merged_commit_sha: id, merge_commit_sha: id, squash_commit_sha: null }
}

/** One commit that stands for all of the source branch, on top of what both branches share; a single one that says the same stays. */
async function squashFrom(repository: Repository, order: MergeOrder, base: ObjectId | undefined): Promise<ObjectId> {
  const { target, source, author, committer, now } = order
  const tip = await readCommit(repository, source)
  if (!tip) throw new GitError('corrupt', `The tip of the source branch, ${source}, is missing`)
  const isSingle = tip.parent_ids.length === 1 && tip.parent_ids[0] === base
  const message = order.squash_commit_message ?? (await messageOf(repository, order, isSingle ? [tip] : undefined, target))
  if (isSingle && message.trim() === tip.message.trim()) return source
  const parents = base === undefined ? [] : [base]
  return commitTree(repository, { author, committer, message, now, tree: tip.tree_id, parents })
}

async function messageOf(
  repository: Repository,
  { source, title }: MergeOrder,
  known: readonly { readonly message: string }[] | undefined,
  target: ObjectId,
): Promise<string> {
  const commits = known ?? (await listCommits(repository, { from: [source], except: [target], order: 'topo', limit: MOST_MESSAGES }))
  return squashMessage({ title }, commits.toReversed())
}
