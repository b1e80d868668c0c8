/**
 * The git side of a merge: writes the commits that the project's merge method requires, and moves no reference.
 * (document 3 `merge_method`, `squash_option`)
 */
import {
  checkMerge,
  commitTree,
  GitError,
  listCommits,
  type MergeSides,
  mergeBase,
  type ObjectId,
  type Person,
  type Repository,
  readCommit,
  readCommits,
} from '../../../platform/git/index.ts'
import type { ProjectRow } from '../../../spaces/projects/queries.ts'
import { squashMessage } from './messages.ts'

/** The options of a merge, as the caller gives them. */
export interface MergeOptions {
  /** The expected tip of the source branch. */
  readonly sha?: string | undefined
  readonly squash?: boolean | undefined
  readonly should_remove_source_branch?: boolean | undefined
  readonly merge_commit_message?: string | undefined
  readonly squash_commit_message?: string | undefined
}

/** Input of a merge plan. */
export interface MergeOrder extends MergeSides {
  readonly method: ProjectRow['merge_method']
  readonly squash: boolean
  readonly title: string
  readonly author: Person
  /** The user who merges. */
  readonly committer: Person
  readonly merge_commit_message: string
  /** Null: the first commit message of more than one line, or the title. */
  readonly squash_commit_message: string | null
  readonly now: Date
}

/** The commits of a planned merge. */
export interface MergePlan {
  readonly merged_commit_sha: ObjectId
  readonly merge_commit_sha: ObjectId | null
  readonly squash_commit_sha: ObjectId | null
}

/** Why there is no plan: the changes conflict, the source must be rebased first, or the target has all commits already. */
export type PlanFailure = 'conflict' | 'need_rebase' | 'nothing_to_merge'

/** Upper bound of the commits that are searched for the squash message. */
export const MOST_MESSAGES = 100

/** Writes the commits of a merge. Without a squash, a merge commit takes two processes and a fast-forward one. */
export async function planMerge(repository: Repository, order: MergeOrder): Promise<MergePlan | PlanFailure> {
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

/** Joins both branches by a merge commit. */
async function mergeBoth(repository: Repository, order: MergeOrder): Promise<MergePlan | PlanFailure> {
  const { target, source, committer, merge_commit_message: message, now } = order
  const merge = await checkMerge(repository, { target, source })
  if (merge.kind === 'conflict') return 'conflict'
  // The tree is unchanged: the target may contain everything already.
  const [before] = await readCommits(repository, [target])
  if (before?.tree_id === merge.tree && (await mergeBase(repository, [target, source])) === source) return 'nothing_to_merge'
  const text = { author: committer, committer, message, now }
  const id = await commitTree(repository, { ...text, tree: merge.tree, parents: [target, source] })
  return { merged_commit_sha: id, merge_commit_sha: id, squash_commit_sha: null }
}

/** One squash commit of the source branch on top of the merge base. A single commit with the same message is kept as it is. */
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
