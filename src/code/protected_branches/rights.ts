/**
 * Loads the rights of a user over the branches of a project, for pushes and for the API.
 */
import type { Actor } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { BranchRights, type Holder, holderOf } from './branch_rights.ts'
import { branchesOpenTo } from './collaboration.ts'
import { type AccessLevel, memberGroupsIn, protectedBranches } from './queries.ts'

/** The actor as the holder of rights in a project, with those groups that these levels name and that have access to it. */
export async function holderIn(
  { db, actor }: { db: Db; actor: Actor },
  project: ProjectWithRole,
  levels: readonly Pick<AccessLevel, 'group_id'>[],
): Promise<Holder> {
  const groupIds = [...new Set(levels.flatMap(level => level.group_id ?? []))]
  const userId = actor.user?.id
  return holderOf(actor, project, userId === undefined ? new Set() : await memberGroupsIn(db, userId, project.id, groupIds))
}

/** Runs on every push, merge and page of branches. */
const protectionsOf = compiled((db, projectId: number) => protectedBranches(db, projectId))

/**
 * The rights of the actor in a project: two statements, one more if a protection names groups, and some more for users who may not push to
 * the project but perhaps to a branch.
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

/** The protection of the first branch of a project in this namespace. */
export async function firstBranchProtection(db: Db, namespaceId: number): Promise<number> {
  const { default_branch_protection } = await db
    .selectFrom('namespaces')
    .select('default_branch_protection')
    .where('id', '=', namespaceId)
    .executeTakeFirstOrThrow()
  return default_branch_protection
}
