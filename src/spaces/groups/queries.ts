/** Reads of groups. */
import { type RawBuilder, sql } from 'kysely'
import { hasCustomAttributes } from '../../identity/custom_attributes/queries.ts'
import { roles } from '../../platform/access/abilities.ts'
import { type Actor, isActive, isAdmin } from '../../platform/access/actor.ts'
import { actsForJob } from '../../platform/access/credentials/job_reach.ts'
import {
  groupRole,
  groupVisibleTo,
  isGroupMember,
  isOwnGroup,
  oneGroupVisibleTo,
  type PersonKind,
  personKind,
  personOfKind,
} from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiledPer } from '../../platform/db/statements/compiled.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { genericPlan } from '../../platform/db/statements/prepared.ts'
import { countRows, type Rows } from '../../platform/kernel/answer/page.ts'
import { assertSignedOn } from './sign_on.ts'

/** Groups with their full path and full name; an outer join, so that counts can do without it. */
export const groups = (db: Db) =>
  db
    .selectFrom('namespaces')
    .leftJoin('routes', 'routes.namespace_id', 'namespaces.id')
    .selectAll('namespaces')
    .select(({ ref }) => [ref('routes.path').$notNull().as('full_path'), ref('routes.name').$notNull().as('full_name')])
    .where('namespaces.kind', '=', 'group')

/** A group as it is now, locked until the transaction ends: of two changes the second sees what the first has left. */
export async function lockedGroup(db: Db, id: number): Promise<GroupRow> {
  await db.selectFrom('namespaces').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()
  return groups(db).where('namespaces.id', '=', id).executeTakeFirstOrThrow()
}

export type GroupRow = Awaited<ReturnType<ReturnType<typeof groups>['executeTakeFirstOrThrow']>>

/** Does an id in a URL name a group or project by number? Otherwise it is a full path, ignoring case. */
export const isNumericId = (id: string): boolean => /^\d{1,15}$/.test(id)

const groupNamed = (db: Db, actor: Actor, isId: boolean, name: number | string) =>
  groups(db)
    .select(groupRole(actor).as('role'))
    .where(isId ? sql<boolean>`namespaces.id = ${name}` : sql<boolean>`lower(routes.path) = lower(${name})`)
    .where(oneGroupVisibleTo(actor))

/**
 * The group with this id or full path, if the actor may see it, with the actor's role in it.
 * @throws 403 for a session that has to sign in with the provider of the group first
 */
export async function visibleGroup(db: Db, actor: Actor, id: string) {
  const group = await groupBeforeSignOn(db, actor, id)
  assertSignedOn(actor, group, group?.traversal_ids)
  return group
}

/** The group that has left the path `path`, if the actor may see it. */
export async function groupMovedFrom(db: Db, actor: Actor, path: string) {
  const found = await db
    .selectFrom('redirect_routes')
    .select('namespace_id')
    .where('namespace_id', 'is not', null)
    .where(sql<boolean>`lower(path) = lower(${path})`)
    .executeTakeFirst()
  return found && visibleGroup(db, actor, String(found.namespace_id))
}

/** The same, whether or not the session has signed in with the provider of the group. */
export async function groupBeforeSignOn(db: Db, actor: Actor, id: string) {
  const isId = isNumericId(id)
  const name = isId ? Number(id) : id
  const { user } = actor
  // The compiled statements do not include the reach of a job.
  if (!user || actsForJob(actor)) return groupNamed(db, actor, isId, name).executeTakeFirst()
  // The statements are compiled for active users (personOfKind).
  if (!isActive(actor)) return undefined
  const [found] = await groupNamedTo(db, `${personKind(user)} ${isId ? 'id' : 'path'}`, user.id, name)
  return found
}

/** The statement that every request about a group begins with: one for each kind of user, with the user id as a parameter. */
const groupNamedTo = compiledPer((shape: `${PersonKind} ${'id' | 'path'}`) => {
  const [kind, by] = shape.split(' ')
  return (db, userId: number, name: number | string) => groupNamed(db, personOfKind(kind as PersonKind, userId), by === 'id', name)
})

/** Groups by id, for the presenters and commands of other resources. */
export async function groupsById(db: Db, ids: readonly number[]): Promise<Map<number, GroupRow>> {
  if (ids.length === 0) return new Map()
  const rows = await groups(db).where('namespaces.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The groups among these that the actor owns. */
export async function ownedAmong(db: Db, actor: Actor, ids: readonly number[]): Promise<number[]> {
  if (!actor.user) return []
  const rows = await db
    .selectFrom('namespaces')
    .select('id')
    .where('id', '=', anyOf(ids))
    .where(isGroupMember(actor.user.id, roles.owner) as RawBuilder<boolean>)
    .execute()
  return rows.map(row => row.id)
}

/** The storage used by the projects of a group's tree, in bytes. */
export interface GroupStatistics {
  readonly storage_size: number
  readonly repository_size: number
  readonly wiki_size: number
  readonly lfs_objects_size: number
  readonly job_artifacts_size: number
  readonly packages_size: number
  readonly snippets_size: number
}

/** The statistics of these groups, including those without projects: one statement for a page. */
export async function statisticsByGroup(db: Db, ids: readonly number[]): Promise<Map<number, GroupStatistics>> {
  const sum = (column: keyof GroupStatistics) => sql`coalesce(sum(${sql.ref(`stored.${column}`)}), 0)::bigint as ${sql.ref(column)}`
  const columns = [
    'storage_size',
    'repository_size',
    'wiki_size',
    'lfs_objects_size',
    'job_artifacts_size',
    'packages_size',
    'snippets_size',
  ] as const
  const { rows } = await sql<GroupStatistics & { id: number }>`
    select top.id, ${sql.join(columns.map(sum))}
      from unnest(${ids}::bigint[]) top(id)
      join namespaces below on below.traversal_ids @> array[top.id]
      left join projects on projects.namespace_id = below.id
      left join project_statistics stored on stored.project_id = projects.id
     group by top.id`.execute(db)
  return new Map(rows.map(({ id, ...statistics }) => [id, statistics]))
}

/** Filters and order of lists of groups (document 3 "Groups"). */
export interface GroupFilters {
  custom_attributes?: Readonly<Record<string, string>> | undefined
  skip_groups?: number[] | undefined
  all_available?: boolean | undefined
  search?: string | undefined
  order_by?: 'name' | 'path' | 'id' | undefined
  sort?: 'asc' | 'desc' | undefined
  owned?: boolean | undefined
  min_access_level?: number | undefined
  top_level_only?: boolean | undefined
}

/**
 * Groups that the actor may see in a list. `owned` and `min_access_level` take precedence over `all_available`, which defaults to false for
 * signed-in users other than administrators (document 3; decision 47).
 */
export function groupsMatching(db: Db, actor: Actor, filters: GroupFilters) {
  const { order_by = 'name', sort = 'asc' } = filters
  let query = groups(db).where(listedFor(actor, filters) as RawBuilder<boolean>)
  if (filters.skip_groups?.length) query = query.where('namespaces.id', 'not in', filters.skip_groups)
  if (filters.top_level_only) query = query.where('namespaces.parent_id', 'is', null)
  if (filters.search !== undefined && filters.search !== '') {
    const like = containing(filters.search)
    query = query.where(({ or, eb }) => or([eb('namespaces.name', 'ilike', like), eb('namespaces.path', 'ilike', like)]))
  }
  if (filters.custom_attributes && isAdmin(actor)) query = query.where(hasCustomAttributes('namespaces', filters.custom_attributes))
  const column = order_by === 'id' ? sql`namespaces.id` : sql`lower(${sql.ref(`namespaces.${order_by}`)})`
  return query.orderBy(column, sort).orderBy('namespaces.id', sort)
}

/** What does not narrow a list, among its parameters. */
const unnarrowing: ReadonlySet<string> = new Set(['order_by', 'sort', 'statistics', 'with_custom_attributes', 'page', 'per_page'])

type OwnShape = `${NonNullable<GroupFilters['order_by']>} ${'asc' | 'desc'}`

/** A page of a user's own groups with the number of all, or `most` if there are more. The groups are found once for both. */
const ownGroupRows = compiledPer((shape: OwnShape) => {
  const [order_by, sort] = shape.split(' ') as [NonNullable<GroupFilters['order_by']>, 'asc' | 'desc']
  const direction = sql.raw(sort)
  const place = order_by === 'id' ? sql`namespaces.id` : sql`lower(${sql.ref(`namespaces.${order_by}`)})`
  return (_db, userId: number, most: number, limit: number, offset: number) => sql<GroupRow & { total: number }>`
    with own as materialized (
      select namespaces.id, ${place} as place from namespaces where namespaces.kind = 'group' and ${isOwnGroup(userId)}),
    page as (select own.id, own.place from own order by own.place ${direction}, own.id ${direction} limit ${limit} offset ${offset})
    select ${genericPlan} namespaces.*, routes.path as full_path, routes.name as full_name,
           (select count(*)::int from (select from own limit ${most}) as counted) as total
      from page join namespaces on namespaces.id = page.id left join routes on routes.namespace_id = page.id
     order by page.place ${direction}, page.id ${direction}`
})

/** Groups that the actor may see, as a list: `groupsMatching`, in one statement for a user's own groups where nothing narrows them. */
export function groupList(db: Db, actor: Actor, filters: GroupFilters): Rows<GroupRow> {
  const isNarrowed = Object.entries(filters).some(([name, value]) => value !== undefined && !unnarrowing.has(name))
  if (!actor.user || !isActive(actor) || isAdmin(actor) || isNarrowed) return groupsMatching(db, actor, filters)
  const userId = actor.user.id
  const { order_by = 'name', sort = 'asc' } = filters
  const query = () => groupsMatching(db, actor, filters)
  return {
    slice: (offset, limit) => query().limit(limit).offset(offset).execute(),
    count: limit => countRows(db, query(), limit),
    async counted(offset, limit, most) {
      const rows = await ownGroupRows(db, `${order_by} ${sort}`, userId, most, limit, offset)
      // Beyond the end no row brings the number.
      return { rows, total: rows[0]?.total ?? (await countRows(db, query(), most)) }
    },
  }
}

/** Members of a group may see it, so only lists of all groups check visibility. */
function listedFor(actor: Actor, filters: GroupFilters): RawBuilder<boolean> {
  if (!actor.user) return groupVisibleTo(actor)
  if (filters.owned || filters.min_access_level !== undefined)
    return isGroupMember(actor.user.id, Math.max(filters.owned ? roles.owner : 0, filters.min_access_level ?? 0))
  return (filters.all_available ?? isAdmin(actor)) ? groupVisibleTo(actor) : isOwnGroup(actor.user.id)
}

/** The groups directly below `parentId`. */
export const subgroupsOf = (db: Db, actor: Actor, parentId: number, filters: GroupFilters) =>
  groupsMatching(db, actor, filters).where('namespaces.parent_id', '=', parentId)

/** The groups at any depth below `ancestorId`. */
export const descendantsOf = (db: Db, actor: Actor, ancestorId: number, filters: GroupFilters) =>
  groupsMatching(db, actor, filters)
    .where(sql<boolean>`namespaces.traversal_ids @> ${[ancestorId]}`)
    .where('namespaces.id', '<>', ancestorId)
