/** Who may deploy to an environment: checked for deployments by the API and by jobs. */

import { grants, type Holder } from '../../code/protected_branches/branch_rights.ts'
import { holderIn } from '../../code/protected_branches/rights.ts'
import { type Role, roles } from '../../platform/access/abilities.ts'
import { isActive, isAdmin } from '../../platform/access/actor.ts'
import { featureEnabled } from '../../platform/access/feature_flags.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'
import { forbidden } from '../../platform/kernel/errors.ts'
import { allMembersOf } from '../../spaces/members/queries.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { memberGroupsBelow, type ProtectedEnvironmentRow, protectionsOfGroups, protectionsOfProject, protectionsOfTier } from './queries.ts'

/** The facts about an environment that protections depend on. */
export interface Deployed {
  readonly name: string
  readonly tier: string
}

/** The groups above the project, outermost first. */
const groupsAbove = (project: ProjectWithRole): readonly number[] =>
  project.namespace_kind === 'group' ? project.namespace_traversal_ids : []

/** The protections of the groups above, of one tier or of all, if the feature is on. */
async function protectionsAbove(ctx: Context, project: ProjectWithRole, tier?: string): Promise<ProtectedEnvironmentRow[]> {
  const above = groupsAbove(project)
  const found = await (tier === undefined ? protectionsOfGroups(ctx.db, above) : protectionsOfTier(ctx.db, above, tier)).execute()
  const counted: ProtectedEnvironmentRow[] = []
  for (const protection of found) {
    const group = { id: protection.namespace_id as number }
    if (await featureEnabled(ctx.db, 'group_level_protected_environments', { user: ctx.actor.user, group })) counted.push(protection)
  }
  return counted
}

/** The role of a user in one of the groups above a project. */
async function roleInGroup(db: Db, userId: number, above: readonly number[], groupId: number): Promise<number> {
  const place = { key: { namespace_id: groupId }, above: above.slice(0, above.indexOf(groupId)), ownerId: null, role: roles.none as Role }
  const [member] = await allMembersOf(db, place, { user_ids: [userId] }).execute()
  return member?.access_level ?? roles.none
}

/** What protects an environment: of its project and of the groups above; nothing in a tier without the feature. */
export async function protectionsOn(ctx: Context, project: ProjectWithRole, { name, tier }: Deployed) {
  // Contract: protection is a premium feature; without it, none is enforced (protected environments API).
  if (!tierCovers(ctx.tier, 'premium')) return { own: [], above: [] }
  return {
    own: await protectionsOfProject(ctx.db, project.id).where('name', '=', name).execute(),
    above: await protectionsAbove(ctx, project, tier),
  }
}

/** What is protected in a project: environments by their names, and by their tiers where a group above protects them. */
export async function protectedIn(ctx: Context, project: ProjectWithRole): Promise<{ names: string[]; tiers: string[] }> {
  if (!tierCovers(ctx.tier, 'premium')) return { names: [], tiers: [] }
  const own = await protectionsOfProject(ctx.db, project.id).execute()
  const above = await protectionsAbove(ctx, project)
  return { names: own.map(({ name }) => name), tiers: above.map(({ name }) => name) }
}

/**
 * May the actor deploy to this environment, as far as protections are concerned? Those of the project and of each group above must all
 * allow it. Roles are those in the project or group that protects.
 */
export async function mayDeploy(ctx: Context, project: ProjectWithRole, environment: Deployed): Promise<boolean> {
  const { actor } = ctx
  if (!isActive(actor)) return false
  if (isAdmin(actor)) return true
  return allGrant(ctx, project, await protectionsOn(ctx, project, environment))
}

/**
 * Those of these environments of a project to which the actor may not deploy, by name. The statements are as many as tiers and groups have protections,
 * and do not follow the number of environments.
 */
export async function closedEnvironments(
  ctx: Context,
  project: ProjectWithRole,
  environments: readonly Deployed[],
): Promise<ReadonlySet<string>> {
  const closed = new Set<string>()
  if (environments.length === 0 || isAdmin(ctx.actor) || !tierCovers(ctx.tier, 'premium')) return closed
  const ofProject = await protectionsOfProject(ctx.db, project.id).execute()
  for (const [tier, ofTier] of Map.groupBy(environments, environment => environment.tier)) {
    const above = await protectionsAbove(ctx, project, tier)
    for (const [protections, names] of byProtections(ofTier, ofProject))
      if (!(await allGrant(ctx, project, { own: protections, above }))) for (const name of names) closed.add(name)
  }
  return closed
}

/** Names of environments with the protections that the project has of them; those without one together. */
function byProtections(environments: readonly Deployed[], ofProject: readonly ProtectedEnvironmentRow[]) {
  const known = new Map(ofProject.map(protection => [protection.name, protection]))
  return [...Map.groupBy(environments, ({ name }) => known.get(name))].map(
    ([protection, alike]) => [protection ? [protection] : [], alike.map(({ name }) => name)] as const,
  )
}

interface ProtectionsOn {
  readonly own: readonly ProtectedEnvironmentRow[]
  readonly above: readonly ProtectedEnvironmentRow[]
}

/** Do all of these protections grant deploying to the actor? */
async function allGrant(ctx: Context, project: ProjectWithRole, { own, above }: ProtectionsOn): Promise<boolean> {
  const { db } = ctx
  if (own.length + above.length === 0) return true
  const holder = await holderIn(
    ctx,
    project,
    own.flatMap(({ levels }) => levels),
  )
  const isGranted = ({ levels }: ProtectedEnvironmentRow, by: Holder) => levels.some(level => grants(level, by))
  if (!own.every(protection => isGranted(protection, holder))) return false
  const below = holder.userId === undefined ? undefined : await memberGroupsBelow(db, holder.userId, above)
  for (const protection of above) {
    const groups = below?.get(protection.id) ?? new Set()
    const role =
      holder.userId === undefined
        ? roles.none
        : await roleInGroup(db, holder.userId, groupsAbove(project), protection.namespace_id as number)
    if (!isGranted(protection, { ...holder, role, groups })) return false
  }
  return true
}

/** 403 if a protection forbids the actor to deploy to this environment, or to change what is deployed there. */
export async function requireDeployer(ctx: Context, project: ProjectWithRole, environment: Deployed): Promise<void> {
  if (!(await mayDeploy(ctx, project, environment))) throw forbidden('the environment is protected')
}
