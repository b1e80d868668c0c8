/** Pushes to side repositories, by any transport. */
import {
  defaultBranchOf,
  isValidShortName,
  listBranches,
  type Push,
  pushableNamespaces,
  type RefMove,
  type Repository,
  readRefs,
  receivePack,
  setDefaultBranch,
  shortNameOf,
  zeroId,
} from '../../platform/git/index.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal, sentenceOf } from '../../platform/kernel/errors.ts'
import { packLimitOf } from '../../spaces/storage_limits/limits.ts'
import { lines } from '../ref_updates/push_rules.ts'
import { spellingRefusals } from '../ref_updates/spelling.ts'
import { ensureSide, type SideCommit, type SideRepository } from './side_repository.ts'

/** The source of a push, and who pushes. */
export interface SideChannel extends Pick<Push, 'request' | 'response' | 'requestEnds'> {
  /**
   * Finds the repository again for the caller as they are now, after the commands have arrived.
   * @throws Refusal if the caller may no longer push
   */
  readonly current: () => Promise<SideRepository>
}

/**
 * Receives a push to a side repository. It continues when the client disconnects, since the push may have been received completely. The caller
 * checks whether the actor may push at all. Not to be called inside a transaction.
 */
export async function receiveSidePush(ctx: Context, side: SideRepository, { current, ...channel }: SideChannel): Promise<void> {
  const { deps } = ctx
  const repository = await ensureSide(ctx.db, deps.storages, side)
  await receivePack(repository, {
    ...channel,
    authorize: async moves => {
      try {
        return await refusalsOf(repository, await current(), moves)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return moves.map(() => sentenceOf(error))
      }
    },
    packLimit: () => packLimitOf(deps, side.project),
    inspection: async () =>
      side.contentRefusal && ((moves, held) => Promise.all(moves.map(move => side.contentRefusal?.(ctx, repository, move, held)))),
    record: async moves => moves.map(() => undefined),
    async settled(results) {
      const made = results.filter(({ refusal }) => refusal === undefined)
      if (made.length > 0) await settleChange(ctx, repository, side, made)
      return []
    },
  })
}

/** Does what follows a change of a side repository. A failure is logged: the references have moved. */
export async function settleChange(
  ctx: Context,
  repository: Repository,
  side: SideRepository,
  moves: readonly RefMove[],
  commit?: SideCommit,
): Promise<void> {
  try {
    await adoptFirstBranch(repository)
    await side.onChanged(ctx, moves, commit)
  } catch (error) {
    ctx.log.error({ err: error, repository: side.key }, 'what follows a change of a repository failed')
  }
}

/** For each command, in order, the line that refuses it. */
async function refusalsOf(repository: Repository, side: SideRepository, moves: readonly RefMove[]): Promise<(string | undefined)[]> {
  const head = await defaultBranchOf(repository)
  const clashes = await spellingRefusals(repository, moves)
  return moves.map((move, index) => refusalOf(move, head) ?? side.moveRefusal?.(move) ?? clashes[index])
}

/** The line that refuses a move, or undefined. Pure. */
function refusalOf({ ref, new: target }: RefMove, head: string | undefined): string | undefined {
  const short = shortNameOf(ref)
  if (!short) return pushableNamespaces.some(namespace => ref.startsWith(namespace)) ? undefined : lines.otherNamespace
  if (target === zeroId) return short.kind === 'branch' && short.name === head ? lines.deleteHead : undefined
  if (isValidShortName(short.name)) return undefined
  return short.kind === 'branch' ? lines.invalidBranch : lines.invalidTag
}

/** Lets HEAD name the branch that was pushed, where the branch that it names does not exist. */
async function adoptFirstBranch(repository: Repository): Promise<void> {
  const head = await defaultBranchOf(repository)
  if (head !== undefined && (await readRefs(repository, [`refs/heads/${head}`]))[0] !== undefined) return
  const [first] = await listBranches(repository)
  if (first !== undefined) await setDefaultBranch(repository, first.name)
}
