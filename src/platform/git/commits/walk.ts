/**
 * Walking history through the storage's reader. Starting git costs more than reading a page of commits (140 pages a
 * second against some 1,500), so the common page, the newest commits of a branch, is walked here.
 */
import { GitError } from '../errors.ts'
import type { Commit } from '../objects/commit-object.ts'
import { readCommits } from '../objects/objects.ts'
import type { ObjectId } from '../objects/oid.ts'
import type { Repository } from '../storage/repository.ts'

/** A walk this long costs about as much as a process. */
export const walkLimit = 200

/**
 * The first `count` commits reachable from some, in the default order of `git rev-list`: by the committer's date,
 * newest first, commits of the same second in the order they were met.
 */
export async function walkCommits(
  repository: Repository,
  from: readonly ObjectId[],
  count: number,
  { firstParent = false }: { readonly firstParent?: boolean | undefined } = {},
): Promise<Commit[]> {
  const seen = new Set<ObjectId>()
  const queue: { readonly commit: Commit; readonly date: number }[] = []
  const enqueue = async (ids: readonly ObjectId[]) => {
    const fresh = ids.filter(id => !seen.has(id) && seen.add(id))
    for (const commit of await requireCommits(repository, fresh)) {
      const date = dateOf(commit)
      const at = queue.findIndex(other => other.date < date)
      queue.splice(at < 0 ? queue.length : at, 0, { commit, date })
    }
  }
  const walked: Commit[] = []
  await enqueue(from)
  while (walked.length < count) {
    const next = queue.shift()
    if (next === undefined) break
    walked.push(next.commit)
    if (walked.length < count) await enqueue(firstParent ? next.commit.parent_ids.slice(0, 1) : next.commit.parent_ids)
  }
  return walked
}

/** Steps of a way that is looked for: with more of them starting git costs less. */
const MOST_STEPS = 16

/**
 * The commits from one back to an ancestor, that one left out, where each has a single parent; undefined where it is not seen in a few
 * steps. Then they are all that the one has and the other has not: history cannot come to a commit twice.
 */
export async function straightWay(repository: Repository, from: ObjectId, ancestor: ObjectId): Promise<readonly Commit[] | undefined> {
  if (from === ancestor) return []
  const [first, last] = await readCommits(repository, [from, ancestor])
  // Where the way is older than what it should lead to, it has passed by, unless a clock went wrong: then git finds out.
  const end = last === undefined ? 0 : dateOf(last)
  const way: Commit[] = []
  for (let commit = required(first, from); commit.parent_ids.length === 1 && dateOf(commit) >= end; ) {
    way.push(commit)
    const parent = commit.parent_ids[0] as ObjectId
    if (parent === ancestor) return way
    if (way.length === MOST_STEPS) return undefined
    const [next] = await readCommits(repository, [parent])
    commit = required(next, parent)
  }
  return undefined
}

const dateOf = ({ committer }: Commit): number => Date.parse(committer.date)

/** Commits that history says are there. `corrupt` if one is not. */
export async function requireCommits(repository: Repository, ids: readonly ObjectId[]): Promise<Commit[]> {
  const commits = await readCommits(repository, ids)
  return commits.map((commit, index) => required(commit, ids[index] as ObjectId))
}

function required(commit: Commit | undefined, id: ObjectId): Commit {
  if (commit === undefined) throw new GitError('corrupt', `Commit ${id} is missing`)
  return commit
}
