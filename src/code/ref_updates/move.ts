/** The one function by which the API moves references. Pushes go the same way in two halves (push.ts). */
import type { RawBuilder } from 'kysely'
import { keptOrigin } from '../../platform/events/audit/entry.ts'
import { GitError } from '../../platform/git/errors.ts'
import { type RefMove, updateRefs } from '../../platform/git/refs/update.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Refusal } from '../../platform/kernel/errors.ts'
import type { Stored } from '../../spaces/projects/repository/store.ts'
import { type Continuation, handlerOf } from './continuations.ts'
import { journalUpdate, settleJournalEntry } from './journal.ts'
import { assertSpelledApart } from './spelling.ts'

/** For moves after which more is to be recorded than that they were made. */
export interface MoveOptions {
  readonly continuation: Continuation
  /** What the statement that records the intent does besides (`Intended`), and the refusal where that cannot be done. */
  readonly claim?: { readonly part: RawBuilder<object>; readonly refusal: () => Refusal }
  /** What a push would say besides: `ci.skip`. */
  readonly options?: readonly string[] | undefined
}

/**
 * Moves references of a project's repository, all or none; the objects they move to are written already. Intent,
 * compare-and-swap, outcome: after a crash at any point the reconciler does what is left to do. Not to be called inside
 * a transaction (`writes: 'own'`).
 * @throws Refusal the claim was not met; nothing has happened then
 * @throws RefConflict one of them has been moved by another caller, or its name is taken; nothing has happened then
 * @throws GitError `invalid` for a name that no reference may have
 */
export async function moveReferences(
  { deps, actor, request }: Pick<Context, 'deps' | 'actor' | 'request'>,
  project: Stored,
  moves: readonly RefMove[],
  more?: MoveOptions,
): Promise<void> {
  const { continuation, claim, options } = more ?? {}
  // An unknown kind is a mistake that shows before anything moves.
  if (continuation) handlerOf(continuation)
  const repository = deps.storages.repository(project)
  const intentId = await journalUpdate(deps.database.db, project.id, actor.user?.id, moves, {
    continuation,
    origin: keptOrigin({ actor, request }),
    options,
    claim: claim?.part,
  })
  if (intentId === undefined) throw claim!.refusal()
  try {
    // Now that others see the intent, and not before: nobody makes such a name between this look and the move.
    await assertSpelledApart(repository, moves)
    await updateRefs(repository, moves)
  } catch (error) {
    // Refused: nothing has moved. After any other failure only the references know; the reconciler asks them.
    if (error instanceof GitError && (error.kind === 'conflict' || error.kind === 'invalid'))
      await settleJournalEntry(deps, project.id, intentId, [], true)
    throw error
  }
  await settleJournalEntry(deps, project.id, intentId, moves, true)
}
