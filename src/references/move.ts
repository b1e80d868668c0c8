/** The one function by which the API moves references. Pushes go the same way in two halves (push.ts). */
import type { Db } from '../db/connection.ts'
import { transact } from '../db/transact.ts'
import { GitError } from '../git/errors.ts'
import { type RefMove, updateRefs } from '../git/refs/update.ts'
import type { Context } from '../kernel/context.ts'
import type { Stored } from '../repository/store.ts'
import { recordIntent, settleIntent } from './intents.ts'
import type { Purpose } from './purposes.ts'

/** What references are moved for, where more is to be recorded than that they moved. */
export interface Undertaking {
  readonly purpose: Purpose
  /** Done in the transaction that records the intent; what it throws ends the undertaking. */
  readonly begin: (db: Db) => Promise<void>
  /** What a push would say besides: `ci.skip`. */
  readonly options?: readonly string[] | undefined
}

/**
 * Moves references of a project's repository, all or none; the objects they move to are written already. Intent,
 * compare-and-swap, outcome: after a crash at any point the reconciler does what is left to do. Not to be called inside
 * a transaction (`writes: 'own'`).
 * @throws RefConflict somebody else has moved one of them; nothing has happened then
 * @throws GitError `invalid` for a name that no reference may have
 */
export async function moveReferences(
  { deps, actor }: Pick<Context, 'deps' | 'actor'>,
  project: Stored,
  moves: readonly RefMove[],
  undertaking?: Undertaking,
): Promise<void> {
  const { db } = deps.database
  const record = (on: Db) =>
    recordIntent(on, project.id, actor.user?.id, moves, { purpose: undertaking?.purpose, options: undertaking?.options })
  const intentId = await (undertaking ? transact(db, tx => undertaking.begin(tx).then(() => record(tx))) : record(db))
  try {
    await updateRefs(deps.storages.repository(project), moves)
  } catch (error) {
    // Refused: nothing has moved. After any other failure only the references know; the reconciler asks them.
    if (error instanceof GitError && (error.kind === 'conflict' || error.kind === 'invalid')) await settleIntent(deps, intentId, [], true)
    throw error
  }
  await settleIntent(deps, intentId, moves, true)
}
