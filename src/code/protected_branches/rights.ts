/**
 * What one person may do with the branches of a project, found out: asked by pushes and by the API alike.
 */
import type { Actor } from '../../platform/access/actor.ts'
import { compiled } from '../../platform/db/compiled.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { BranchRights, type Holder, holderOf } from './branch_rights.ts'
import { branchesOpenTo } from './collaboration.ts'
import { type AccessLevel, groupsHolding, protectedBranches } from './queries.ts'

/** The actor as the holder of rights in a project, of those groups that these levels name. */
export async function holderIn(
  { db, actor }: { db: Db; actor: Actor },
  project: ProjectWithRole,
  levels: readonly Pick<AccessLevel, 'group_id'>[],
): Promise<Holder> {
  const groupIds = [...new Set(levels.flatMap(level => level.group_id ?? []))]
  const userId = actor.user?.id
  return holderOf(actor, project, userId === undefined ? new Set() : await groupsHolding(db, userId, groupIds))
}

/** Asked whenever something is pushed, merged or shown. */
const protectionsOf = compiled((db, projectId: number) => protectedBranches(db, projectId))

/**
 * The rights of the actor in a project: two statements, one more where a protection names groups, and some for whoever may not push to
 * the project, but perhaps to a branch.
 */
export async function branchRights(ctx: { db: Db; actor: Actor }, project: ProjectWithRole): Promise<BranchRights> {
  const protections = await protectionsOf(ctx.db, project.id)
  const holder = await holderIn(
    ctx,
    project,
    protections.flatMap(({ levels }) => levels),
  )
  const firstBranch = project.empty_repo ? await firstBranchProtection(ctx.db, project.namespace_id) : undefined
  return new BranchRights(protections, holder, firstBranch, holder.canPush ? undefined : await branchesOpenTo(ctx, project))
}

/** The protection that the first branch of a project in this namespace gets. */
export async function firstBranchProtection(db: Db, namespaceId: number): Promise<number> {
  const { default_branch_protection } = await db
    .selectFrom('namespaces')
    .select('default_branch_protection')
    .where('id', '=', namespaceId)
    .executeTakeFirstOrThrow()
  return default_branch_protection
}
