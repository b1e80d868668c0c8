/** Merges, cherry-picks and reverts in memory: no working copy, no reference moved. A conflict is a typed refusal. */
import { GitError } from '../errors.ts'
import { type Commit, type CommitText, formatCommit, formatTag, type Person } from '../objects/commit-object.ts'
import { objectInfo, readCommits } from '../objects/objects.ts'
import { emptyTreeId, type ObjectId, objectId } from '../objects/oid.ts'
import { formatTree } from '../objects/tree-object.ts'
import { runGit, splitNul } from '../process/run.ts'
import { ImmutableCache } from '../storage/immutable_cache.ts'
import type { Repository } from '../storage/repository.ts'
import { NewObjects } from './write-objects.ts'

/** The changes conflict; `paths` are the files in conflict. */
export class MergeConflict extends GitError {
  readonly paths: readonly string[]

  constructor(paths: readonly string[]) {
    super('conflict', 'The changes conflict')
    this.paths = paths
  }
}

/** The target already contains all the changes. */
export class NothingToChange extends GitError {
  constructor() {
    super('invalid', 'The change is there already')
  }
}

/** The result of a merge: its tree, or the files in conflict. */
export type MergeCheck =
  | { readonly kind: 'clean'; readonly tree: ObjectId }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }

/** The two commits of a merge: `source` is merged into `target`. */
export interface MergeSides {
  readonly target: ObjectId
  readonly source: ObjectId
}

/** Results of merges: merging reuses the result of the earlier check. */
const checks = new ImmutableCache<MergeCheck>(5_000)

/**
 * Housekeeping keeps an unreferenced tree for two weeks after it was last written. Cached results are therefore computed again every day.
 * In milliseconds.
 */
const DAY = 24 * 60 * 60 * 1000

/**
 * Can `source` be merged into `target`? One process, or none if the result is cached; no commit is made and no reference moves. Histories
 * without a common ancestor merge as if they had an empty one.
 */
export async function checkMerge(repository: Repository, sides: MergeSides): Promise<MergeCheck> {
  const question = `${Math.floor(performance.now() / DAY)} ${repository.path} ${objectId(sides.target)} ${objectId(sides.source)}`
  const check = await checks.get(question, () => mergeNow(repository, sides))
  if (check.kind === 'conflict') return check
  // The path may hold another repository by now.
  const [tree] = await objectInfo(repository, [check.tree])
  return tree ? check : mergeNow(repository, sides)
}

async function mergeNow(repository: Repository, { target, source }: MergeSides): Promise<MergeCheck> {
  const { stdout, stderr, exitCode } = await runGit(repository, {
    subcommand: 'merge-tree',
    flags: ['--write-tree', '-z', '--name-only', '--no-messages', '--allow-unrelated-histories'],
    values: [target, source],
    answers: [1],
  })
  const [tree, ...paths] = splitNul(stdout)
  // git exits with 1 both for a conflict and for a commit that it cannot find, in which case there is no tree; and it treats some
  // unreadable objects as empty. A merge of intact histories prints no error.
  if (tree === undefined || stderr !== '') throw new GitError('corrupt', `${target} and ${source} cannot be read to merge them`, stderr)
  return exitCode === 1 ? { kind: 'conflict', paths } : { kind: 'clean', tree }
}

/** Merges two commits as `checkMerge` does and returns the tree. Throws `MergeConflict`. */
export async function mergeTree(repository: Repository, target: ObjectId, source: ObjectId): Promise<ObjectId> {
  const merge = await checkMerge(repository, { target, source })
  if (merge.kind === 'conflict') throw new MergeConflict(merge.paths)
  return merge.tree
}

/**
 * Writes the commit that merges `source` into `target`, its first parent, and returns its id. Two processes; no reference moves. Throws
 * `MergeConflict`.
 */
export async function mergeCommit(repository: Repository, commit: CommitText & MergeSides): Promise<ObjectId> {
  const { target, source } = commit
  return commitTree(repository, { ...commit, tree: await mergeTree(repository, target, source), parents: [target, source] })
}

/** Writes a commit of a tree that exists, with these parents, and returns its id. No reference moves. */
export async function commitTree(
  repository: Repository,
  commit: CommitText & { readonly tree: ObjectId; readonly parents: readonly ObjectId[] },
): Promise<ObjectId> {
  const objects = new NewObjects()
  const id = objects.add('commit', formatCommit(objectId(commit.tree), commit.parents.map(objectId), commit))
  await objects.write(repository)
  return id
}

/** Writes an annotated tag of an object and returns the tag object's id. `not_found` if there is no such object. */
export async function writeTag(
  repository: Repository,
  tag: { readonly name: string; readonly target: ObjectId; readonly tagger: Person; readonly message: string; readonly now: Date },
): Promise<ObjectId> {
  const [target] = await objectInfo(repository, [tag.target])
  if (target === undefined) throw new GitError('not_found', 'The tag has no target')
  const objects = new NewObjects()
  const id = objects.add('tag', formatTag({ ...tag, targetType: target.type }))
  await objects.write(repository)
  return id
}

/** A commit to cherry-pick or revert. */
export interface Replay {
  readonly commit: Commit
  /** The new parent. */
  readonly onto: ObjectId
  readonly committer: Person
  readonly message: string
  readonly now: Date
}

/**
 * Applies the change of `commit` on top of `onto` and keeps its author. For a merge it is the change against its first parent. Throws
 * `MergeConflict` or `NothingToChange`.
 */
export async function cherryPick(repository: Repository, replay: Replay): Promise<ObjectId> {
  const { commit } = replay
  return applyChange(repository, replay, { before: commit.parent_ids[0], after: commit.id, author: commit.author })
}

/** Reverts the change of `commit` on top of `onto`. Throws `MergeConflict` or `NothingToChange`. */
export async function revert(repository: Repository, replay: Replay): Promise<ObjectId> {
  const { commit } = replay
  return applyChange(repository, replay, { before: commit.id, after: commit.parent_ids[0], author: replay.committer })
}

/** A change is the difference between two commits; undefined stands for an empty tree. */
interface Change {
  readonly before: ObjectId | undefined
  readonly after: ObjectId | undefined
  readonly author: Person
}

async function applyChange(
  repository: Repository,
  { onto, committer, message, now }: Replay,
  { before, after, author }: Change,
): Promise<ObjectId> {
  const [ontoTree, beforeTree, afterTree] = await treesOf(repository, [onto, before, after])
  // git 2.39 merges two commits and finds their base itself. So it gets two temporary commits whose common parent is the intended base.
  // They are the same for the same change, and housekeeping removes them.
  const objects = new NewObjects()
  if ([ontoTree, beforeTree, afterTree].includes(emptyTreeId)) objects.add('tree', formatTree([]))
  const base = objects.add('commit', formatCommit(beforeTree!, [], scaffold))
  const ours = objects.add('commit', formatCommit(ontoTree!, [base], scaffold))
  const theirs = objects.add('commit', formatCommit(afterTree!, [base], scaffold))
  await objects.write(repository)
  const tree = await mergeTree(repository, ours, theirs)
  if (tree === ontoTree) throw new NothingToChange()
  return commitTree(repository, { tree, parents: [onto], author, committer, message, now })
}

const scaffold: CommitText = {
  author: { name: 'Ingot', email: 'ingot@localhost' },
  committer: { name: 'Ingot', email: 'ingot@localhost' },
  message: '',
  now: new Date(0),
}

async function treesOf(repository: Repository, ids: readonly (ObjectId | undefined)[]): Promise<ObjectId[]> {
  const commits = await readCommits(
    repository,
    ids.filter(id => id !== undefined),
  )
  const trees = new Map(commits.flatMap(commit => (commit ? [[commit.id, commit.tree_id] as const] : [])))
  return ids.map(id => {
    const tree = id === undefined ? emptyTreeId : trees.get(id)
    if (tree === undefined) throw new GitError('not_found', 'There is no such commit')
    return tree
  })
}
