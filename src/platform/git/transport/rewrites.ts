/**
 * Forced pushes where only some branches allow them. Whether a move loses commits is known only when its objects have arrived, and git can
 * refuse such moves for all branches of a push or for none. So, if a push updates a branch that must not be rewritten, git refuses all of
 * them, and the moves that are allowed after all are made here: their objects have been received and checked by then.
 */

import { isAncestor } from '../commits/history.ts'
import { zeroId } from '../objects/oid.ts'
import type { RefMove } from '../refs/loose-refs.ts'
import { RefConflict, updateRefs } from '../refs/update.ts'
import type { Repository } from '../storage/repository.ts'
import type { PushResult } from './push-report.ts'

/** The message that refuses to rewrite a reference's history, or undefined if that is allowed. */
export type RewriteRefusal = (ref: string) => string | undefined

/** Makes git refuse every non-fast-forward move of a branch. */
export const denyRewrites = { GIT_CONFIG_PARAMETERS: "'receive.denyNonFastForwards=true'" } as const

// Words of the protocol: git's report identifies these two reasons only by them.
const NOT_FAST_FORWARD = 'non-fast-forward'
const ATOMIC_FAILURE = 'atomic push failure'

const isUpdate = ({ old, new: target }: RefMove): boolean => old !== zeroId && target !== zeroId

/** Does the push update a branch that must not be rewritten? */
export const needsGuard = (moves: readonly RefMove[], rewriteRefusal: RewriteRefusal): boolean =>
  moves.some(move => isUpdate(move) && move.ref.startsWith('refs/heads/') && rewriteRefusal(move.ref) !== undefined)

/** The results of a guarded push: forbidden rewrites get their message, the others are made. */
export async function judgeRewrites(
  repository: Repository,
  results: readonly PushResult[],
  { isAtomic, rewriteRefusal }: { readonly isAtomic: boolean; readonly rewriteRefusal: RewriteRefusal },
): Promise<readonly PushResult[]> {
  if (!results.some(({ refusal }) => refusal === NOT_FAST_FORWARD)) return results
  const judged = await Promise.all(
    results.map(async result => {
      if (result.refusal !== NOT_FAST_FORWARD && result.refusal !== ATOMIC_FAILURE) return result
      const line = isUpdate(result) ? rewriteRefusal(result.ref) : undefined
      const isForbidden = line !== undefined && !(await isAncestor(repository, result.old, result.new))
      return isForbidden ? { ...result, refusal: line } : { ...result, refusal: undefined, isPending: true }
    }),
  )
  const pending = judged.filter(result => 'isPending' in result)
  const isBlocked = isAtomic && judged.some(({ refusal }) => refusal !== undefined)
  const failed = isBlocked
    ? new Map<RefMove, string>(pending.map(result => [result, ATOMIC_FAILURE]))
    : await move(repository, isAtomic ? [pending] : pending.map(one => [one]))
  return judged.map(result => {
    const { ref, old, new: target, refusal } = result
    return { ref, old, new: target, refusal: refusal ?? failed.get(result) }
  })
}

/** Makes moves, each group all or none; returns why those that lost a race were not made. */
async function move(repository: Repository, groups: readonly (readonly RefMove[])[]): Promise<Map<RefMove, string>> {
  const failed = new Map<RefMove, string>()
  for (const group of groups) {
    try {
      await updateRefs(
        repository,
        group.map(({ ref, old, new: target }) => ({ ref, old, new: target })),
      )
    } catch (error) {
      if (!(error instanceof RefConflict)) throw error
      for (const one of group) failed.set(one, 'failed to update ref')
    }
  }
  return failed
}
