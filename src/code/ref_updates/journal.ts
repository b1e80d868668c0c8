/**
 * The journal of reference moves: entries are committed before git makes the moves. The transaction that deletes a move from its entry
 * also records its effects, so each outcome is recorded exactly once, by the request or by the reconciler (house rule: git and
 * the database agree after any crash).
 */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { transact, transactSyncCommit } from '../../platform/db/transact.ts'
import type { StoredOrigin } from '../../platform/events/audit/entry.ts'
import { processMark } from '../../platform/events/lease.ts'
import { RefConflict, type RefMove, zeroId } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { lockProject } from '../../spaces/projects/repository/facts.ts'
import { type Continuation, dependsOn, handlerOf } from './continuations.ts'
import { recordOutcome } from './outcome.ts'
import { isCreation, pendingClashes } from './spelling.ts'

/** Further data of a journal entry. */
export interface JournalEntry {
  readonly continuation?: Continuation | undefined
  /** Origin of the request, for the audit log. */
  readonly origin?: StoredOrigin | undefined
  /** The options of a push. */
  readonly options?: readonly string[] | undefined
  /** A part of the statement that writes the entry and returns a row: if it returns none, no entry is written. */
  readonly claim?: RawBuilder<object> | undefined
}

/**
 * Writes a journal entry durably: git may start afterwards. Returns its id, or undefined if the claim returned no row. One statement,
 * unless references are created.
 * @throws RefConflict `differs_in_case` if another entry is about to create a reference whose name clashes (spelling.ts)
 */
export async function journalUpdate(
  db: Db,
  projectId: number,
  actorId: number | undefined,
  moves: readonly RefMove[],
  intended: JournalEntry = {},
): Promise<number | undefined> {
  const holder = processMark(db)
  if (!moves.some(isCreation)) return insertIntent(db, projectId, actorId, moves, intended, holder)
  return transactSyncCommit(db, async tx => {
    const clashes = pendingClashes(moves, await lockPendingMoves(tx, projectId))
    const first = clashes.findIndex(other => other !== undefined)
    if (first !== -1) throw new RefConflict((moves[first] as RefMove).ref, 'differs_in_case', zeroId, clashes[first])
    return insertIntent(tx, projectId, actorId, moves, intended, holder)
  })
}

/**
 * Like `journalUpdate` for the commands of a push, of which some may clash and the others continue.
 * @returns the entry's id, undefined if all clash; and for each move, in order, the name that it clashes with
 */
export async function journalPush(
  db: Db,
  projectId: number,
  actorId: number | undefined,
  moves: readonly RefMove[],
  intended: JournalEntry,
): Promise<{ readonly id: number | undefined; readonly clashes: readonly (string | undefined)[] }> {
  const holder = processMark(db)
  if (!moves.some(isCreation)) return { id: await insertIntent(db, projectId, actorId, moves, intended, holder), clashes: [] }
  return transactSyncCommit(db, async tx => {
    const clashes = pendingClashes(moves, await lockPendingMoves(tx, projectId))
    const going = moves.filter((_, index) => clashes[index] === undefined)
    return { id: going.length === 0 ? undefined : await insertIntent(tx, projectId, actorId, going, intended, holder), clashes }
  })
}

/**
 * The pending moves of a project. Until the transaction ends no other request can write an entry that creates a reference there: of two
 * with clashing names the later one sees the entry of the earlier one or, once that is finished, its reference on disk, which is
 * checked next.
 */
async function lockPendingMoves(db: Db, projectId: number): Promise<RefMove[]> {
  await lockName(db, 'reference intents', projectId)
  const intents = await db.selectFrom('reference_intents').select('moves').where('project_id', '=', projectId).execute()
  return intents.flatMap(({ moves }) => moves as unknown as RefMove[])
}

async function insertIntent(
  db: Db,
  projectId: number,
  actorId: number | undefined,
  moves: readonly RefMove[],
  { continuation, origin, options = [], claim = sql`(select 1)` }: JournalEntry,
  holder: string | undefined,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with claimed as ${claim}
    insert into reference_intents (project_id, actor_id, moves, purpose, origin, push_options, holder)
    select ${projectId}::bigint, ${actorId ?? null}::bigint, ${JSON.stringify(moves)}::jsonb, ${continuation ? JSON.stringify(continuation) : null}::jsonb,
           ${origin ? JSON.stringify(origin) : null}::jsonb, ${[...options]}::text[], ${holder ?? null}::text from claimed
    returning id`.execute(db)
  return rows[0]?.id
}

/** The same for the same move, and for no other: names of references have no spaces. */
const keyOf = ({ ref, old, new: target }: RefMove): string => `${old} ${target} ${ref}`

/**
 * Records the effects of those moves of an entry that were made, and removes them from it. The other moves stay pending unless `isOver`:
 * then they will never be made, and the entry is deleted. Moves that were removed before are ignored.
 */
export async function settleJournalEntry(
  { database, storages, now: clock }: Deps,
  projectId: number,
  intentId: number,
  made: readonly RefMove[],
  isOver: boolean,
): Promise<void> {
  await transact(database.db, async db => {
    const now = clock()
    // The project before its entry: deleting a project locks them in this order.
    const [project, intent] = await Promise.all([lockProject(db, projectId), isOver ? takeIntent(db, intentId) : lockIntent(db, intentId)])
    if (!project || !intent) return
    const pending = intent.moves as unknown as RefMove[]
    // A push may have tens of thousands of moves.
    const done = new Set(made.map(keyOf))
    const { ours = [], rest = [] } = Object.groupBy(pending, move => (done.has(keyOf(move)) ? 'ours' : 'rest'))
    const actorId = intent.actor_id ?? undefined
    const continuation = (intent.purpose ?? undefined) as Continuation | undefined
    if (!isOver && rest.length === 0) await takeIntent(db, intentId)
    else if (!isOver && ours.length > 0)
      await db
        .updateTable('reference_intents')
        .set({ moves: JSON.stringify(rest) })
        .where('id', '=', intentId)
        .execute()
    const isApplied = continuation !== undefined && ours.some(move => dependsOn(continuation, move))
    const more = {
      origin: intent.origin as unknown as StoredOrigin | null,
      options: intent.push_options,
      ...(isApplied && { follow: () => handlerOf(continuation).onApplied(db, actorId, continuation, now) }),
    }
    if (ours.length > 0) await recordOutcome({ db, storages, now }, project, actorId, ours, more)
    if (continuation && !isApplied && isOver && rest.some(move => dependsOn(continuation, move)))
      await handlerOf(continuation).onAborted(db, continuation)
  })
}

const takeIntent = (db: Db, id: number) => db.deleteFrom('reference_intents').where('id', '=', id).returningAll().executeTakeFirst()

const lockIntent = (db: Db, id: number) =>
  db.selectFrom('reference_intents').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
