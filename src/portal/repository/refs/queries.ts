/** Reads of the list of branches. */
import { type Divergence, divergencesFrom, listBranches, type Repository, readCommits, readRefs } from '../../../platform/git/index.ts'

export type BranchState = 'all' | 'active' | 'stale'

/** A branch without a commit for so long is stale. In milliseconds: 90 days. */
const STALE_AFTER = 90 * 24 * 60 * 60 * 1000

/** The branches of a state whose names fit, the one with the newest commit first. One process; of commits a few are read. */
export async function branchesIn(
  repository: Repository,
  { search, state, now }: { readonly search: string | undefined; readonly state: BranchState; readonly now: Date },
) {
  const branches = await listBranches(repository, { search, order: 'updated', sort: 'desc' })
  if (state === 'all') return branches
  const oldest = now.getTime() - STALE_AFTER
  // They are in order, so the first stale one is found by halves.
  let [from, to] = [0, branches.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const [commit] = await readCommits(repository, [branches[middle]?.commit as string])
    if (commit && Date.parse(commit.committer.date) >= oldest) from = middle + 1
    else to = middle
  }
  return state === 'active' ? branches.slice(0, from) : branches.slice(from)
}

/** How far these branches are from the default one, by commit; empty without a default branch. */
export async function divergencesOf(
  repository: Repository,
  defaultBranch: string | null,
  commits: readonly string[],
): Promise<ReadonlyMap<string, Divergence>> {
  const [tip] = defaultBranch === null ? [] : await readRefs(repository, [`refs/heads/${defaultBranch}`])
  return tip === undefined || commits.length === 0 ? new Map() : divergencesFrom(repository, tip, commits)
}
