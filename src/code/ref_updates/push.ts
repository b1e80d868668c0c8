/** Pushes by any transport: checked, written to the journal before git moves anything, and finished. */
import type { Actor } from '../../platform/access/actor.ts'
import { authorIdIn } from '../../platform/access/credentials/deploy_keys.ts'
import { toStoredOrigin } from '../../platform/events/audit/entry.ts'
import { type Push, type RefMove, type Repository, receivePack, shortNameOf } from '../../platform/git/index.ts'
import { type Context, systemContext } from '../../platform/kernel/context.ts'
import { Refusal, sentenceOf } from '../../platform/kernel/errors.ts'
import { workFor } from '../../platform/kernel/request/bounds/holder.ts'
import { holderOf } from '../../platform/kernel/request/rate_limit.ts'
import { ensureRepository } from '../../spaces/projects/repository/store.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { PushRuleRow } from '../../spaces/push_rules/queries.ts'
import { packLimitOf } from '../../spaces/storage_limits/limits.ts'
import { lockRefusal } from '../lfs/locks/enforcement.ts'
import { locksOfOthers } from '../lfs/locks/queries.ts'
import { contentRefusal, nameRefusals, ownAddresses, pushRuleInForce } from '../push_rules/check.ts'
import { looksAtCommits } from '../push_rules/rules.ts'
import { refUpdates, withoutPipelines } from './continuations.ts'
import { journalPush, settleJournalEntry } from './journal.ts'
import { type PushRights, pushRights, refusalOf, rewriteRefusalOf } from './push_rules.ts'
import { sharedNameRefusals } from './shared_names.ts'
import { clashLine, isCreation, spellingRefusals } from './spelling.ts'

/** The source of a push, and who pushes. */
export interface PushChannel extends Pick<Push, 'request' | 'response' | 'requestEnds'> {
  /**
   * Loads the caller and project after the commands have arrived: a client may delay them for any time.
   * @throws Refusal if the caller may no longer push
   */
  readonly current: () => Promise<{ readonly actor: Actor; readonly project: ProjectWithRole }>
}

/**
 * Receives a push to a project: each command is checked, the permitted ones are written to the journal before git starts, and
 * their effects are recorded before the client is informed. It continues when the client disconnects, since the push may have been
 * received completely. Not to be called inside a transaction. The caller checks whether the actor may push at all.
 */
export async function receivePush(
  ctx: Pick<Context, 'db' | 'deps' | 'request'> & { readonly actor: Actor },
  project: ProjectWithRole,
  { current, ...channel }: PushChannel,
): Promise<void> {
  const { deps, actor } = ctx
  const repository = await ensureRepository(ctx.db, deps.storages, project)
  let rights: PushRights | undefined
  let rule: PushRuleRow | undefined
  let intentId: number | undefined
  let options: readonly string[] = []
  await receivePack(repository, {
    ...channel,
    authorize: async (moves, push) => {
      options = push.options.filter(option => option !== withoutPipelines)
      try {
        const now = await current()
        rights = await pushRights({ db: ctx.db, actor: now.actor }, now.project)
        rule = await pushRuleInForce(deps, project.id)
        return await refusalsOf(repository, moves, rights, now.project.default_branch, rule)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return moves.map(() => sentenceOf(error))
      }
    },
    inspection: async () => {
      const { db } = deps.database
      const userId = await authorIdIn(db, actor, project.id)
      const locks = await locksOfOthers(db, project.id, userId)
      const own = rule !== undefined && looksAtCommits(rule) ? await ownAddresses(db, userId) : undefined
      const checked = own && rule && { db, repository, rule, own }
      if (checked === undefined && locks.size === 0) return undefined
      return async (moves, held) => {
        const line = await workFor(
          holderOf(actor, ''),
          async () =>
            (checked && (await contentRefusal({ ...checked, held }, moves))) ?? (await lockRefusal({ repository, locks, held }, moves)),
        ).catch(error => {
          if (error instanceof Refusal) return sentenceOf(error)
          throw error
        })
        return moves.map(() => line)
      }
    },
    packLimit: () => packLimitOf(deps, project),
    rewriteRefusal: ref => rewriteRefusalOf(ref, rights as PushRights),
    async record(moves) {
      const { db } = deps.database
      const intended = { origin: toStoredOrigin(ctx), options }
      const { id, clashes } = await journalPush(db, project.id, await authorIdIn(db, actor, project.id), moves, intended)
      intentId = id
      // Checked again after the entry is visible: no other request can create such a name between this check and the move.
      const onDisk = moves.some(isCreation) ? await spellingRefusals(repository, moves) : []
      return moves.map((_, index) => (clashes[index] === undefined ? onDisk[index] : clashLine(clashes[index])))
    },
    async settled(results) {
      const made = results.filter(({ refusal }) => refusal === undefined)
      if (intentId !== undefined) await settleJournalEntry(deps, project.id, intentId, made, true)
      return answerOf(ctx, project, made, options)
    },
  })
}

/** For each command, in order, the line that refuses it. */
async function refusalsOf(
  repository: Repository,
  moves: readonly RefMove[],
  rights: PushRights,
  defaultBranch: string | null,
  rule: PushRuleRow | undefined,
): Promise<(string | undefined)[]> {
  const clashes = await spellingRefusals(repository, moves)
  const shared = await sharedNameRefusals(repository, moves, () => rights.tags)
  const named = rule ? await nameRefusals(rule, moves, defaultBranch ?? firstBranchOf(moves), true) : []
  return moves.map((move, index) => refusalOf(move, rights, defaultBranch) ?? shared[index] ?? named[index] ?? clashes[index])
}

/** The branch that becomes the default one of an empty repository: any name is allowed for it, as for that which is there. */
const firstBranchOf = (moves: readonly RefMove[]): string | null => {
  const [only, ...others] = moves.flatMap(({ ref }) => shortNameOf(ref) ?? []).filter(({ kind }) => kind === 'branch')
  return only && others.length === 0 ? only.name : null
}

/** The lines that the client prints. The push has been received, whatever happens to its options. */
async function answerOf(
  ctx: Pick<Context, 'db' | 'deps' | 'request'> & { readonly actor: Actor },
  project: ProjectWithRole,
  made: readonly RefMove[],
  options: readonly string[],
): Promise<readonly string[]> {
  const { deps, actor } = ctx
  if (!actor.user) return []
  try {
    return await refUpdates.value.onPushed({ ...systemContext(deps, deps.database.db, actor), ...ctx }, project, made, options)
  } catch (error) {
    deps.log.error({ err: error, project: project.id }, 'what a push asks for by its options failed')
    return []
  }
}
