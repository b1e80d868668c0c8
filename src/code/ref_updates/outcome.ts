/** Records the effects of moved references, in the transaction that removes the moves from their journal entry. */

import type { Db } from '../../platform/db/connection.ts'
import { originOf, type StoredOrigin } from '../../platform/events/audit/entry.ts'
import type { EventKind, NewEvent } from '../../platform/events/catalog.ts'
import { recordEvents } from '../../platform/events/events.ts'
import {
  type RefMove,
  type Repository,
  type RepositoryStorages,
  readRefs,
  setDefaultBranch,
  shortNameOf,
  zeroId,
} from '../../platform/git/index.ts'
import { type MovedIn, type RepositoryFacts, setRepositoryFacts } from '../../spaces/projects/repository/facts.ts'
import { protectFirstBranch } from '../protected_branches/commands.ts'
import { topFilesOf } from '../repository/files/top_files.ts'
import { statisticsTask } from '../repository/statistics.ts'
import { type FollowUp, noFollowUp, refUpdates } from './continuations.ts'
import { pushDataOf } from './push_data.ts'

/**
 * Records an event for each move, and what the project shows of its repository: the first branch becomes the default
 * one (and protected, as the namespace specifies), README and licence are those of its tip, and activity is recorded.
 * `db` is a transaction in which the project is locked.
 * @param origin the origin of the request that moved them, for the audit log
 * @param options the options of the push
 * @param follow the continuation of the moves; what it adds is recorded with them
 */
export async function recordOutcome(
  { db, storages, now }: { db: Db; storages: RepositoryStorages; now: Date },
  project: MovedIn,
  actorId: number | undefined,
  moves: readonly RefMove[],
  {
    origin = null,
    options = [],
    follow = async () => noFollowUp,
  }: { readonly origin?: StoredOrigin | null; readonly options?: readonly string[]; readonly follow?: () => Promise<FollowUp> } = {},
): Promise<void> {
  const projectId = project.id
  const repository = storages.repository(project)
  const first = project.default_branch === null ? firstBranchOf(moves) : undefined
  const defaultBranch = first ?? project.default_branch
  const [{ events, record }, tasks, topFiles, pushes] = await Promise.all([
    // Sent first: the merge request merged by these moves must be marked before the others of the branch are processed.
    follow(),
    refUpdates.value.onMoved(db, projectId, actorId, moves),
    topFilesAfter(repository, moves, `refs/heads/${defaultBranch}`),
    pushDataOf(repository, moves, defaultBranch),
  ])
  const facts: RepositoryFacts = {
    last_activity_at: now,
    ...(first === undefined ? {} : { default_branch: first, empty_repo: false }),
    ...topFiles,
  }
  if (first !== undefined) await setDefaultBranch(repository, first)
  const protections = first === undefined ? [] : await protectFirstBranch(db, project, first, now)
  const shown = moves.filter(({ ref }) => shortNameOf(ref) !== undefined)
  const about = { actorId, projectId }
  const happened: readonly NewEvent<EventKind>[] = [
    ...moves.map(move => ({ kind: 'reference.moved' as const, payload: move, ...about })),
    ...(shown.length > 0
      ? [{ kind: 'repository.updated' as const, payload: { moves: shown, ...(options.length > 0 && { options }) }, ...about }]
      : []),
    ...pushes.map(payload => ({ kind: 'repository.pushed' as const, payload, ...about })),
    ...protections.map(event => ({ ...event, ...about })),
    ...events,
  ]
  // The job can start before the commit if all that it reads exists already, except for a new default branch.
  const jobs = [statisticsTask(projectId, now, { unlessWaiting: first === undefined }), ...tasks]
  await Promise.all([
    record(),
    setRepositoryFacts(db, projectId, facts),
    recordEvents({ db, ...originOf(origin, now, actorId) }, happened, jobs),
  ])
}

/** README and licence of the default branch, if it moved. Reads the current tip: outcomes may be recorded in another order than moves. */
async function topFilesAfter(repository: Repository, moves: readonly RefMove[], defaultRef: string): Promise<Partial<RepositoryFacts>> {
  const [tip] = moves.some(({ ref }) => ref === defaultRef) ? await readRefs(repository, [defaultRef]) : []
  return tip === undefined ? {} : topFilesOf(repository, tip)
}

/** The branch of a first push that becomes the default branch. */
function firstBranchOf(moves: readonly RefMove[]): string | undefined {
  const branches = moves.flatMap(move => {
    const short = move.new === zeroId ? undefined : shortNameOf(move.ref)
    return short?.kind === 'branch' ? [short.name] : []
  })
  return ['main', 'master'].find(name => branches.includes(name)) ?? branches[0]
}
