/**
 * Intents: the moves of references that are about to be made, committed before git makes them. Whoever deletes a move
 * from its intent owns what follows from it, in the same transaction, so each outcome is recorded exactly once
 * whether the request or the reconciler records it (house rule: git and the database agree after any crash).
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { transact, transactSyncCommit } from '../../platform/db/transact.ts'
import type { KeptOrigin } from '../../platform/events/audit/entry.ts'
import { zeroId } from '../../platform/git/objects/oid.ts'
import { RefConflict, type RefMove } from '../../platform/git/refs/update.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { lockProject } from '../../spaces/projects/repository/facts.ts'
import { type Continuation, dependsOn, handlerOf } from './continuations.ts'
import { recordOutcome } from './outcome.ts'
import { isCreation, pendingClashes } from './spelling.ts'

/** What else is known of an intended move. */
export interface JournalEntry {
  readonly continuation?: Continuation | undefined
  /** Where the request came from, for the audit log. */
  readonly origin?: KeptOrigin | undefined
  /** Of a push. */
  readonly options?: readonly string[] | undefined
  /** A part of the statement that records the intent and returns a row: where it returns none, nothing is recorded. */
  readonly claim?: RawBuilder<object> | undefined
}

/**
 * Stores what is about to happen, what is to follow, and the options of a push, durably: git may start afterwards. Returns the intent's id, or
 * undefined where the claim was not met. One statement, unless references are made.
 * @throws RefConflict `differs_in_case` where another caller is about to make a reference whose name clashes (spelling.ts)
 */
export async function journalUpdate(
  db: Db,
  projectId: number,
  actorId: number | undefined,
  moves: readonly RefMove[],
  intended: JournalEntry = {},
): Promise<number | undefined> {
  if (!moves.some(isCreation)) return insertIntent(db, projectId, actorId, moves, intended)
  return transactSyncCommit(db, async tx => {
    const clashes = pendingClashes(moves, await lockPendingMoves(tx, projectId))
    const first = clashes.findIndex(other => other !== undefined)
    if (first !== -1) throw new RefConflict((moves[first] as RefMove).ref, 'differs_in_case', zeroId, clashes[first])
    return insertIntent(tx, projectId, actorId, moves, intended)
  })
}

/**
 * The same for the commands of a push, of which some may clash and the others go on.
 * @returns the intent's id, undefined where all clash; and for each move, in order, the name that it clashes with
 */
export async function journalPush(
  db: Db,
  projectId: number,
  actorId: number | undefined,
  moves: readonly RefMove[],
  intended: JournalEntry,
): Promise<{ readonly id: number | undefined; readonly clashes: readonly (string | undefined)[] }> {
  if (!moves.some(isCreation)) return { id: await insertIntent(db, projectId, actorId, moves, intended), clashes: [] }
  return transactSyncCommit(db, async tx => {
    const clashes = pendingClashes(moves, await lockPendingMoves(tx, projectId))
    const going = moves.filter((_, index) => clashes[index] === undefined)
    return { id: going.length === 0 ? undefined : await insertIntent(tx, projectId, actorId, going, intended), clashes }
  })
}

/**
 * The moves that others are about to make in a project. Until the transaction ends nobody else records that a reference is to be made there: of two
 * whose names clash, the later one sees the intent of the earlier one or, once that is settled, its reference on disk, where it looks next.
 */
async function lockPendingMoves(db: Db, projectId: number): Promise<RefMove[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('reference_intents', ${projectId}))`.execute(db)
  const intents = await db.selectFrom('reference_intents').select('moves').where('project_id', '=', projectId).execute()
  return intents.flatMap(({ moves }) => moves as unknown as RefMove[])
}

async function insertIntent(
  db: Db,
  projectId: number,
  actorId: number | undefined,
  moves: readonly RefMove[],
  { continuation, origin, options = [], claim = sql`(select 1)` }: JournalEntry,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with claimed as ${claim}
    insert into reference_intents (project_id, actor_id, moves, purpose, origin, push_options)
    select ${projectId}::bigint, ${actorId ?? null}::bigint, ${JSON.stringify(moves)}::jsonb, ${continuation ? JSON.stringify(continuation) : null}::jsonb,
           ${origin ? JSON.stringify(origin) : null}::jsonb, ${[...options]}::text[] from claimed
    returning id`.execute(db)
  return rows[0]?.id
}

/** Is this the same move? */
export const isSameMove = (a: RefMove, b: RefMove): boolean => a.ref === b.ref && a.old === b.old && a.new === b.new

/**
 * Records what follows from those moves of an intent that were made, and takes them off it. The rest stays pending
 * unless `isOver`: then it will never be made, and the intent goes. Does nothing with moves that are off it already.
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
    // First the project, then its intent: deleting a project locks them in this order.
    const [project, intent] = await Promise.all([lockProject(db, projectId), isOver ? takeIntent(db, intentId) : lockIntent(db, intentId)])
    if (!project || !intent) return
    const pending = intent.moves as unknown as RefMove[]
    const ours = pending.filter(move => made.some(other => isSameMove(move, other)))
    const rest = pending.filter(move => !ours.includes(move))
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
      origin: intent.origin as unknown as KeptOrigin | null,
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
