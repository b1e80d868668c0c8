/** What follows from moved references, in the transaction that takes them off their intent. */
import { askForPipelines } from '../ci/pushes/ask.ts'
import type { Db } from '../db/connection.ts'
import { recordEvent, recordEvents } from '../events/events.ts'
import { readRefs } from '../git/objects/objects.ts'
import { zeroId } from '../git/objects/oid.ts'
import { shortNameOf } from '../git/refs/names.ts'
import type { RefMove } from '../git/refs/update.ts'
import { setDefaultBranch } from '../git/storage/storage.ts'
import type { RepositoryStorages } from '../git/storages.ts'
import { askForSurvey } from '../languages/commands.ts'
import { noticePush } from '../merge_requests/merging/pushed/notice.ts'
import { askForMeasuring } from '../project_statistics/commands.ts'
import { lockProject, type RepositoryFacts, setRepositoryFacts } from '../projects/repository_facts.ts'
import { protectFirstBranch } from '../protected_branches/commands.ts'
import { topFilesOf } from '../repository/top_files.ts'
import { askForUpkeep } from '../repository/upkeep.ts'
import { pushDataOf } from './push_data.ts'

/**
 * Records an event for each move, and what the project shows of its repository: the first branch becomes the default
 * one (and protected, as the namespace asks for), README and licence are those at its top, and there was activity.
 * `db` is a transaction.
 */
export async function recordOutcome(
  { db, storages, now }: { db: Db; storages: RepositoryStorages; now: Date },
  projectId: number,
  actorId: number | undefined,
  moves: readonly RefMove[],
  options: readonly string[] = [],
): Promise<void> {
  const project = await lockProject(db, projectId)
  // Deleted meanwhile, and everything about it with it.
  if (!project) return
  const repository = storages.repository(project)
  const first = project.default_branch === null ? firstBranchOf(moves) : undefined
  const defaultBranch = first ?? project.default_branch
  const defaultRef = `refs/heads/${defaultBranch}`
  // What it is by now: outcomes may be recorded in another order than the moves were made in.
  const [tip] = moves.some(({ ref }) => ref === defaultRef) ? await readRefs(repository, [defaultRef]) : []
  const facts: RepositoryFacts = {
    last_activity_at: now,
    ...(first === undefined ? {} : { default_branch: first, empty_repo: false }),
    ...(tip === undefined ? {} : await topFilesOf(repository, tip)),
  }
  if (first !== undefined) {
    await setDefaultBranch(repository, first)
    await protectFirstBranch(db, project, first, now)
  }
  await setRepositoryFacts(db, projectId, facts)
  await recordEvents(
    db,
    moves.map(move => ({ kind: 'reference.moved', payload: move, actorId, projectId })),
  )
  const shown = moves.filter(({ ref }) => shortNameOf(ref) !== undefined)
  if (shown.length > 0) await recordEvent(db, { kind: 'repository.updated', payload: { moves: shown }, actorId, projectId })
  await askForMeasuring(db, projectId, now)
  if (tip !== undefined) await askForSurvey(db, projectId, now)
  await recordEvents(
    db,
    (await pushDataOf(repository, moves, defaultBranch)).map(payload => ({ kind: 'repository.pushed', payload, actorId, projectId })),
  )
  await askForPipelines(db, projectId, actorId, moves, options)
  await noticePush(db, projectId, actorId, moves)
  await askForUpkeep(db, projectId, now)
}

/** The branch that a first push makes the default one. */
function firstBranchOf(moves: readonly RefMove[]): string | undefined {
  const branches = moves.flatMap(move => {
    const short = move.new === zeroId ? undefined : shortNameOf(move.ref)
    return short?.kind === 'branch' ? [short.name] : []
  })
  return ['main', 'master'].find(name => branches.includes(name)) ?? branches[0]
}
