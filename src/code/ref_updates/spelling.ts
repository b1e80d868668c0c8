/** Refuses references whose names differ only in letter case, in pushes and in the API (platform/git/refs/spelling.ts says why). */
import { otherSpellings, RefConflict, type RefMove, type Repository, Spellings, zeroId } from '../../platform/git/index.ts'

/** The line that refuses a name beside another one. */
export const clashLine = (other: string): string => `The name differs from that of ${other} only in letter case.`

/**
 * For each move of a push, in order, the line that refuses it: it names a reference that exists only with different letter case, or it
 * creates one that clashes with another of the same push.
 */
export async function spellingRefusals(repository: Repository, moves: readonly RefMove[]): Promise<(string | undefined)[]> {
  const existing = await otherSpellings(
    repository,
    moves.map(({ ref }) => ref),
  )
  const created = new Spellings(namesMade(moves))
  await created.compareAmongThemselves()
  const besides = created.clashes()
  return moves.map((_, index) => {
    const other = existing[index] ?? besides[index]
    return other === undefined ? undefined : clashLine(other)
  })
}

/** Does this move create a reference? */
export const isCreation = ({ old, new: target }: RefMove): boolean => old === zeroId && target !== zeroId

/** For each move, in order, the name of the reference that it creates; '' if it creates none. */
const namesMade = (moves: readonly RefMove[]): string[] => moves.map(move => (isCreation(move) ? move.ref : ''))

/** For each move that creates a reference, in order: the pending name that it clashes with, if any. */
export function pendingClashes(moves: readonly RefMove[], pending: readonly RefMove[]): (string | undefined)[] {
  const spellings = new Spellings(namesMade(moves))
  for (const move of pending) if (isCreation(move)) spellings.compare(move.ref)
  return spellings.clashes()
}

/** @throws RefConflict `differs_in_case` if a new reference's name differs from that of an existing one only in letter case */
export async function assertNoNameClash(repository: Repository, moves: readonly RefMove[]): Promise<void> {
  const created = moves.filter(isCreation)
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
