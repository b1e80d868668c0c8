/**
 * Intents: the moves of references that are about to be made, committed before git makes them. Whoever deletes a move
 * from its intent owns what follows from it, in the same transaction, so each outcome is recorded exactly once
 * whether the request or the reconciler records it (house rule: git and the database agree after any crash).
 */
import type { Db } from '../db/connection.ts'
import { transact } from '../db/transact.ts'
import type { RefMove } from '../git/refs/update.ts'
import type { Deps } from '../kernel/context.ts'
import { lockProject } from '../projects/repository_facts.ts'
import { recordOutcome } from './outcome.ts'
import { abandon, dependsOn, fulfil, type Purpose } from './purposes.ts'

/** Stores what is about to happen, why, and the options of a push; `db` must commit before git starts. Returns the intent's id. */
export async function recordIntent(
  db: Db,
  projectId: number,
  actorId: number | undefined,
  moves: readonly RefMove[],
  { purpose, options = [] }: { readonly purpose?: Purpose | undefined; readonly options?: readonly string[] | undefined } = {},
): Promise<number> {
  const { id } = await db
    .insertInto('reference_intents')
    .values({
      project_id: projectId,
      actor_id: actorId ?? null,
      moves: JSON.stringify(moves),
      purpose: purpose ? JSON.stringify(purpose) : null,
      push_options: [...options],
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Is this the same move? */
export const isSameMove = (a: RefMove, b: RefMove): boolean => a.ref === b.ref && a.old === b.old && a.new === b.new

/**
 * Records what follows from those moves of an intent that were made, and takes them off it. The rest stays pending
 * unless `isOver`: then it will never be made, and the intent goes. Does nothing with moves that are off it already.
 */
export async function settleIntent(deps: Deps, intentId: number, made: readonly RefMove[], isOver: boolean): Promise<void> {
  const { database, storages, now } = deps
  await transact(database.db, async db => {
    const recorded = await db.selectFrom('reference_intents').select('project_id').where('id', '=', intentId).executeTakeFirst()
    // First the project, then its intent: deleting a project locks them in this order.
    if (!recorded || !(await lockProject(db, recorded.project_id))) return
    const intent = await db.selectFrom('reference_intents').selectAll().where('id', '=', intentId).forUpdate().executeTakeFirst()
    if (!intent) return
    const pending = intent.moves as unknown as RefMove[]
    const ours = pending.filter(move => made.some(other => isSameMove(move, other)))
    const rest = pending.filter(move => !ours.includes(move))
    const actorId = intent.actor_id ?? undefined
    const purpose = (intent.purpose ?? undefined) as Purpose | undefined
    if (isOver || rest.length === 0) await db.deleteFrom('reference_intents').where('id', '=', intentId).execute()
    else if (ours.length > 0)
      await db
        .updateTable('reference_intents')
        .set({ moves: JSON.stringify(rest) })
        .where('id', '=', intentId)
        .execute()
    if (ours.length > 0) await recordOutcome({ db, storages, now: now() }, intent.project_id, actorId, ours, intent.push_options)
    if (purpose && ours.some(move => dependsOn(purpose, move))) await fulfil(deps, db, actorId, purpose)
    else if (purpose && isOver && rest.some(move => dependsOn(purpose, move))) await abandon(db, purpose)
  })
}
