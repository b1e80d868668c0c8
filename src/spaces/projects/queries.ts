/** Reads of projects. */
import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { hasCustomAttributes } from '../../identity/custom_attributes/queries.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { roles, type Visibility } from '../../platform/access/abilities.ts'
import { type Actor, isActive, isAdmin } from '../../platform/access/actor.ts'
import { actsForJob } from '../../platform/access/credentials/job_reach.ts'
import { highestLevel } from '../../platform/access/memberships.ts'
import {
  compilableUser,
  isProjectMember,
  oneProjectVisibleTo,
  type PersonKind,
  personKind,
  personOfKind,
  projectRole,
  projectVisibleTo,
} from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled, compiledPer } from '../../platform/db/statements/compiled.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { singleFlight } from '../../platform/db/statements/single_flight.ts'
import { isNumericId } from '../groups/queries.ts'
import { assertSignedOn } from '../groups/sign_on.ts'
import type { Level } from '../notification_settings/levels.ts'
import { isStarredBy } from '../stars/queries.ts'

/** The columns of a project itself that its simple fields are made of. */
const simpleColumns = [
  'projects.id',
  'projects.namespace_id',
  'projects.description',
  'projects.name',
  'projects.path',
  'projects.created_at',
  'projects.default_branch',
  'projects.topics',
  'projects.readme_path',
  'projects.avatar_url',
  'projects.forks_count',
  'projects.star_count',
  'projects.last_activity_at',
] as const

/** The table of projects, or what stands for it in a list. */
export const fromProjects = (db: Db) => db.selectFrom('projects')

/**
 * Projects with the rows of their place. Every project has all of them; the joins are outer ones so that PostgreSQL removes them from counts, which need
 * none of them.
 */
const inPlaces = (db: Db, from = fromProjects(db)) =>
  from
    .leftJoin('routes', 'routes.project_id', 'projects.id')
    .leftJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .leftJoin('routes as namespace_routes', 'namespace_routes.namespace_id', 'projects.namespace_id')

type InPlaces =
  // biome-ignore lint/suspicious/noExplicitAny: what is selected does not matter here
  ReturnType<typeof inPlaces> extends SelectQueryBuilder<infer Tables, infer Names, any> ? ExpressionBuilder<Tables, Names> : never

/** The full path and name of a project, and the columns of its namespace. */
const placeColumns = ({ ref }: InPlaces) =>
  [
    ref('routes.path').$notNull().as('full_path'),
    ref('routes.name').$notNull().as('full_name'),
    ref('namespaces.name').$notNull().as('namespace_name'),
    ref('namespaces.path').$notNull().as('namespace_path'),
    ref('namespaces.kind').$notNull().as('namespace_kind'),
    'namespaces.parent_id as namespace_parent_id',
    'namespaces.avatar_url as namespace_avatar_url',
    'namespaces.owner_id as namespace_owner_id',
    ref('namespaces.traversal_ids').$notNull().as('namespace_traversal_ids'),
    ref('namespace_routes.path').$notNull().as('namespace_full_path'),
  ] as const

/** Projects with what their simple fields are made of. The place of each is looked up: as a join, the planner may read all places there are. */
const simpleProjects = (db: Db) =>
  fromProjects(db)
    .leftJoin('routes', 'routes.project_id', 'projects.id')
    .leftJoinLateral(
      eb => eb.selectFrom('namespaces').selectAll().whereRef('namespaces.id', '=', 'projects.namespace_id').offset(0).as('namespaces'),
      join => join.onTrue(),
    )
    .leftJoin('routes as namespace_routes', 'namespace_routes.namespace_id', 'projects.namespace_id')
    .select(placeColumns)
    .select(simpleColumns)

export type SimpleProjectRow = Awaited<ReturnType<ReturnType<typeof simpleProjects>['executeTakeFirstOrThrow']>>

/** Projects with all of their columns, their full path and name, and the columns of their namespace. */
export const projects = (db: Db, from = fromProjects(db)) => inPlaces(db, from).selectAll('projects').select(placeColumns)

/** A project as it is now, locked until the transaction ends: of two changes the second sees what the first has left. */
export async function lockedProject(db: Db, id: number): Promise<ProjectRow> {
  await db.selectFrom('projects').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
  return projects(db).where('projects.id', '=', id).executeTakeFirstOrThrow()
}

export type ProjectRow = Awaited<ReturnType<ReturnType<typeof projects>['executeTakeFirstOrThrow']>>

/** Projects that the actor may see, with their role in each: for one project, or few. */
const projectsKnownTo = (db: Db, actor: Actor) =>
  projects(db)
    // Without the offset the role would be computed twice, for the output and for the condition.
    .innerJoinLateral(db.selectNoFrom(projectRole(actor).as('role')).offset(sql.lit(0)).as('own'), join => join.onTrue())
    .select('own.role')
    .where(oneProjectVisibleTo(actor, sql.ref('own.role')))

const projectNamed = (db: Db, actor: Actor, isId: boolean, name: number | string) =>
  projectsKnownTo(db, actor).where(isId ? sql<boolean>`projects.id = ${name}` : sql<boolean>`lower(routes.path) = lower(${name})`)

/** The kind of user, and how the project is named. */
type NamingShape = `${PersonKind} ${'id' | 'path'}`

/** The statement that every request about a project begins with: one for each kind of user, with the user id as a parameter. */
const namedTo = compiledPer((shape: NamingShape) => {
  const [kind, by] = shape.split(' ')
  return (db, userId: number, name: number | string) => projectNamed(db, personOfKind(kind as PersonKind, userId), by === 'id', name)
})

/** The same, shared by concurrent requests of a user about a project. */
const projectNamedTo = singleFlight((...args: [shape: NamingShape, userId: number, name: number | string]) => args.join(' '), namedTo)

/**
 * The project with this id or full path, if the actor may see it, with the actor's role in it.
 * @throws 403 for a session that has to sign in with the provider of the group first
 */
export async function visibleProject(db: Db, actor: Actor, id: string) {
  const project = await projectBeforeSignOn(db, actor, id)
  assertSignedOn(actor, project, project?.namespace_traversal_ids)
  return project
}

async function projectBeforeSignOn(db: Db, actor: Actor, id: string) {
  const isId = isNumericId(id)
  const name = isId ? Number(id) : id
  const { user } = actor
  // The compiled statements do not include the reach of a job.
  if (!user || actsForJob(actor)) return projectNamed(db, actor, isId, name).executeTakeFirst()
  // The statements are compiled for active users (personOfKind).
  if (!isActive(actor)) return undefined
  const [found] = await projectNamedTo(db, `${personKind(user)} ${isId ? 'id' : 'path'}`, user.id, name)
  return found
}

/** The project that has left the path `path`, if the actor may see it. */
export const projectMovedFrom = (db: Db, actor: Actor, path: string) =>
  projectsKnownTo(db, actor)
    .innerJoin('redirect_routes', 'redirect_routes.project_id', 'projects.id')
    .where(sql<boolean>`lower(redirect_routes.path) = lower(${path})`)
    .executeTakeFirst()

/** The project of an alias, if the actor may see it. */
export const projectByAlias = (db: Db, actor: Actor, alias: string) =>
  projectsKnownTo(db, actor)
    .innerJoin('project_aliases', 'project_aliases.project_id', 'projects.id')
    .where(sql<boolean>`lower(project_aliases.name) = lower(${alias})`)
    .executeTakeFirst()

/** Projects by id, for the presenters of other resources. */
export async function projectsById(db: Db, ids: readonly number[]): Promise<Map<number, ProjectRow>> {
  if (ids.length === 0) return new Map()
  const rows = await projects(db).where('projects.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The same with the actor's role in each, for presenters that depend on it: one statement for a page. */
export async function projectsWithRoleById(db: Db, actor: Actor, ids: readonly number[]) {
  const rows = await projects(db).select(projectRole(actor).as('role')).where('projects.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Orders by storage statistics, for administrators (document 3 "Project list parameters"). */
export const sizeOrders = ['repository_size', 'storage_size', 'packages_size', 'wiki_size'] as const
export type SizeOrder = (typeof sizeOrders)[number]

/** Filters and order of lists of projects (document 3 "Project list parameters"). */
export interface ProjectFilters {
  archived?: boolean | undefined
  custom_attributes?: Readonly<Record<string, string>> | undefined
  id_after?: number | undefined
  id_before?: number | undefined
  last_activity_after?: string | undefined
  last_activity_before?: string | undefined
  membership?: boolean | undefined
  min_access_level?: number | undefined
  order_by?: 'id' | 'name' | 'path' | 'created_at' | 'updated_at' | 'last_activity_at' | 'star_count' | SizeOrder | undefined
  owned?: boolean | undefined
  repository_checksum_failed?: boolean | undefined
  repository_storage?: string | undefined
  search?: string | undefined
  search_namespaces?: boolean | undefined
  sort?: 'asc' | 'desc' | undefined
  starred?: boolean | undefined
  topic?: string[] | undefined
  visibility?: Visibility | undefined
  wiki_checksum_failed?: boolean | undefined
  with_issues_enabled?: boolean | undefined
  with_merge_requests_enabled?: boolean | undefined
  with_programming_language?: string | undefined
}

/** Projects that the actor may see in a list. */
export function projectsMatching(db: Db, actor: Actor, filters: ProjectFilters) {
  let query = projects(db).where(listedFor(actor, filters) as RawBuilder<boolean>)
  if (filters.archived !== undefined) query = query.where('projects.archived', '=', filters.archived)
  if (filters.visibility !== undefined) query = query.where('projects.visibility', '=', filters.visibility)
  if (filters.id_after !== undefined) query = query.where('projects.id', '>', filters.id_after)
  if (filters.id_before !== undefined) query = query.where('projects.id', '<', filters.id_before)
  if (filters.last_activity_after !== undefined) query = query.where('projects.last_activity_at', '>=', filters.last_activity_after)
  if (filters.last_activity_before !== undefined) query = query.where('projects.last_activity_at', '<=', filters.last_activity_before)
  if (filters.search !== undefined && filters.search !== '') {
    const like = containing(filters.search)
    query = query.where(({ or, eb }) =>
      or([
        eb('projects.name', 'ilike', like),
        eb('projects.path', 'ilike', like),
        eb('projects.description', 'ilike', like),
        // A full path names a project by those above it, with slashes between.
        ...(filters.search_namespaces ? [eb('namespaces.name', 'ilike', like), eb('routes.path', 'ilike', like)] : []),
      ]),
    )
  }
  if (filters.topic?.length) query = query.where(sql<boolean>`projects.topics @> ${filters.topic}`)
  if (filters.with_issues_enabled) query = query.where('projects.issues_access_level', '<>', 'disabled')
  if (filters.with_merge_requests_enabled) query = query.where('projects.merge_requests_access_level', '<>', 'disabled')
  // Contract: the parameter does not exist for users other than administrators (decision 48).
  if (filters.repository_storage !== undefined && isAdmin(actor))
    query = query.where('projects.repository_storage', '=', filters.repository_storage)
  if (filters.custom_attributes && isAdmin(actor)) query = query.where(hasCustomAttributes('projects', filters.custom_attributes))
  if (filters.starred) query = query.where(actor.user ? isStarredBy(actor.user.id) : sql<boolean>`false`)
  if (filters.with_programming_language !== undefined) query = query.where(isWrittenIn(filters.with_programming_language))
  if (filters.repository_checksum_failed) query = query.where('projects.repository_checksum_failed', '=', true)
  if (filters.wiki_checksum_failed) query = query.where('projects.wiki_checksum_failed', '=', true)
  return inOrder(query, actor, filters)
}

/** Is the language, ignoring case, one of the project `projects`? */
const isWrittenIn = (language: string): RawBuilder<boolean> =>
  sql`projects.id in (select project_id from project_languages where lower(name) = lower(${language}))`

/** Members of a project may see it, so only lists of all projects check visibility. */
function listedFor(actor: Actor, { membership, owned, min_access_level }: ProjectFilters): RawBuilder<boolean> {
  if (!membership && !owned && min_access_level === undefined) return projectVisibleTo(actor)
  if (!actor.user) return sql`false`
  return isProjectMember(actor.user.id, Math.max(owned ? roles.owner : roles.guest, min_access_level ?? 0))
}

/** The order of a list, with an id that tells equal ones apart. */
export function inOrder(query: ReturnType<typeof projects>, actor: Actor, { order_by = 'created_at', sort = 'desc' }: ProjectFilters) {
  if (order_by === 'id') return query.orderBy('projects.id', sort)
  if (isSizeOrder(order_by)) {
    // Contract: for users other than administrators these orders are `created_at` (decision 48).
    if (!isAdmin(actor)) return query.orderBy('projects.created_at', sort).orderBy('projects.id', sort)
    return query
      .innerJoin('project_statistics', 'project_statistics.project_id', 'projects.id')
      .orderBy(`project_statistics.${order_by}`, sort)
      .orderBy('project_statistics.project_id', sort)
  }
  const byText = order_by === 'name' || order_by === 'path'
  const column = byText ? sql`lower(${sql.ref(`projects.${order_by}`)})` : sql.ref(`projects.${order_by}`)
  return query.orderBy(column, sort).orderBy('projects.id', sort)
}

const isSizeOrder = (order: string): order is SizeOrder => (sizeOrders as readonly string[]).includes(order)

/** The fork sources of these projects that the actor may see. Those that are private are looked up one by one, as the few that they are. */
const forkSources = (db: Db, actor: Actor, ids: readonly number[]) =>
  simpleProjects(db)
    .innerJoin('project_forks', 'project_forks.source_id', 'projects.id')
    .select('project_forks.project_id as fork_id')
    .where('project_forks.project_id', '=', anyOf(ids))
    .where(oneProjectVisibleTo(actor, projectRole(actor)) as RawBuilder<boolean>)

/** The same, built once for each kind of user. */
const forkSourcesFor = compiledPer(
  (kind: PersonKind) => (db, userId: number, ids: readonly number[]) => forkSources(db, personOfKind(kind, userId), ids),
)

/** The fork sources of these projects that the actor may see, by the id of the fork: one statement. */
export async function forkSourcesOf(db: Db, actor: Actor, ids: readonly number[]): Promise<Map<number, SimpleProjectRow>> {
  if (ids.length === 0) return new Map()
  const user = compilableUser(actor)
  const rows = user ? await forkSourcesFor(db, personKind(user), user.id, ids) : await forkSources(db, actor, ids).execute()
  return new Map(rows.map(row => [row.fork_id, row]))
}

/** What a project is to its reader: their access to it, by the project itself and by groups, ancestors and shares, and what they have chosen there. */
export interface ReaderFacts {
  readonly project: number | null
  readonly group: number | null
  /** The level of their notifications in the project, and in its group. */
  readonly project_notifications: Level | null
  readonly group_notifications: Level | null
}

/** The account that a project belongs to. */
export type OwnerRow = SummaryRow & { readonly created_at: string }

/** A project as a page of them shows it, besides its own row. */
interface FactsRow extends ReaderFacts {
  readonly id: number
  readonly owner_id: number | null
  readonly owner_name: string
  readonly owner_username: string
  readonly owner_state: SummaryRow['state']
  readonly owner_avatar_url: string | null
  readonly owner_created_at: string
}

const factsRows = compiled(
  (_db, userId: number | null, ids: readonly number[]) => sql<FactsRow>`
    select p.id,
      (select ${highestLevel} from members m where m.user_id = ${userId} and m.project_id = p.id) as project,
      greatest(
        (select ${highestLevel} from memberships m where m.user_id = ${userId} and m.namespace_id = any(n.traversal_ids)),
        (select ${highestLevel} from memberships m where m.user_id = ${userId} and m.project_id = p.id and m.share_id is not null)
      ) as group,
      (select s.level from notification_settings s where s.user_id = ${userId} and s.project_id = p.id) as project_notifications,
      (select s.level from notification_settings s where s.user_id = ${userId} and s.namespace_id = p.namespace_id) as group_notifications,
      o.id as owner_id, o.name as owner_name, o.username as owner_username, o.state as owner_state, o.avatar_url as owner_avatar_url,
      o.created_at as owner_created_at
    from projects p join namespaces n on n.id = p.namespace_id left join users o on o.id = n.owner_id
   where p.id = any(${ids})`,
)

/** What these projects are to their reader, and the accounts that own them, by the id of the project: one statement for a page. */
export async function readerFactsOf(db: Db, actor: Actor, ids: readonly number[]) {
  const rows = await factsRows(db, actor.user?.id ?? null, ids)
  return new Map<number, ReaderFacts & { readonly owner: OwnerRow | undefined }>(rows.map(row => [row.id, { ...row, owner: ownerOf(row) }]))
}

const ownerOf = (row: FactsRow): OwnerRow | undefined =>
  row.owner_id === null
    ? undefined
    : {
        id: row.owner_id,
        name: row.owner_name,
        username: row.owner_username,
        state: row.owner_state,
        avatar_url: row.owner_avatar_url,
        created_at: row.owner_created_at,
      }
