/**
 * Branches and protected tags of one name. A short name means the branch (`?ref=`, `include`, schedules, artifacts by name), so those who may not make
 * the tag must not choose what its name leads to.
 */
import { type RefMove, type Repository, shortNameOf, storedAmong, zeroId } from '../../platform/git/index.ts'
import type { TagRights } from '../protected_tags/rights.ts'

/** The lines that refuse such names. */
export const sharedNameLines = {
  branch: 'A protected tag has the name of this branch, and you are not allowed to create that tag.',
  tag: 'A branch has the name of this protected tag: delete the branch or rename it first.',
} as const

/**
 * For each move, in order, the line that refuses it: it makes or moves a branch with the name of a protected tag that the user may not create, or it
 * makes a protected tag beside a branch of its name. Names that the same push makes count, and so do those that it deletes: what deletes
 * them may be refused.
 * @param rightsOverTags asked for only where a name is shared
 */
export async function sharedNameRefusals(
  repository: Repository,
  moves: readonly RefMove[],
  rightsOverTags: () => TagRights | Promise<TagRights>,
): Promise<(string | undefined)[]> {
  const made = new Set(moves.filter(move => move.new !== zeroId).map(({ ref }) => ref))
  const named = moves.map(move => {
    const short = move.new === zeroId ? undefined : shortNameOf(move.ref)
    return short && { ...short, other: `refs/${short.kind === 'branch' ? 'tags' : 'heads'}/${short.name}` }
  })
  const stored = await storedAmong(
    repository,
    named.flatMap(short => short?.other ?? []),
  )
  const shared = named.map(short => (short && (made.has(short.other) || stored.has(short.other)) ? short : undefined))
  if (shared.every(short => short === undefined)) return moves.map(() => undefined)
  const tags = await rightsOverTags()
  return shared.map(short => {
    if (short === undefined || !tags.isProtected(short.name)) return undefined
    if (short.kind === 'branch' && tags.mayCreate(short.name)) return undefined
    return sharedNameLines[short.kind]
  })
}
