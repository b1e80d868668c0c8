/** Finishes or drops moves that a crash left between their journal entry and their outcome. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { isGone } from '../../platform/events/lease.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { outcomesOf, type RefMove, releaseLocks } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { settleJournalEntry } from './journal.ts'

/** A move that was not made within this time never will be: no push takes a day. In milliseconds. */
const PATIENCE = 24 * 60 * 60 * 1000

/** The same for moves by the server itself, such as a merge, of a process that lives or is not known: none takes that long. */
const PATIENCE_WITH_ITSELF = 5 * 60 * 1000

/**
 * The same for those of a process that is gone. Nothing that it started moves a reference after ten seconds, since git processes end with their input; the
 * rest is for one that lives, and takes its lock again after it has lost its connection.
 */
const PATIENCE_WITH_THE_GONE = 30 * 1000

/** Journal entries read at a time. */
const BATCH = 200

/**
 * Checks every journal entry: moves that were made are recorded; others are left to the request that is making them, and dropped after a
 * day; those of the server itself after five minutes, or when the process that began them is gone. Safe at any time and in several processes,
 * also during pushes. An entry that cannot be checked is logged and does not stop the others.
 */
export async function reconcileReferences(deps: Deps): Promise<void> {
  const { db } = deps.database
  for (let last = 0; ; ) {
    const intents = await intentsAfter(db, last)
    for (const intent of intents) {
      try {
        await reconcile(deps, intent)
      } catch (error) {
        deps.log.error(
          { err: error, intent: intent.id, project: intent.project_id },
          'an intended move of references could not be reconciled',
        )
      }
    }
    if (intents.length < BATCH) return
    last = intents.at(-1)?.id ?? last
  }
}

/**
 * After a start: finishes what a crash has left, and drops moves that the killed server itself had begun as soon as they cannot be made any more. Until
 * then the merge request of an interrupted merge is locked.
 */
export async function reconcileAfterStart({ database: { db }, now }: Deps): Promise<void> {
  await enqueue(db, 'reconcile_references', {}, { jobKey: 'reconcile_references' })
  const runAt = new Date(now().getTime() + PATIENCE_WITH_THE_GONE)
  await enqueue(db, 'reconcile_references', {}, { jobKey: 'reconcile_abandoned_references', runAt })
}

const intentsAfter = (db: Db, id: number) =>
  db
    .selectFrom('reference_intents')
    .innerJoin('projects', 'projects.id', 'reference_intents.project_id')
    .selectAll('reference_intents')
    .select(['projects.repository_storage', isGone(sql.ref('reference_intents.holder')).as('is_holder_gone')])
    .where('reference_intents.id', '>', id)
    .orderBy('reference_intents.id')
    .limit(BATCH)
    .execute()

type Intent = Awaited<ReturnType<typeof intentsAfter>>[number]

async function reconcile(deps: Deps, intent: Intent): Promise<void> {
  const moves = intent.moves as unknown as RefMove[]
  const repository = await findRepository(deps.storages, { id: intent.project_id, repository_storage: intent.repository_storage })
  // A crash can leave lock files: while they exist the references could not be moved.
  if (repository)
    releaseLocks(
      repository,
      moves.map(({ ref }) => ref),
    )
  const outcomes = repository ? await outcomesOf(repository, moves) : moves.map(() => 'not_made' as const)
  const made: RefMove[] = []
  for (const [index, move] of moves.entries()) {
    if (outcomes[index] === 'made' || (outcomes[index] === 'overtaken' && (await wasLeft(deps.database.db, intent, move)))) made.push(move)
  }
  const isOver = deps.now().getTime() - Date.parse(intent.created_at) > patienceWith(intent)
  if (made.length > 0 || isOver) await settleJournalEntry(deps, intent.project_id, intent.id, made, isOver)
}

/** Milliseconds that a move may take. */
function patienceWith({ purpose, is_holder_gone: isHolderGone }: Intent): number {
  if (purpose === null) return PATIENCE
  return isHolderGone ? PATIENCE_WITH_THE_GONE : PATIENCE_WITH_ITSELF
}

/** The reference has another value now. Was it moved away from the target of this move? Then the move was made. */
async function wasLeft(db: Db, intent: Intent, move: RefMove): Promise<boolean> {
  const { rows } = await sql`
    select from events
     where kind = 'reference.moved' and project_id = ${intent.project_id} and created_at >= ${intent.created_at}
       and payload ->> 'ref' = ${move.ref} and payload ->> 'old' = ${move.new}
    union all
    select from reference_intents
     where project_id = ${intent.project_id} and id <> ${intent.id} and moves @> ${JSON.stringify([{ ref: move.ref, old: move.new }])}::jsonb
     limit 1`.execute(db)
  return rows.length > 0
}
