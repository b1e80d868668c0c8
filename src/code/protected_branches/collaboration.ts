/**
 * Pushing to another user's fork (document 3 `allow_collaboration`; merge requests at 14.0): if the author of an open merge request from a
 * fork allows it, users who may merge it may push to its source branch, and to no other branch of the fork.
 */
import { type RawBuilder, sql } from 'kysely'
import { allows, roles } from '../../platform/access/abilities.ts'
import { type Actor, isActive, isAdmin } from '../../platform/access/actor.ts'
import { levelInProject } from '../../platform/access/memberships.ts'
import {
  compilableUser,
  oneProjectVisibleTo,
  type PersonKind,
  personKind,
  personOfKind,
  projectRole,
  projectVisibleTo,
} from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { compiledPer } from '../../platform/db/statements/compiled.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { projects } from '../../spaces/projects/queries.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { BranchRights, holderOf } from './branch_rights.ts'
import { memberGroupsAmong, protectedBranchesOf } from './queries.ts'

const ROLE = sql.ref<number>('own.role')

/** May the author of the merge request push to the project that it comes from now? What they allowed ends with what they may themselves. */
const mayStillPush = (sourceId: number) => sql<boolean>`exists (
  select from projects held
    join namespaces home on home.id = held.namespace_id
    join users author on author.id = merge_requests.author_id
   where held.id = ${sourceId} and author.state = 'active'
     and (author.admin or ${levelInProject(sql`author.id`, 'held', 'home')} >= ${sql.lit(roles.developer)}))`

/**
 * The projects with an open merge request from a project whose author lets those who may merge it push, where the actor has the Developer role.
 * @param isVisible may the actor see the project `projects`?
 */
const proposalsFrom = (db: Db, actor: Actor, projectId: number, isVisible: RawBuilder<boolean>) =>
  projects(db)
    .innerJoin('merge_requests', 'merge_requests.project_id', 'projects.id')
    // Without the offset the role would be computed for the output, too.
    .innerJoinLateral(db.selectNoFrom(projectRole(actor).as('role')).offset(sql.lit(0)).as('own'), join => join.onTrue())
    .select(['merge_requests.source_branch', 'merge_requests.target_branch', 'own.role'])
    .where('merge_requests.source_project_id', '=', projectId)
    .where('merge_requests.project_id', '<>', projectId)
    .where('merge_requests.state', '=', sql.lit('opened'))
    .where('merge_requests.allow_collaboration', '=', sql.lit(true))
    .where(mayStillPush(projectId))
    .where('projects.visibility', '<>', sql.lit('private'))
    .where(isVisible)
    .where(sql<boolean>`${ROLE} >= ${sql.lit(roles.developer)}`)

const proposalsOfKind = compiledPer((kind: PersonKind) => (db, userId: number, projectId: number) => {
  const actor = personOfKind(kind, userId)
  return proposalsFrom(db, actor, projectId, oneProjectVisibleTo(actor, ROLE))
})

/** The same for any user; built once for each kind of them. */
async function proposalsFor(db: Db, actor: Actor, projectId: number) {
  const user = compilableUser(actor)
  return user
    ? proposalsOfKind(db, personKind(user), user.id, projectId)
    : proposalsFrom(db, actor, projectId, projectVisibleTo(actor)).execute()
}

/**
 * The branches of `project` that are open to the actor in this way: at most four statements, none for members who may push anyway.
 * Includes protected branches. Contract: private projects are never open in this way (public behaviour at 14.0).
 */
export async function branchesOpenTo({ db, actor }: { db: Db; actor: Actor }, project: ProjectWithRole): Promise<ReadonlySet<string>> {
  const { user } = actor
  if (!user || !isActive(actor) || isAdmin(actor) || project.role >= roles.developer || project.visibility === 'private') return new Set()
  const proposals = await proposalsFor(db, actor, project.id)
  if (proposals.length === 0) return new Set()
  const targets = [...new Set(proposals.map(({ id }) => id))]
  const protections = await protectedBranchesOf(db, targets)
  const named = protections.flatMap(({ levels }) => levels.flatMap(({ group_id }) => group_id ?? []))
  const groups = await memberGroupsAmong(db, user.id, targets, [...new Set(named)])
  const mayMerge = (target: (typeof proposals)[number]) =>
    new BranchRights(
      protections.filter(({ project_id }) => project_id === target.id),
      holderOf(actor, target, groups.get(target.id) ?? new Set()),
    ).mayMerge(target.target_branch)
  return new Set(proposals.filter(mayMerge).map(({ source_branch }) => source_branch))
}

/** May the actor push to the project, or at least to one branch of it? */
export async function mayPushSomewhere(ctx: { db: Db; actor: Actor }, project: ProjectWithRole): Promise<boolean> {
  if (allows(ctx.actor, 'push_code', projectSubject(project)) === 'yes') return true
  return allows(ctx.actor, 'push_to_branch', await pushSubject(ctx, project)) === 'yes'
}

/** The subject of `push_to_branch`. */
const pushSubject = async (ctx: { db: Db; actor: Actor }, project: ProjectWithRole) => ({
  ...projectSubject(project),
  own: (await branchesOpenTo(ctx, project)).size > 0,
})

interface OpenBranches {
  readonly subject: Awaited<ReturnType<typeof pushSubject>>
}

/** The scope for endpoints that write to a branch (`can: 'push_to_branch'`); the command checks which branch. */
export const pushing = <S extends { readonly project: ProjectWithRole }, P extends Scope<S>['path']>(
  scope: Scope<S, P>,
): Scope<S & OpenBranches, P> =>
  within(scope, {
    name: scope.name,
    path: {},
    load: async (ctx: Context & S) => ({ subject: await pushSubject(ctx, ctx.project) }),
    subject: ({ subject }: S & OpenBranches) => subject,
  }) as Scope<S & OpenBranches, P>
