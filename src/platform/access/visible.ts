/**
 * Visibility as SQL: the conditions that narrow lists to what an actor may know of, and the role the actor has in a
 * place. Lists are narrowed here, never after the page is cut (house rule "Access is data"). What everybody has by
 * being a member, or by a share with a group that they are a member of, is in the view `memberships`.
 */
import { type RawBuilder, sql } from 'kysely'
import { compiled } from '../db/compiled.ts'
import type { Db } from '../db/connection.ts'
import { type ActingUser, type Actor, anonymous, isActive, isAdmin } from './actor.ts'
import { roleWithinReach, withinReach } from './job_reach.ts'
import { admitsInSql, asSql, type Condition, either, type Role, roles } from './open_to.ts'

/**
 * What the conditions and roles in this file are written for, besides the id of the person: a person's credentials decide
 * what they may do, and not what they may know of. Statements are kept by it (`compiledPer`).
 */
export type PersonKind = 'admin' | 'external' | 'regular'

export const personKind = ({ admin, external }: Pick<ActingUser, 'admin' | 'external'>): PersonKind =>
  admin ? 'admin' : external ? 'external' : 'regular'

/** Somebody of this kind, for statements in which their id is left open. */
export const personOfKind = (kind: PersonKind, id: number): Actor => ({
  ...anonymous,
  user: {
    id,
    username: '',
    name: '',
    email: '',
    admin: kind === 'admin',
    external: kind === 'external',
    state: 'active',
    kind: 'human',
    avatar_url: null,
  },
})

/** A membership, or one by a share, that has not run out; `m` is its row. */
const current = sql`(m.expires_at is null or m.expires_at > current_date)`

/**
 * The highest level of a membership that has not run out. Said by a filter: a plain `max` would be planned twice, the second time as the first
 * row of an index, which is of no use here and takes longer than everything else.
 */
export const highestLevel = sql<number | null>`max(m.access_level) filter (where ${current})`

/** The ids of the groups where the user is a member with at least `level`, directly or by a share. */
const ownGroups = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`select m.namespace_id from memberships m where m.user_id = ${userId} and m.namespace_id is not null and m.access_level >= ${level} and ${current}`

/** The ids of the projects where the user is a member with at least `level`, directly or by a share. */
const ownProjects = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`select m.project_id from memberships m where m.user_id = ${userId} and m.project_id is not null and m.access_level >= ${level} and ${current}`

/** The ids of the namespaces where the user has at least `level`: their own, those they are members of, and all below those. */
const memberNamespaces = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`(select inherited.id from namespaces inherited
        where inherited.traversal_ids && array(${ownGroups(userId, level)}) or inherited.owner_id = ${userId})`

/** Is the project `projects` one that the user is a member of, with at least `level`, directly or by a group? */
export const isProjectMember = (userId: number, level: number = roles.guest): RawBuilder<boolean> =>
  sql`(projects.namespace_id in ${memberNamespaces(userId, level)} or projects.id in (${ownProjects(userId, level)}))`

/** The ids of the projects that the user is a member of, with at least `level`: as a list of its own, which begins with the memberships. */
const memberProjects = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`select inside.id from projects inside where inside.namespace_id in ${memberNamespaces(userId, level)} union all ${ownProjects(userId, level)}`

/**
 * The ids of the projects that a user is a member of with at least some level, where they are known before the list is asked
 * for: a list over all projects then need not find them at every turn.
 */
export interface KnownMemberships {
  /** A query of the ids. The database gathers them once and looks each row's up, without reckoning how common any of them is. */
  atLeast(level: number): RawBuilder<number>
}

/**
 * Finds the projects that the actor is a member of, directly, by a group or a share; one statement. Undefined for whom memberships do not matter.
 * @param groupId a list asks for nothing but the projects of this group and the groups below it
 */
export async function knownMemberships(db: Db, actor: Actor, groupId?: number): Promise<KnownMemberships | undefined> {
  if (!actor.user || isAdmin(actor)) return undefined
  const { id } = actor.user
  const rows = groupId === undefined ? await memberProjectsByLevel(db, id) : await memberProjectsIn(db, id, groupId)
  // A list asks several times, and what is put together each time may be long. How many rows are left tells which.
  const queries = new Map<number, RawBuilder<number>>()
  return {
    atLeast(level) {
      const held = rows.filter(row => row.level >= level)
      const query = queries.get(held.length) ?? idsIn(held)
      queries.set(held.length, query)
      return query
    },
  }
}

/**
 * A query of the ids. Within a query of its own the planner cannot see how long the array is: it would reckon it as gathered anew for
 * every project that is looked up, and read all projects instead.
 */
const idsIn = (rows: readonly IdsOfLevel[]) => sql<number>`select unnest((select ${`{${rows.map(row => row.ids).join(',')}}`}::bigint[]))`

/** Ids of projects, joined by commas; one that is reached in several ways may come several times. */
interface IdsOfLevel {
  readonly level: number
  readonly ids: string
}

const memberProjectsByLevel = compiled(
  (_db, id: number) => sql<IdsOfLevel>`
    select own.level, string_agg(own.id::text, ',') as ids from (
      select inside.id, m.access_level as level
        from memberships m join namespaces below on below.traversal_ids @> array[m.namespace_id]
             join projects inside on inside.namespace_id = below.id
       where m.user_id = ${id} and m.namespace_id is not null and ${current}
       union all
      select m.project_id, m.access_level from memberships m where m.user_id = ${id} and m.project_id is not null and ${current}
       union all
      select inside.id, ${roles.owner} from projects inside join namespaces home on home.id = inside.namespace_id where home.owner_id = ${id}) as own
     group by own.level`,
)

/**
 * The groups of a tree are few, and so are one's memberships: both are found once. Nobody's own namespace is in a group. Of the
 * projects that one is a member of, or has a share in, those of the tree are known before they are looked at.
 */
const memberProjectsIn = compiled(
  (_db, id: number, groupId: number) => sql<IdsOfLevel>`
    with below as materialized (select n.id, n.traversal_ids from namespaces n where n.traversal_ids @> array[${groupId}::bigint]),
    inside as materialized (select projects.id, projects.namespace_id from projects join below on below.id = projects.namespace_id),
    held as materialized (
      select m.namespace_id, m.project_id, m.access_level as level from memberships m
       where m.user_id = ${id} and ${current} and (m.namespace_id is not null or m.project_id in (select inside.id from inside)))
    select own.level, string_agg(own.id::text, ',') as ids from (
      select inside.id, reached.level
        from (select below.id, max(held.level) as level from below join held on held.namespace_id = any(below.traversal_ids) group by below.id) as reached
             join inside on inside.namespace_id = reached.id
       union all
      select held.project_id, held.level from held where held.project_id is not null) as own
     group by own.level`,
)

/**
 * Is the project with this id one that the user is a member of, with at least `level`? As a query of their own the projects would be
 * reckoned as found anew for every row, so that lists find them before.
 */
export const isMemberProject = (
  projectId: RawBuilder<unknown>,
  userId: number,
  level: number,
  known?: KnownMemberships,
): RawBuilder<boolean> => sql`${projectId} in (${known ? known.atLeast(level) : memberProjects(userId, level)})`

/** A deploy key acts for the account that added it, and no longer than that is active. */
const keyMayAct = sql`not exists (select from keys k join users c on c.id = k.creator_id where k.id = d.key_id and c.state <> 'active')`

/** Is the project `projects` one that a machine's credential is for? Undefined for all other credentials. */
function openedByCredential({ credential }: Actor): RawBuilder<boolean> | undefined {
  if (credential?.kind === 'deploy_key')
    return sql`projects.id in (select d.project_id from deploy_key_projects d where d.key_id = ${credential.id} and ${keyMayAct})`
  if (credential?.kind !== 'deploy_token') return undefined
  const { place } = credential
  return 'projectId' in place
    ? sql`projects.id = ${place.projectId}`
    : sql`projects.namespace_id in (select n.id from namespaces n where n.traversal_ids @> ${[place.groupId]})`
}

/**
 * May the actor know of the project `projects`? What is being deleted is private and without members, so that only
 * administrators and machines need asking.
 */
export const projectVisibleTo = (actor: Actor, known?: KnownMemberships): RawBuilder<boolean> =>
  projectOpenOr(actor, () => hasProjectRole(actor, roles.guest, known))

/** The same for one project, by the actor's role in it: a list rather begins with all projects that are one's own. */
export const oneProjectVisibleTo = (actor: Actor, role: RawBuilder<number>): RawBuilder<boolean> =>
  projectOpenOr(actor, () => (actor.user ? sql<boolean>`${role} >= ${sql.lit(roles.guest)}` : hasProjectRole(actor, roles.guest)))

function projectOpenOr(actor: Actor, isOwn: () => Condition): RawBuilder<boolean> {
  if (!isActive(actor)) return sql`false`
  if (isAdmin(actor)) return sql`not projects.deleting`
  return withinReach(actor, asSql(either(admitsInSql(sql`projects.visibility`, actor.user), isOwn())))
}

/** Has the actor at least this role in the project `projects`? Machines have theirs in their own projects; administrators are asked for before. */
export function hasProjectRole(actor: Actor, role: Role, known?: KnownMemberships): Condition {
  if (actor.user) return isMember(actor.user.id, role, known)
  return openedByCredential(actor) !== undefined && sql<boolean>`(${machineRole(actor)} >= ${sql.lit(role)} and not projects.deleting)`
}

/** Is the project `projects` one that the user is a member of, with at least `level`? By what is known of their memberships, if anything is. */
export const isMember = (userId: number, level: number, known: KnownMemberships | undefined): RawBuilder<boolean> =>
  known ? isMemberProject(sql`projects.id`, userId, level, known) : isProjectMember(userId, level)

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
export const groupVisibleTo = (actor: Actor): RawBuilder<boolean> => groupOpenOr(actor, isOwnGroup)

/** The same for one group: whose it is tells their role in it, where a list rather begins with all groups that are one's own. */
export const oneGroupVisibleTo = (actor: Actor): RawBuilder<boolean> => groupOpenOr(actor, () => sql`${groupRole(actor)} > 0`)

function groupOpenOr(actor: Actor, isOwn: (userId: number) => RawBuilder<boolean>): RawBuilder<boolean> {
  const { user } = actor
  if (!isActive(actor)) return sql`false`
  if (isAdmin(actor)) return sql`not namespaces.deleting`
  return asSql(either(admitsInSql(sql`namespaces.visibility`, user), user ? isOwn(user.id) : false))
}

/** The role that a machine's credential has in its projects: it reads like a Reporter, and a deploy key that may push pushes like a Developer. */
function machineRole(actor: Actor): RawBuilder<number> {
  const { credential } = actor
  if (credential?.kind === 'deploy_key')
    return sql`coalesce((select case when d.can_push then ${sql.lit(roles.developer)} else ${sql.lit(roles.reporter)} end
      from deploy_key_projects d where d.key_id = ${credential.id} and d.project_id = projects.id and ${keyMayAct}), 0)`
  const opened = openedByCredential(actor)
  return opened ? sql`case when ${opened} then ${sql.lit(roles.reporter)} else 0 end` : sql`0`
}

/** The actor's role in the project `projects` of namespace `namespaces`: the highest of direct, inherited, shared and owned. */
export function projectRole(actor: Actor): RawBuilder<number> {
  if (!actor.user) return machineRole(actor)
  const userId = actor.user.id
  return roleWithinReach(
    actor,
    sql`coalesce(greatest(
    (select ${highestLevel} from memberships m where m.user_id = ${userId} and m.project_id = projects.id),
    (select ${highestLevel} from memberships m where m.user_id = ${userId} and m.namespace_id = any(namespaces.traversal_ids)),
    case when namespaces.owner_id = ${userId} then ${sql.lit(roles.owner)} end), 0)`,
  )
}

/** The actor's role in the group `namespaces`; minimal access where they only belong to something inside it. */
export function groupRole(actor: Actor): RawBuilder<number> {
  if (!actor.user) return sql`0`
  const userId = actor.user.id
  return sql`coalesce(
    (select ${highestLevel} from memberships m where m.user_id = ${userId} and m.namespace_id = any(namespaces.traversal_ids)),
    case when namespaces.owner_id = ${userId} then ${sql.lit(roles.owner)}
         when namespaces.id in (${holdingGroups(userId)}) then ${sql.lit(roles.minimal)} else 0 end)`
}
