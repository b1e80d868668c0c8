/** The only function by which the API moves references. Pushes take the same steps in two halves (push.ts). */
import type { RawBuilder } from 'kysely'
import { toStoredOrigin } from '../../platform/events/audit/entry.ts'
import { GitError, type RefMove, type Repository, updateRefs } from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, type Refusal } from '../../platform/kernel/errors.ts'
import type { Stored } from '../../spaces/projects/repository/store.ts'
import { findProject } from '../../spaces/projects/scope.ts'
import { assertUnlocked } from '../lfs/locks/enforcement.ts'
import { tagRights } from '../protected_tags/rights.ts'
import { assertPushRules } from '../push_rules/check.ts'
import { type Continuation, handlerOf } from './continuations.ts'
import { journalUpdate, settleJournalEntry } from './journal.ts'
import { sharedNameRefusals } from './shared_names.ts'
import { assertNoNameClash } from './spelling.ts'

/** @throws Refusal 403 a branch and a protected tag would have one name (`sharedNameRefusals`) */
async function assertNamesNotShared(
  ctx: Pick<Context, 'db' | 'actor'>,
  projectId: number,
  repository: Repository,
  moves: readonly RefMove[],
): Promise<void> {
  const rights = async () => tagRights(ctx, await findProject(ctx.db, ctx.actor, String(projectId)))
  const line = (await sharedNameRefusals(repository, moves, rights)).find(refusal => refusal !== undefined)
  if (line !== undefined) throw forbidden(line)
}

/** For moves with effects beyond the move itself. */
export interface MoveOptions {
  readonly continuation?: Continuation
  /** An addition to the statement that writes the journal entry (`JournalEntry`), and the refusal if it returns no row. */
  readonly claim?: { readonly part: RawBuilder<object>; readonly refusal: () => Refusal }
  /** The options that a push would have: `ci.skip`. */
  readonly options?: readonly string[] | undefined
}

/**
 * Moves references of a project's repository, all or none; the objects that they move to exist already. Journal entry,
 * compare-and-swap, outcome: after a crash at any point the reconciler does the rest. Not to be called inside
 * a transaction (`writes: 'own'`).
 * @throws Refusal the claim returned no row, or the push rules of the project or a lock on a file refuse it; nothing has happened then
 * @throws RefConflict one of them was moved by another caller, or its name is taken; nothing has happened then
 * @throws GitError `invalid` for an invalid reference name
 */
export async function moveReferences(
  { deps, actor, request }: Pick<Context, 'deps' | 'actor' | 'request'>,
  project: Stored,
  moves: readonly RefMove[],
  more?: MoveOptions,
): Promise<void> {
  const { continuation, claim, options } = more ?? {}
  // Fails for an unknown kind before anything moves.
  if (continuation) handlerOf(continuation)
  const repository = deps.storages.repository(project)
  await assertPushRules(deps, project, repository, moves)
  if (actor.user) await assertUnlocked(deps.database.db, project.id, actor.user.id, repository, moves)
  if (actor.user) await assertNamesNotShared({ db: deps.database.db, actor }, project.id, repository, moves)
  const intentId = await journalUpdate(deps.database.db, project.id, actor.user?.id, moves, {
    continuation,
    origin: toStoredOrigin({ actor, request }),
    options,
    claim: claim?.part,
  })
  if (intentId === undefined) throw claim!.refusal()
  try {
    // Checked after the entry is visible: no other request can create such a name between this check and the move.
    await assertNoNameClash(repository, moves)
    await updateRefs(repository, moves)
  } catch (error) {
    // Refused: nothing has moved. After any other failure only the references know; the reconciler reads them.
    if (error instanceof GitError && (error.kind === 'conflict' || error.kind === 'invalid'))
      await settleJournalEntry(deps, project.id, intentId, [], true)
    throw error
  }
  await settleJournalEntry(deps, project.id, intentId, moves, true)
}
