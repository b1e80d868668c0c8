/**
 * The references of a repository as they were at the instant of a snapshot, read later.
 *
 * The archive's rows are those of one snapshot, and git's references are read one repository after the other while pushes, merges and deletions
 * go on. Each move of a project's references is committed to the journal before git makes it, and its outcome is recorded as an event in the
 * transaction that takes it from the journal (code/ref_updates). So for each move one of three holds:
 *
 * - its outcome is in the snapshot: git had made it before, and it is read here;
 * - it is in the journal of the snapshot: made or not, the reconciler of the restored instance records what it finds;
 * - neither: it was made after the snapshot, and it is taken back here, by the events and journal entries that the snapshot does not have.
 *
 * What the former values name is still there: nothing is pruned while a backup runs (platform/db/migrating/backup_lock.ts). References of
 * merge requests have no journal; they are those of the versions in the snapshot. Wikis and snippets have neither, and are as they are when
 * they are read: their rows are mended by the next change, as after a crash. References that only keep commits (`refs/keep-around/`) may be more.
 */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allRefs, mergeRequestRef, type ObjectId, objectInfo, type RefMove, type Repository, zeroId } from '../../platform/git/index.ts'

type Refs = Map<string, ObjectId>

/** Both sides of the time: `then` reads as the snapshot is, `now` as the database is. */
export interface Times {
  readonly then: Db
  readonly now: Db
}

/** Moves that the snapshot does not have. */
interface LaterMoves {
  /** Those that were made. */
  readonly made: readonly RefMove[]
  /** Those of the journal, which git may have made. */
  readonly pending: readonly RefMove[]
  /** Tells whether two answers are the same. */
  readonly state: string
}

const ATTEMPTS = 50
const PAUSE = 100

/** The references of a project's repository at the instant of the snapshot. */
export async function refsAtInstant(times: Times, projectId: number, repository: Repository): Promise<Refs> {
  for (let attempt = 1; ; attempt++) {
    const before = await laterMoves(times, projectId)
    const refs = await allRefs(repository)
    const after = await laterMoves(times, projectId)
    // A quiet moment makes it certain what was made before the references were read.
    const isQuiet = before.state === after.state && after.pending.length === 0
    if (isQuiet || attempt === ATTEMPTS) {
      takeBack(refs, after)
      await setMergeRequestRefs(times.then, projectId, repository, refs)
      return refs
    }
    await new Promise(resolve => setTimeout(resolve, PAUSE))
  }
}

async function laterMoves({ then, now }: Times, projectId: number): Promise<LaterMoves> {
  // The ids of a project's moves are given out under the lock of its row, so that they are in the order of their commits.
  const [newest] = await then
    .selectFrom('events')
    .select('id')
    .where('project_id', '=', projectId)
    .where('kind', '=', 'reference.moved')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  const known = await then.selectFrom('reference_intents').select('id').where('project_id', '=', projectId).execute()
  const isKnown = new Set(known.map(({ id }) => id))
  // In one statement: a move is in the journal or an event, and never neither.
  const { rows } = await sql<{ kind: 'made' | 'pending'; id: number; moves: unknown }>`
    select 'made' as kind, id, jsonb_build_array(payload) as moves from events
     where project_id = ${projectId} and kind = 'reference.moved' and id > ${newest?.id ?? 0}
    union all
    select 'pending', id, moves from reference_intents where project_id = ${projectId}
     order by 1, 2`.execute(now)
  const later = rows.filter(({ kind, id }) => kind === 'made' || !isKnown.has(id))
  const movesOf = (kind: 'made' | 'pending') => later.filter(row => row.kind === kind).flatMap(({ moves }) => moves as RefMove[])
  return { made: movesOf('made'), pending: movesOf('pending'), state: JSON.stringify(later) }
}

/** Takes moves back, from the value of each reference along those that led to it. Entries of the journal count where nothing else explains a value. */
export function takeBack(refs: Refs, { made, pending }: Pick<LaterMoves, 'made' | 'pending'>): void {
  for (const ref of new Set([...made, ...pending].map(move => move.ref))) {
    const left = [...made, ...pending].filter(move => move.ref === ref)
    let value = refs.get(ref) ?? zeroId
    for (;;) {
      const index = left.findIndex(move => move.new === value)
      if (index === -1) break
      value = left[index]!.old
      left.splice(index, 1)
    }
    if (value === zeroId) refs.delete(ref)
    else refs.set(ref, value)
  }
}

/** Sets the references of merge requests to their versions in the snapshot, and leaves out those of merge requests that came later. */
async function setMergeRequestRefs(then: Db, projectId: number, repository: Repository, refs: Refs): Promise<void> {
  const names = [...refs.keys()].filter(ref => ref.startsWith('refs/merge-requests/'))
  if (names.length === 0) return
  const rows = await then
    .selectFrom('merge_requests')
    .leftJoin('merge_request_versions', 'merge_request_versions.id', 'merge_requests.latest_version_id')
    .select(['merge_requests.iid', 'merge_request_versions.head_commit_sha'])
    .where('merge_requests.project_id', '=', projectId)
    .execute()
  const heads = new Map(rows.map(({ iid, head_commit_sha }) => [iid, head_commit_sha as ObjectId | null]))
  for (const name of names) if (!heads.has(Number(name.split('/')[2]))) refs.delete(name)
  const moved = [...heads].flatMap(([iid, head]) => {
    const ref = mergeRequestRef(iid, 'head')
    return head !== null && refs.has(ref) && refs.get(ref) !== head ? [{ ref, head }] : []
  })
  const found = await objectInfo(
    repository,
    moved.map(({ head }) => head),
  )
  for (const [index, { ref, head }] of moved.entries()) if (found[index]) refs.set(ref, head)
}
