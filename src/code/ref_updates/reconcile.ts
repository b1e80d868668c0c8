/** Finishes or drops moves that a crash left between their journal entry and their outcome. */
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { outcomesOf, type RefMove, releaseLocks } from '../../platform/git/index.ts'
import type { Deps } from '../../platform/kernel/context.ts'
import { findRepository } from '../../spaces/projects/repository/store.ts'
import { settleJournalEntry } from './journal.ts'

/** A move that was not made within this time never will be: no push takes a day. In milliseconds. */
const PATIENCE = 24 * 60 * 60 * 1000

/** The same for moves by the server itself, such as a merge: none takes that long. */
const PATIENCE_WITH_ITSELF = 5 * 60 * 1000

/** After so long nothing that a killed server started moves a reference any more: git processes end with their input. In milliseconds. */
const LAST_MOVES = 10 * 1000

/** Journal entries read at a time. */
const BATCH = 200

/**
 * Checks every journal entry: moves that were made are recorded; others are left to the request that is making them, and dropped after a
 * day. Safe at any time and in several processes, also during pushes. An entry that cannot be checked is logged and does not stop
 * the others.
 * @param abandoned moves by the server itself up to this entry are of a process that is gone: they are dropped without a wait
 */
export async function reconcileReferences(deps: Deps, { abandoned = 0 }: { readonly abandoned?: number } = {}): Promise<void> {
  const { db } = deps.database
  for (let last = 0; ; ) {
    const intents = await intentsAfter(db, last)
    for (const intent of intents) {
      try {
        await reconcile(deps, intent, abandoned)
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
 * After a start on a database that no other process serves: finishes what a crash has left, and drops moves of the killed server itself soon. Until
 * then the merge request of an interrupted merge is locked.
 */
export async function reconcileAfterStart({ database: { db }, config, now }: Deps): Promise<void> {
  await enqueue(db, 'reconcile_references', {}, { jobKey: 'reconcile_references' })
  // Another process may be making them.
  if (config.databaseUrl) return
  const last = await db.selectFrom('reference_intents').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  if (!last) return
  const runAt = new Date(now().getTime() + LAST_MOVES)
  await enqueue(db, 'reconcile_references', { abandoned: last.id }, { jobKey: 'reconcile_abandoned_references', runAt })
}

const intentsAfter = (db: Db, id: number) =>
  db
    .selectFrom('reference_intents')
    .innerJoin('projects', 'projects.id', 'reference_intents.project_id')
    .selectAll('reference_intents')
    .select('projects.repository_storage')
    .where('reference_intents.id', '>', id)
    .orderBy('reference_intents.id')
    .limit(BATCH)
    .execute()

type Intent = Awaited<ReturnType<typeof intentsAfter>>[number]

async function reconcile(deps: Deps, intent: Intent, abandoned: number): Promise<void> {
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
  const isAbandoned = intent.purpose !== null && intent.id <= abandoned
  const isOver =
    isAbandoned || deps.now().getTime() - Date.parse(intent.created_at) > (intent.purpose === null ? PATIENCE : PATIENCE_WITH_ITSELF)
  if (made.length > 0 || isOver) await settleJournalEntry(deps, intent.project_id, intent.id, made, isOver)
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
