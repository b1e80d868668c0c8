/** What a push is told as: which branches and tags it made, moved or removed, with how many commits. */
import type { PushData } from '../../platform/events/feed.ts'
import { countCommits } from '../../platform/git/commits/history.ts'
import { readCommit, readRefs, resolveCommit } from '../../platform/git/objects/objects.ts'
import { zeroId } from '../../platform/git/objects/oid.ts'
import { shortNameOf } from '../../platform/git/refs/names.ts'
import type { RefMove } from '../../platform/git/refs/update.ts'
import type { Repository } from '../../platform/git/repository.ts'

/** Branches, or tags, that one push tells one by one; more of them are told as a number. */
const SINGLE_REFS = 3

/** Characters of a commit's title. */
const MAX_TITLE = 70

/** Commits are counted no further: more of them say the same. */
const MAX_COUNTED = 10_000

/** A move with what it is called and does. */
interface NamedMove extends RefMove {
  readonly name: string
  readonly kind: 'branch' | 'tag'
  readonly action: PushData['action']
}

const actionOf = (move: RefMove): PushData['action'] => (move.old === zeroId ? 'created' : move.new === zeroId ? 'removed' : 'pushed')

/** The moves of branches and tags as a feed tells them. */
export async function pushDataOf(repository: Repository, moves: readonly RefMove[], defaultBranch: string | null): Promise<PushData[]> {
  const named = moves.flatMap((move): NamedMove[] => {
    const short = shortNameOf(move.ref)
    return short ? [{ ...move, ...short, action: actionOf(move) }] : []
  })
  const groups = [...Map.groupBy(named, ({ kind, action }) => `${kind} ${action}`).values()]
  const told: PushData[] = []
  for (const group of groups) {
    if (group.length > SINGLE_REFS) told.push(asNumber(group))
    else for (const move of group) told.push(await asOne(repository, move, defaultBranch))
  }
  return told
}

const asNumber = (group: readonly NamedMove[]): PushData => {
  const { action, kind } = group[0] as NamedMove
  return {
    action,
    ref_type: kind,
    ref: null,
    ref_count: group.length,
    commit_from: null,
    commit_to: null,
    commit_count: 0,
    commit_title: null,
  }
}

async function asOne(repository: Repository, move: NamedMove, defaultBranch: string | null): Promise<PushData> {
  const commitId = move.action === 'removed' ? undefined : await resolveCommit(repository, move.new)
  const commit = commitId === undefined ? undefined : await readCommit(repository, commitId)
  return {
    action: move.action,
    ref_type: move.kind,
    ref: move.name,
    ref_count: null,
    commit_from: move.action === 'created' ? null : move.old,
    commit_to: move.action === 'removed' ? null : move.new,
    commit_count: commit ? await countOf(repository, move, commit, defaultBranch) : 0,
    commit_title: commit ? titleOf(commit.message) : null,
  }
}

/** The commits that a move brought. A tag brings the one it names; a new branch what the default branch has not. */
async function countOf(
  repository: Repository,
  move: NamedMove,
  commit: { readonly id: string; readonly parent_ids: readonly string[] },
  defaultBranch: string | null,
): Promise<number> {
  // The common move, one commit on top of what was there, is known without asking git.
  const isNext = commit.parent_ids.length === 1 && commit.parent_ids[0] === move.old
  if (move.kind === 'tag' || isNext) return 1
  const known = move.action === 'pushed' ? move.old : await tipBeside(repository, move, defaultBranch)
  return countCommits(repository, { from: [commit.id], ...(known === undefined ? {} : { except: [known] }) }, MAX_COUNTED)
}

/** The tip of the default branch, unless that is the branch which moves. */
async function tipBeside(repository: Repository, move: NamedMove, defaultBranch: string | null): Promise<string | undefined> {
  if (defaultBranch === null || defaultBranch === move.name) return undefined
  const [tip] = await readRefs(repository, [`refs/heads/${defaultBranch}`])
  return tip
}

/** The first line of a message, cut where it is long. */
function titleOf(message: string): string {
  const line = message.trimStart().split('\n', 1)[0] as string
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 3)}...` : line
}
