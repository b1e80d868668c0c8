/** Which reference moves a push may make: the rules of protected branches and tags, and of Ingot's own reference names. */
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import {
  hiddenNamespaces,
  isValidShortName,
  pushableNamespaces,
  type RefMove,
  readOnlyNamespaces,
  shortNameOf,
  zeroId,
} from '../../platform/git/index.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import type { BranchRights } from '../protected_branches/branch_rights.ts'
import { branchRights } from '../protected_branches/rights.ts'
import { type TagRights, tagRights } from '../protected_tags/rights.ts'

/** The texts that git prints after `! [remote rejected]`. */
export const lines = {
  reserved: 'This name is reserved for the server.',
  otherNamespace: 'Only branches, tags and notes can be pushed: refs/heads/, refs/tags/ and refs/notes/.',
  invalidBranch: 'The branch name is invalid.',
  invalidTag: 'The tag name is invalid.',
  deleteHead: 'The default branch cannot be deleted.',
  deleteDefault: 'The default branch of a project cannot be deleted.',
  deleteProtected: 'You are not allowed to delete protected branches from this project. Maintainers can, by the API.',
  createProtected: 'You are not allowed to create protected branches on this project.',
  pushProtected: 'You are not allowed to push code to protected branches on this project.',
  createProtectedTag: 'You are not allowed to create this tag: it is protected.',
  updateProtectedTag: 'Protected tags cannot be moved.',
  deleteProtectedTag: 'You are not allowed to delete protected tags from this project. Maintainers can, by the API.',
  otherBranch: 'You are not allowed to push to anything here but the source branches of merge requests that you may merge.',
  forceProtected: 'You are not allowed to force push code to a protected branch on this project.',
} as const

/** The rights of the user who pushes over the branches and tags of the project. */
export interface PushRights {
  readonly branches: BranchRights
  readonly tags: TagRights
}

/** The rights of the actor in a project. */
export const pushRights = async (ctx: { db: Db; actor: Actor }, project: ProjectWithRole): Promise<PushRights> => ({
  branches: await branchRights(ctx, project),
  tags: await tagRights(ctx, project),
})

/** The line that refuses a move, or undefined. The caller checks the right to push to the project. Pure. */
export function refusalOf(
  { ref, old, new: target }: RefMove,
  { branches, tags }: PushRights,
  defaultBranch: string | null,
): string | undefined {
  if ([...hiddenNamespaces, ...readOnlyNamespaces].some(namespace => ref.startsWith(namespace))) return lines.reserved
  const short = shortNameOf(ref)
  if (!branches.reachesProject && (short?.kind !== 'branch' || target === zeroId || !branches.mayPush(short.name))) return lines.otherBranch
  if (!short) return pushableNamespaces.some(namespace => ref.startsWith(namespace)) ? undefined : lines.otherNamespace
  const { kind, name } = short
  if (target !== zeroId && !isValidShortName(name)) return kind === 'branch' ? lines.invalidBranch : lines.invalidTag
  if (kind === 'tag') return tagRefusalOf(name, old, target, tags)
  if (target === zeroId) {
    if (name === defaultBranch) return lines.deleteDefault
    return branches.isProtected(name) ? lines.deleteProtected : undefined
  }
  if (branches.mayPush(name)) return undefined
  return old === zeroId && defaultBranch !== null ? lines.createProtected : lines.pushProtected
}

function tagRefusalOf(name: string, old: string, target: string, tags: TagRights): string | undefined {
  if (!tags.isProtected(name)) return undefined
  if (target === zeroId) return lines.deleteProtectedTag
  if (old !== zeroId) return lines.updateProtectedTag
  return tags.mayCreate(name) ? undefined : lines.createProtectedTag
}

/** The line that refuses a forced update of a reference, or undefined if it is permitted. Pure. */
export function rewriteRefusalOf(ref: string, { branches }: Pick<PushRights, 'branches'>): string | undefined {
  const short = shortNameOf(ref)
  return short?.kind === 'branch' && !branches.allowsForce(short.name) ? lines.forceProtected : undefined
}
