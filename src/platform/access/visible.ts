/**
 * Visibility as SQL: the conditions that restrict lists to what an actor may see, and the actor's role in a place. Lists are restricted
 * here, never after the page is cut (house rule "Access is data"). The view `memberships` holds the level of each user by membership, or by
 * a share with a group that they are a member of.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { compiled } from '../db/statements/compiled.ts'
import { type ActingUser, type Actor, anonymous, isActive, isAdmin, type UserActor } from './actor.ts'
import { deployKeyActs, deployKeyRole } from './credentials/deploy_keys.ts'
import { actsForJob, groupRoleWithinReach, openedFor, roleWithinReach, withinReach } from './credentials/job_reach.ts'
import { highestLevel, isCurrentMembership, levelInProject } from './memberships.ts'
import { admitsInSql, asSql, type Condition, either, type Role, roles } from './open_to.ts'

/**
 * What the conditions and roles in this file depend on besides the user's id. Credentials decide what a user may do, not what they may see.
 * Compiled statements are cached by it (`compiledPer`).
 */
export type PersonKind = 'admin' | 'external' | 'regular'

export const personKind = ({ admin, external }: Pick<ActingUser, 'admin' | 'external'>): PersonKind =>
  admin ? 'admin' : external ? 'external' : 'regular'

/**
 * The user whose statements about what they may see can be compiled for all users of their kind; undefined for actors whose credential or state
 * decides about that too.
 */
export const compilableUser = (actor: Actor): ActingUser | undefined =>
  isActive(actor) && !actsForJob(actor) && signOnsDue(actor).length === 0 ? actor.user : undefined

/** An actor of this kind, for statements in which the user id is a parameter. */
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
    creator_id: null,
  },
})

/**
 * The top-level groups that the actor's session has to sign in for (spaces/groups/sign_on.ts). Memberships below Owner do not count in what lists show of
 * these groups: what is in them is seen as by a user without a role. The places themselves are found by `projectRole` and `groupRole`, so that who opens
 * one is led to the sign-in.
 */
const signOnsDue = (actor: Actor): readonly number[] =>
  actor.credential?.kind === 'session' && !isAdmin(actor) ? (actor.credential.signOnsDue ?? []) : []

/** Is the place with these ancestors in none of the groups that the actor's session has to sign in for? Undefined where there are no such groups. */
function isSignedOn(actor: Actor, traversalIds: RawBuilder<unknown>): RawBuilder<boolean> | undefined {
  const due = signOnsDue(actor)
  return due.length === 0 ? undefined : sql<boolean>`${traversalIds}[1] <> all(${[...due]}::bigint[])`
}

/** The ids among `ids` of the projects in which a membership counts; those in `owned` do without the sign-in. */
function countingProjects(actor: Actor, ids: RawBuilder<number>, owned: RawBuilder<number>): RawBuilder<number> {
  const isOn = isSignedOn(actor, sql`home.traversal_ids`)
  if (!isOn) return ids
  return sql`select own.id from projects own join namespaces home on home.id = own.namespace_id
    where own.id in (${ids}) and (${isOn} or own.id in (${owned}))`
}

const current = isCurrentMembership()

/** The ids of the groups where the user is a member with at least `level`, directly or by a share. */
const ownGroups = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`select m.namespace_id from memberships m where m.user_id = ${userId} and m.namespace_id is not null and m.access_level >= ${level} and ${current}`

/** The ids of the projects where the user is a member with at least `level`, directly or by a share. */
const ownProjects = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`select m.project_id from memberships m where m.user_id = ${userId} and m.project_id is not null and m.access_level >= ${level} and ${current}`

/** The ids of the namespaces where the user has at least `level`: their own namespace, those they are members of, and all below those. */
const memberNamespaces = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`(select inherited.id from namespaces inherited
        where inherited.traversal_ids && array(${ownGroups(userId, level)}) or inherited.owner_id = ${userId})`

/** Is the user a member of the project `projects` with at least `level`, directly or by a group? */
export const isProjectMember = (userId: number, level: number = roles.guest): RawBuilder<boolean> =>
  sql`(projects.namespace_id in ${memberNamespaces(userId, level)} or projects.id in (${ownProjects(userId, level)}))`

/** The ids of the projects that the user is a member of, with at least `level`, as a subquery that starts from the memberships. */
const memberProjects = (userId: number, level: number = roles.minimal): RawBuilder<number> =>
  sql`select inside.id from projects inside where inside.namespace_id in ${memberNamespaces(userId, level)} union all ${ownProjects(userId, level)}`

/**
 * The ids of the projects that a user is a member of, by level. They are looked up before the list query, so that lists over all projects
 * do not compute them for every row.
 */
export interface KnownMemberships {
  /** A query of the ids. The database collects them once and probes for each row, without estimating how selective they are. */
  atLeast(level: number): RawBuilder<number>
}

/**
 * Looks up the projects that the actor is a member of, directly, by a group or a share, in one statement. Undefined for actors whose
 * memberships do not matter.
 * @param groupId restricts the result to the projects of this group and its subgroups
 */
export async function knownMemberships(db: Db, actor: Actor, groupId?: number): Promise<KnownMemberships | undefined> {
  if (!actor.user || isAdmin(actor)) return undefined
  const rows = await askedTogether(db, actor, actor.user.id, groupId)
  // A list uses a query several times, and building it may take long. The number of remaining rows identifies it.
  const queries = new Map<number, RawBuilder<number>>()
  const heldAt = (level: number) => rows.filter(row => row.level >= level)
  return {
    atLeast(level) {
      const held = heldAt(level)
      const query = queries.get(held.length) ?? countingProjects(actor, idsIn(held), idsIn(heldAt(roles.owner)))
      queries.set(held.length, query)
      return query
    },
  }
}

/** For a statement about few projects: what to begin it with, and what its conditions take in place of all memberships of the actor. */
export interface RolesAmong {
  /** `held as materialized (…)`, a part of what stands behind `with`. */
  readonly held: RawBuilder<unknown>
  /** A query that begins with it. */
  beginIn(db: Db): QuerySource
  /** Is the project `projects` one of them? */
  readonly isOne: RawBuilder<boolean>
  /** Reads `held`; undefined for actors whose memberships do not matter. */
  readonly known: KnownMemberships | undefined
}

/** What queries are begun from. Those of `rolesAmong` name `held` in their conditions alone. */
export type QuerySource = Pick<Db, 'selectFrom'>

const beginning = (db: Db, rows: RawBuilder<{ id: number; role: Role }>): QuerySource =>
  db.with(
    cte => cte('held').materialized(),
    () => sql<{ id: number; role: Role }>`(${rows})`,
  ) as unknown as QuerySource

/**
 * The actor's role in each of the projects with these ids. Conditions about members that are in a statement several times each have a plan of all
 * memberships otherwise, which takes longer to make than the statement takes to run.
 * @param ids a query of the ids, which names no table `projects` or `namespaces` of the statement around it
 */
export function rolesAmong(actor: Actor, ids: RawBuilder<number>): RolesAmong {
  // The token of a job has conditions of its own.
  const isNeeded = actor.user !== undefined && !isAdmin(actor) && !actsForJob(actor)
  const rows = sql<{ id: number; role: Role }>`select projects.id, ${countingProjectRole(actor)} as role
      from projects join namespaces on namespaces.id = projects.namespace_id where projects.id in (${ids})`
  return {
    held: sql`held as materialized (${rows})`,
    beginIn: db => beginning(db, rows),
    isOne: sql`projects.id in (select held.id from held)`,
    known: isNeeded ? { atLeast: level => sql<number>`select held.id from held where held.role >= ${sql.lit(level)}` } : undefined,
  }
}

interface Asked {
  readonly db: Db
  readonly groupId: number | undefined
  readonly rows: Promise<readonly IdsOfLevel[]>
}

/** What is on its way to the actor of a request, who may have several lists on one page. */
const underWay = new WeakMap<Actor, readonly Asked[]>()

/** Asks once for those who want to know at the same time. What has come is not kept: memberships change. */
function askedTogether(db: Db, actor: Actor, userId: number, groupId: number | undefined): Promise<readonly IdsOfLevel[]> {
  const known = underWay.get(actor)?.find(asked => asked.db === db && asked.groupId === groupId)
  if (known) return known.rows
  const rows = groupId === undefined ? memberProjectsByLevel(db, userId) : memberProjectsIn(db, userId, groupId)
  const asked: Asked = { db, groupId, rows }
  underWay.set(actor, [...(underWay.get(actor) ?? []), asked])
  const end = () => underWay.set(actor, underWay.get(actor)?.filter(other => other !== asked) ?? [])
  rows.then(end, end)
  return rows
}

/**
 * A query of the ids. As a subquery it hides the length of the array from the planner, which would otherwise assume that the array is
 * unnested again for every project it looks up, and scan all projects instead.
 */
const idsIn = (rows: readonly IdsOfLevel[]) => sql<number>`select unnest((select ${`{${rows.map(row => row.ids).join(',')}}`}::bigint[]))`

/** Ids of projects, separated by commas. A project that is reached in several ways may appear several times. */
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
 * A group tree and a user's memberships are both small, so each is computed once. Personal namespaces are never in a group. The projects
 * with a membership or a share are restricted to the tree before their rows are read.
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
 * Is the actor a member of the project with this id, with at least `level`? A scalar subquery: the planner would assume that a subquery of
 * all their projects runs again for every row, so lists look the projects up beforehand.
 */
export const isMemberProject = (
  projectId: RawBuilder<unknown>,
  actor: UserActor,
  level: number,
  known?: KnownMemberships,
): RawBuilder<boolean> => {
  const { id } = actor.user
  return sql`${projectId} in (${known ? known.atLeast(level) : countingProjects(actor, memberProjects(id, level), memberProjects(id, roles.owner))})`
}

/** Is the project `projects` covered by the actor's machine credential? Undefined for all other credentials. */
function openedByCredential({ credential }: Actor): RawBuilder<boolean> | undefined {
  if (credential?.kind === 'deploy_key')
    return sql`projects.id in (select d.project_id from deploy_key_projects d where d.key_id = ${credential.id} and ${deployKeyActs()})`
  if (credential?.kind !== 'deploy_token') return undefined
  const { place } = credential
  return 'projectId' in place
    ? sql`projects.id = ${place.projectId}`
    : sql`projects.namespace_id in (select n.id from namespaces n where n.traversal_ids @> ${[place.groupId]})`
}

/**
 * May the actor see the project `projects`? A project that is being deleted is private and has no members, so only administrators and
 * machines need a condition for it.
 */
export const projectVisibleTo = (actor: Actor, known?: KnownMemberships): RawBuilder<boolean> =>
  projectOpenOr(actor, () => hasProjectRole(actor, roles.guest, known))

/** The same for one project, by the actor's role in it. Lists start from all projects of the user instead. */
export const oneProjectVisibleTo = (actor: Actor, role: RawBuilder<number>): RawBuilder<boolean> =>
  projectOpenOr(actor, () => (actor.user ? sql<boolean>`${role} >= ${sql.lit(roles.guest)}` : hasProjectRole(actor, roles.guest)))

function projectOpenOr(actor: Actor, isOwn: () => Condition): RawBuilder<boolean> {
  if (!isActive(actor)) return sql`false`
  if (isAdmin(actor)) return sql`not projects.deleting`
  return withinReach(actor, asSql(either(admitsInSql(sql`projects.visibility`, actor.user), isOwn())))
}

/**
 * Does the actor have at least this role in the project `projects`? Machines have their role in their own projects; administrators are
 * handled before.
 */
export function hasProjectRole(actor: Actor, role: Role, known?: KnownMemberships): Condition {
  if (isUser(actor)) return isMember(actor, role, known)
  return openedByCredential(actor) !== undefined && sql<boolean>`(${machineRole(actor)} >= ${sql.lit(role)} and not projects.deleting)`
}

const isUser = (actor: Actor): actor is UserActor => actor.user !== undefined

/** Is the actor a member of the project `projects` with at least `level`? Uses `known` where it is given. */
export const isMember = (actor: UserActor, level: number, known: KnownMemberships | undefined): RawBuilder<boolean> =>
  known || signOnsDue(actor).length > 0 ? isMemberProject(sql`projects.id`, actor, level, known) : isProjectMember(actor.user.id, level)

/** Is the user a member of the group `namespaces` with at least `level`, directly or by an ancestor? */
export const isGroupMember = (userId: number, level: number = roles.minimal): RawBuilder<boolean> =>
  sql`namespaces.traversal_ids && array(${ownGroups(userId, level)})`

/** The same as it counts for what the actor may read there: not before their session has signed in for the group, where it has to. */
export function hasGroupRole(actor: UserActor, level: number): RawBuilder<boolean> {
  // The lists of a job are short, and need not begin with the memberships.
  if (actsForJob(actor)) return sql`${groupRole(actor)} >= ${sql.lit(level)}`
  const { id } = actor.user
  // Minimal access is also what users have in the groups around their own.
  const isOwn = level > roles.minimal ? isGroupMember(id, level) : isOwnGroup(id)
  const isOn = isSignedOn(actor, sql`namespaces.traversal_ids`)
  return isOn ? sql`(${isOwn} and (${isOn} or ${isGroupMember(id, roles.owner)}))` : isOwn
}

/** The groups that contain, at any depth, a group or project of which the user is a member. The user may see their names. */
const holdingGroups = (userId: number): RawBuilder<number> =>
  sql`select unnest(below.traversal_ids) from namespaces below
       where below.id in (${ownGroups(userId)}
         union all select inside.namespace_id from projects inside where inside.id in (${ownProjects(userId)}))`

/**
 * The groups of a user: member of the group, of an ancestor, or of something inside. One list of ids instead of conditions joined by `or`,
 * so that the planner starts from the memberships instead of testing every group.
 */
export const isOwnGroup = (userId: number): RawBuilder<boolean> =>
  sql`namespaces.id in (
    select inherited.id from namespaces inherited where inherited.traversal_ids && array(${ownGroups(userId)})
     union all ${holdingGroups(userId)})`

/** May the actor see the group `namespaces`? */
export const groupVisibleTo = (actor: Actor): RawBuilder<boolean> => groupOpenOr(actor, user => hasGroupRole(user, roles.minimal))

/** The same for one group, by the actor's role in it. Lists start from all groups of the user instead. */
export const oneGroupVisibleTo = (actor: Actor): RawBuilder<boolean> => groupOpenOr(actor, () => sql`${groupRole(actor)} > 0`)

function groupOpenOr(actor: Actor, isOwn: (user: UserActor) => RawBuilder<boolean>): RawBuilder<boolean> {
  if (!isActive(actor)) return sql`false`
  if (isAdmin(actor)) return sql`not namespaces.deleting`
  return asSql(either(admitsInSql(sql`namespaces.visibility`, openedFor(actor)), isUser(actor) ? isOwn(actor) : isInGroupOfToken(actor)))
}

/** Is the group `namespaces` the one of the actor's deploy token, or inside it? */
export function isInGroupOfToken({ credential }: Actor): Condition {
  if (credential?.kind !== 'deploy_token' || !('groupId' in credential.place)) return false
  return sql<boolean>`namespaces.traversal_ids @> ${[credential.place.groupId]}`
}

/** The role of a machine credential in its projects: Reporter for reading; Developer for a deploy key with push access. */
function machineRole(actor: Actor): RawBuilder<number> {
  const { credential } = actor
  if (credential?.kind === 'deploy_key')
    return sql`coalesce((select ${deployKeyRole()}
      from deploy_key_projects d where d.key_id = ${credential.id} and d.project_id = projects.id and ${deployKeyActs()}), 0)`
  const opened = openedByCredential(actor)
  return opened ? sql`case when ${opened} then ${sql.lit(roles.reporter)} else 0 end` : sql`0`
}

/**
 * The actor's role in the project `projects` of the namespace `namespaces`: the highest of the direct, inherited and shared roles and that
 * of the owner.
 */
export function projectRole(actor: Actor): RawBuilder<number> {
  if (!actor.user) return machineRole(actor)
  return roleWithinReach(actor, levelInProject(sql`${actor.user.id}`, 'projects', 'namespaces'))
}

/** The same as it counts for what the actor may read there: none before their session has signed in for the group, where it has to. */
export function countingProjectRole(actor: Actor): RawBuilder<number> {
  const role = projectRole(actor)
  const isOn = isSignedOn(actor, sql`namespaces.traversal_ids`)
  return isOn ? sql`case when ${isOn} or ${role} >= ${sql.lit(roles.owner)} then ${role} else 0 end` : role
}

/** The actor's role in the group `namespaces`; minimal access for users who only belong to something inside it. */
export function groupRole(actor: Actor): RawBuilder<number> {
  if (!actor.user) {
    const opened = isInGroupOfToken(actor)
    return opened === false ? sql`0` : sql`case when ${opened} then ${sql.lit(roles.reporter)} else 0 end`
  }
  const userId = actor.user.id
  return groupRoleWithinReach(
    actor,
    sql`coalesce(
    (select ${highestLevel} from memberships m where m.user_id = ${userId} and m.namespace_id = any(namespaces.traversal_ids)),
    case when namespaces.owner_id = ${userId} then ${sql.lit(roles.owner)}
         when namespaces.id in (${holdingGroups(userId)}) then ${sql.lit(roles.minimal)} else 0 end)`,
  )
}
