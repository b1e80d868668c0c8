/** Reads of namespaces: groups and personal namespaces as the containers of projects. */

import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { type Actor, isAdmin } from '../../platform/access/actor.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import { groupRole, isOwnGroup } from '../../platform/access/visible.ts'
import type { Db } from '../../platform/db/connection.ts'
import { containing } from '../../platform/db/statements/like.ts'
import { isNumericId } from '../groups/queries.ts'

/** Namespaces with their full path and the actor's role in each. */
const namespaces = (db: Db, actor: Actor) =>
  db
    .selectFrom('namespaces')
    .leftJoin('routes', 'routes.namespace_id', 'namespaces.id')
    .select(({ ref }) => [
      'namespaces.id',
      'namespaces.kind',
      'namespaces.name',
      'namespaces.path',
      'namespaces.parent_id',
      'namespaces.avatar_url',
      'namespaces.owner_id',
      'namespaces.traversal_ids',
      ref('routes.path').$notNull().as('full_path'),
    ])
    .select(groupRole(actor).as('role'))
    .where('namespaces.deleting', '=', false)

export type NamespaceRow = Awaited<ReturnType<ReturnType<typeof namespaces>['executeTakeFirstOrThrow']>>

/** The namespaces of the actor: their personal one and their groups; for administrators all. */
function ownNamespaces(db: Db, actor: Actor) {
  const query = namespaces(db, actor)
  if (isAdmin(actor)) return query
  const userId = actor.user?.id
  if (userId === undefined) return query.where(sql<boolean>`false`)
  return query.where(({ or, eb, and }) =>
    or([eb('namespaces.owner_id', '=', userId), and([eb('namespaces.kind', '=', 'group'), isOwnGroup(userId) as RawBuilder<boolean>])]),
  )
}

/** Filters of the list of namespaces. */
export interface NamespaceFilters {
  search?: string | undefined
  owned_only?: boolean | undefined
}

/** The namespaces of the actor. `owned_only`: those they own, for administrators too. */
export function namespacesMatching(db: Db, actor: Actor, { search, owned_only }: NamespaceFilters) {
  let query = ownNamespaces(db, actor)
  if (owned_only) query = query.where(sql<boolean>`${groupRole(actor)} >= ${roles.owner}`)
  if (search) {
    const like = containing(search)
    query = query.where(({ or, eb }) => or([eb('namespaces.name', 'ilike', like), eb('namespaces.path', 'ilike', like)]))
  }
  return query.orderBy('namespaces.id')
}

/** The namespace of the actor with this id or full path. */
export const ownNamespace = (db: Db, actor: Actor, id: string) =>
  ownNamespaces(db, actor)
    .where(isNumericId(id) ? sql<boolean>`namespaces.id = ${Number(id)}` : sql<boolean>`lower(routes.path) = lower(${id})`)
    .executeTakeFirst()

/** The number of members of a group's tree. */
export interface MemberCounts {
  readonly members: number
  /** Without bots, members with minimal access and inactive users. */
  readonly billable: number
}

/** The member counts of these groups: one statement for a page. */
export async function memberCountsOf(db: Db, groupIds: readonly number[]): Promise<Map<number, MemberCounts>> {
  if (groupIds.length === 0) return new Map()
  const { rows } = await sql<MemberCounts & { id: number }>`
    select top.id, count(distinct m.user_id)::int as members,
           count(distinct m.user_id) filter (where u.kind = 'human' and u.state = 'active' and m.access_level > ${roles.minimal})::int as billable
      from unnest(${groupIds}::bigint[]) top(id)
      join namespaces below on below.traversal_ids @> array[top.id]
      left join projects p on p.namespace_id = below.id
      join members m on m.namespace_id = below.id or m.project_id = p.id
      join users u on u.id = m.user_id
     where ${isCurrentMembership()}
     group by top.id`.execute(db)
  return new Map(rows.map(row => [row.id, row]))
}

/** The paths among these that are taken below a namespace, or at the top; in lower case. */
export async function takenPaths(db: Db, paths: readonly string[], parentId: number | undefined): Promise<Set<string>> {
  const above = parentId === undefined ? '' : sql`(select path || '/' from routes where namespace_id = ${parentId})`
  const { rows } = await sql<{ path: string }>`
    select wanted.path from unnest(${paths.map(path => path.toLowerCase())}::text[]) wanted(path)
     where exists (select from routes where lower(routes.path) = lower(${above} || wanted.path) and routes.namespace_id is not null)`.execute(
    db,
  )
  return new Set(rows.map(row => row.path))
}
