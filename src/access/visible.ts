/**
 * Visibility as SQL: the conditions that narrow lists to what an actor may know of, and the role the actor has in a
 * place. Lists are narrowed here, never after the page is cut (house rule "Access is data").
 */
import { type RawBuilder, sql } from 'kysely'
import { roles } from './abilities.ts'
import { type Actor, isAdmin } from './actor.ts'

/** A membership that has not run out; `m` is the members row. */
const current = sql`(m.expires_at is null or m.expires_at > current_date)`

/** The ids of the groups where the user is a direct member with at least `level`. */
const ownGroups = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`select m.namespace_id from members m where m.user_id = ${userId} and m.namespace_id is not null and m.access_level >= ${level} and ${current}`

/** The ids of the projects where the user is a direct member with at least `level`. */
const ownProjects = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`select m.project_id from members m where m.user_id = ${userId} and m.project_id is not null and m.access_level >= ${level} and ${current}`

/** The ids of the namespaces where the user has at least `level`: their own, those they are members of, and all below those. */
const memberNamespaces = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`(select inherited.id from namespaces inherited
        where inherited.traversal_ids && array(${ownGroups(userId, level)}) or inherited.owner_id = ${userId})`

/** Is the project `projects` one that the user is a member of, with at least `level`, directly or by a group? */
export const isProjectMember = (userId: number, level: number = roles.minimal): RawBuilder<boolean> =>
  sql`(projects.namespace_id in ${memberNamespaces(userId, level)} or projects.id in (${ownProjects(userId, level)}))`

/** May the actor know of the project `projects`? */
export function projectVisibleTo(actor: Actor): RawBuilder<boolean> {
  const { user } = actor
  if (!user) return sql`projects.visibility = 'public'`
  if (isAdmin(actor)) return sql`true`
  const open = user.external ? sql`projects.visibility = 'public'` : sql`projects.visibility <> 'private'`
  return sql`(${open} or ${isProjectMember(user.id)})`
}

/** Is the group `namespaces` one that the user is a member of, with at least `level`, directly or by a group above? */
export const isGroupMember = (userId: number, level: number = roles.minimal): RawBuilder<boolean> =>
  sql`namespaces.traversal_ids && array(${ownGroups(userId, level)})`

/** The groups that hold, at any depth, a group or project the user is a member of: their names are known to them. */
const holdingGroups = (userId: number): RawBuilder<number> =>
  sql`select unnest(below.traversal_ids) from namespaces below
       where below.id in (${ownGroups(userId)}
         union all select inside.namespace_id from projects inside where inside.id in (${ownProjects(userId)}))`

/**
 * The groups that are a user's own: member of them, of a group above, or of something inside. One list of ids rather
 * than conditions joined by `or`: the database then begins with the memberships instead of trying every group.
 */
export const isOwnGroup = (userId: number): RawBuilder<boolean> =>
  sql`namespaces.id in (
    select inherited.id from namespaces inherited where inherited.traversal_ids && array(${ownGroups(userId)})
     union all ${holdingGroups(userId)})`

/** May the actor know of the group `namespaces`? */
export function groupVisibleTo(actor: Actor): RawBuilder<boolean> {
  const { user } = actor
  if (!user) return sql`namespaces.visibility = 'public'`
  if (isAdmin(actor)) return sql`true`
  const open = user.external ? sql`namespaces.visibility = 'public'` : sql`namespaces.visibility <> 'private'`
  return sql`(${open} or ${isOwnGroup(user.id)})`
}

/** The actor's role in the project `projects` of namespace `namespaces`: the highest of direct, inherited and owned. */
export function projectRole(actor: Actor): RawBuilder<number> {
  if (!actor.user) return sql`0`
  const userId = actor.user.id
  return sql`coalesce(greatest(
    (select max(m.access_level) from members m where m.user_id = ${userId} and m.project_id = projects.id and ${current}),
    (select max(m.access_level) from members m where m.user_id = ${userId} and m.namespace_id = any(namespaces.traversal_ids) and ${current}),
    case when namespaces.owner_id = ${userId} then ${sql.lit(roles.owner)} end), 0)`
}

/** The actor's role in the group `namespaces`; minimal access where they only belong to something inside it. */
export function groupRole(actor: Actor): RawBuilder<number> {
  if (!actor.user) return sql`0`
  const userId = actor.user.id
  return sql`coalesce(
    (select max(m.access_level) from members m where m.user_id = ${userId} and m.namespace_id = any(namespaces.traversal_ids) and ${current}),
    case when namespaces.owner_id = ${userId} then ${sql.lit(roles.owner)}
         when namespaces.id in (${holdingGroups(userId)}) then ${sql.lit(roles.minimal)} else 0 end)`
}
