/** The data of push events: which branches and tags were created, moved or deleted, with how many commits. */
import type { PushData } from '../../platform/events/catalog.ts'
import {
  countCommits,
  type RefMove,
  type Repository,
  readCommit,
  readRefs,
  resolveCommit,
  shortNameOf,
  zeroId,
} from '../../platform/git/index.ts'

/** Branches, or tags, of one push that have events of their own; more of them are one event with a count. */
const SINGLE_REFS = 3

/** Maximum length of a commit's title, in characters. */
const MAX_TITLE = 70

/** Upper bound of counting commits; a larger number carries no information. */
const MAX_COUNTED = 10_000

/** A move with the name and kind of its reference. */
interface NamedMove extends RefMove {
  readonly name: string
  readonly kind: 'branch' | 'tag'
  readonly action: PushData['action']
}

const actionOf = (move: RefMove): PushData['action'] => (move.old === zeroId ? 'created' : move.new === zeroId ? 'removed' : 'pushed')

/** The push events of moves of branches and tags. */
export async function pushDataOf(repository: Repository, moves: readonly RefMove[], defaultBranch: string | null): Promise<PushData[]> {
  const named = moves.flatMap((move): NamedMove[] => {
    const short = shortNameOf(move.ref)
    return short ? [{ ...move, ...short, action: actionOf(move) }] : []
  })
  const groups = [...Map.groupBy(named, ({ kind, action }) => `${kind} ${action}`).values()]
  const entries: PushData[] = []
  for (const group of groups) {
    if (group.length > SINGLE_REFS) entries.push(asNumber(group))
    else for (const move of group) entries.push(await asOne(repository, move, defaultBranch))
  }
  return entries
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

/** The number of commits that a move adds. A tag adds the one that it names; a new branch those that the default branch lacks. */
async function countOf(
  repository: Repository,
  move: NamedMove,
  commit: { readonly id: string; readonly parent_ids: readonly string[] },
  defaultBranch: string | null,
): Promise<number> {
  // The most common move, one commit on top of the old tip, needs no git process.
  const isNext = commit.parent_ids.length === 1 && commit.parent_ids[0] === move.old
  if (move.kind === 'tag' || isNext) return 1
  const known = move.action === 'pushed' ? move.old : await tipBeside(repository, move, defaultBranch)
  return countCommits(repository, { from: [commit.id], ...(known === undefined ? {} : { except: [known] }) }, MAX_COUNTED)
}

/** The tip of the default branch, unless that branch itself moves. */
async function tipBeside(repository: Repository, move: NamedMove, defaultBranch: string | null): Promise<string | undefined> {
  if (defaultBranch === null || defaultBranch === move.name) return undefined
  const [tip] = await readRefs(repository, [`refs/heads/${defaultBranch}`])
  return tip
}

/** The first line of a message, shortened if it is long. */
function titleOf(message: string): string {
  const line = message.trimStart().split('\n', 1)[0] as string
  return line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE - 3)}...` : line
}
