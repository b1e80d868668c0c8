/** Which moves of references a push may make: the rules of protected branches and of Ingot's own names. Pure. */
import { zeroId } from '../git/objects/oid.ts'
import { hiddenNamespaces, isValidShortName, readOnlyNamespaces, shortNameOf } from '../git/refs/names.ts'
import type { RefMove } from '../git/refs/update.ts'
import type { BranchRights } from '../protected_branches/rights.ts'

/** What git shows behind `! [remote rejected]`. */
export const lines = {
  reserved: 'This name is reserved for the server.',
  invalidBranch: 'The branch name is invalid.',
  invalidTag: 'The tag name is invalid.',
  deleteDefault: 'The default branch of a project cannot be deleted.',
  deleteProtected: 'You are not allowed to delete protected branches from this project. Maintainers can, by the API.',
  createProtected: 'You are not allowed to create protected branches on this project.',
  pushProtected: 'You are not allowed to push code to protected branches on this project.',
  forceProtected: 'You are not allowed to force push code to a protected branch on this project.',
} as const

/** The line that refuses a move, or undefined. The right to push to the project at all is asked before. */
export function refusalOf({ ref, old, new: target }: RefMove, rights: BranchRights, defaultBranch: string | null): string | undefined {
  if ([...hiddenNamespaces, ...readOnlyNamespaces].some(namespace => ref.startsWith(namespace))) return lines.reserved
  const short = shortNameOf(ref)
  if (!short) return undefined
  const { kind, name } = short
  if (target !== zeroId && !isValidShortName(name)) return kind === 'branch' ? lines.invalidBranch : lines.invalidTag
  if (kind === 'tag') return undefined
  if (target === zeroId) {
    if (name === defaultBranch) return lines.deleteDefault
    return rights.isProtected(name) ? lines.deleteProtected : undefined
  }
  if (rights.mayPush(name)) return undefined
  return old === zeroId && defaultBranch !== null ? lines.createProtected : lines.pushProtected
}

/** The line that refuses to rewrite the history of a reference, or undefined where it may be. */
export function rewriteRefusalOf(ref: string, rights: BranchRights): string | undefined {
  const short = shortNameOf(ref)
  return short?.kind === 'branch' && !rights.allowsForce(short.name) ? lines.forceProtected : undefined
}
