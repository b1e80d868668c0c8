/** Protections in the older form of the branches API: two flags for what Developers may do. */
import { roles } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { protectBranch, unprotectBranch, updateProtection } from './commands.ts'
import type { LevelChange } from './level_changes.ts'
import { type ProtectedBranchRow, protectedBranchByName } from './queries.ts'

/** What Developers may do; undefined to leave it as it is. */
export interface DeveloperFlags {
  readonly developers_can_push?: boolean | undefined
  readonly developers_can_merge?: boolean | undefined
}

const levelFor = (isOpen: boolean | undefined) => (isOpen ? roles.developer : roles.maintainer)

/** The change after which a flag says what may be done: roles are replaced, users and groups stay. */
const roleChange = (
  branch: ProtectedBranchRow,
  action: 'push' | 'merge',
  isOpen: boolean | undefined,
): readonly LevelChange[] | undefined => {
  if (isOpen === undefined) return undefined
  const named = branch.levels.filter(level => level.action === action && level.user_id === null && level.group_id === null)
  return [...named.map(({ id }) => ({ id, _destroy: true })), { access_level: levelFor(isOpen) }]
}

/** Protects a branch by its name, or changes its protection. */
export async function protectByFlags(ctx: Context, project: ProjectWithRole, name: string, flags: DeveloperFlags): Promise<void> {
  // Concurrent calls come one after the other: the later ones change what the first one made.
  await ctx.db.selectFrom('projects').select('id').where('id', '=', project.id).forNoKeyUpdate().execute()
  const known = await protectedBranchByName(ctx.db, project.id, name)
  const { developers_can_push: push, developers_can_merge: merge } = flags
  if (!known) await protectBranch(ctx, project, { name, push_access_level: levelFor(push), merge_access_level: levelFor(merge) })
  else if (push !== undefined || merge !== undefined)
    await updateProtection(ctx, project, known, {
      allowed_to_push: roleChange(known, 'push', push),
      allowed_to_merge: roleChange(known, 'merge', merge),
    })
}

/** Removes the protection of this name, if there is one. */
export async function unprotectByName(ctx: Context, project: ProjectWithRole, name: string): Promise<void> {
  const known = await protectedBranchByName(ctx.db, project.id, name)
  if (known) await unprotectBranch(ctx, project, known)
}
