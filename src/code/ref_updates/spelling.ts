/** No two references whose names differ only in letter case are made, by a push or by the API (platform/git/refs/spelling.ts says why). */
import { zeroId } from '../../platform/git/objects/oid.ts'
import { foldName, otherSpellings } from '../../platform/git/refs/spelling.ts'
import { RefConflict, type RefMove } from '../../platform/git/refs/update.ts'
import type { Repository } from '../../platform/git/repository.ts'

/** The line that refuses a name beside another one. */
export const clashLine = (other: string): string => `The name differs from that of ${other} only in letter case.`

/**
 * For each move of a push, in order, the line that refuses it: it names no existing reference to the letter, but one in other letters; or it
 * creates one beside another of the same push.
 */
export async function spellingRefusals(repository: Repository, moves: readonly RefMove[]): Promise<(string | undefined)[]> {
  const existing = await otherSpellings(
    repository,
    moves.map(({ ref }) => ref),
  )
  const created = Map.groupBy(
    moves.filter(({ old, new: target }) => old === zeroId && target !== zeroId),
    ({ ref }) => foldName(ref),
  )
  return moves.map((move, index) => {
    const group = created.get(foldName(move.ref)) ?? []
    const other = existing[index] ?? (group.includes(move) ? group.find(({ ref }) => ref !== move.ref)?.ref : undefined)
    return other === undefined ? undefined : clashLine(other)
  })
}

/**
 * @throws RefConflict `differs_in_case` when a reference is to be created whose name differs from that of an existing one only in letter case
 */
export async function assertSpelledApart(repository: Repository, moves: readonly RefMove[]): Promise<void> {
  const created = moves.filter(({ old }) => old === zeroId)
  if (created.length === 0) return
  const refusals = await otherSpellings(
    repository,
    created.map(({ ref }) => ref),
  )
  for (const [index, { ref }] of created.entries()) {
    const other = refusals[index]
    if (other !== undefined) throw new RefConflict(ref, 'differs_in_case', zeroId, other)
  }
}
