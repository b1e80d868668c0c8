/**
 * Locks hold against all who move a branch, not only against clients that ask for them: what changes or deletes a file that another user has locked is refused
 * (public behaviour), on whichever branch.
 */
import type { Db } from '../../../platform/db/connection.ts'
import {
  type Held,
  incomingCommits,
  incomingPaths,
  type ObjectId,
  type RefMove,
  type Repository,
  shortNameOf,
  zeroId,
} from '../../../platform/git/index.ts'
import { Refusal } from '../../../platform/kernel/errors.ts'
import { locksOfOthers } from './queries.ts'

/** Commits that one move may bring to a repository with locks. */
const MOST = 20_000

/** What is checked. */
export interface Moved {
  readonly repository: Repository
  /** The names of the owners of locks by path: those of others than the one who moves. */
  readonly locks: ReadonlyMap<string, string>
  /** Where the new objects are. */
  readonly held?: Held | undefined
}

/** The line that refuses moves which change a file that another user has locked, or undefined. */
export async function lockRefusal({ repository, locks, held }: Moved, moves: readonly RefMove[]): Promise<string | undefined> {
  const tips = moves.filter(({ ref, new: target }) => target !== zeroId && shortNameOf(ref) !== undefined).map(({ new: target }) => target)
  if (locks.size === 0 || tips.length === 0) return undefined
  const commits: ObjectId[] = []
  for await (const { id } of incomingCommits(repository, tips, held))
    if (commits.push(id) > MOST) return `The repository has locked files: bring at most ${MOST} commits at a time.`
  if (commits.length === 0) return undefined
  for await (const path of incomingPaths(repository, commits, held)) {
    const owner = locks.get(path)
    if (owner !== undefined) return `The path '${path}' is locked in Git LFS by ${owner}`
  }
  return undefined
}

/**
 * Refuses what the API or a page is about to move for a user where it changes a file that another one has locked.
 * @throws Refusal 400
 */
export async function assertUnlocked(
  db: Db,
  projectId: number,
  userId: number,
  repository: Repository,
  moves: readonly RefMove[],
): Promise<void> {
  const line = await lockRefusal({ repository, locks: await locksOfOthers(db, projectId, userId) }, moves)
  if (line !== undefined) throw new Refusal('bad_request', { message: line })
}
