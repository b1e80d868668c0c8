/** Who counts as a member of a group's whole tree: of the group, of groups below it, of their projects, or by a share with one of these. */
import { type RawBuilder, sql } from 'kysely'
import { type SummaryRow, summaryColumns } from '../../identity/users/queries.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'
import { containing } from '../../platform/db/statements/like.ts'

/** How a user came into the tree, and whether they can be removed from it: not those whom a share brought. */
export const membershipTypes = ['group_member', 'project_member', 'group_invite', 'project_invite'] as const
export type MembershipType = (typeof membershipTypes)[number]

/** A user who counts. */
export interface BillableRow extends SummaryRow {
  readonly last_activity_on: string | null
  readonly membership_type: MembershipType
  readonly removable: boolean
}

const orders = {
  access_level_asc: sql`reached.access_level`,
  access_level_desc: sql`reached.access_level desc`,
  last_joined: sql`reached.joined desc`,
  oldest_joined: sql`reached.joined`,
  name_asc: sql`lower(users.name)`,
  name_desc: sql`lower(users.name) desc`,
  oldest_sign_in: sql`users.current_sign_in_at nulls first`,
  recent_sign_in: sql`users.current_sign_in_at desc nulls last`,
  last_activity_on_asc: sql`users.last_activity_on nulls first`,
  last_activity_on_desc: sql`users.last_activity_on desc nulls last`,
} as const

export const billableOrders = Object.keys(orders) as [keyof typeof orders, ...(keyof typeof orders)[]]

/** Does the membership `m` belong to the tree of a group? */
const isInTree = (groupId: number): RawBuilder<boolean> => sql<boolean>`(
  m.namespace_id in (select tree.id from namespaces tree where tree.traversal_ids @> ${[groupId]}::bigint[])
  or m.project_id in (select inside.id from projects inside join namespaces home on home.id = inside.namespace_id
                       where home.traversal_ids @> ${[groupId]}::bigint[]))`

/** The people with an active account who count in a group, each once. */
export function billableMembersOf(
  db: Db,
  groupId: number,
  { search, sort, user_id }: { search?: string | undefined; sort?: keyof typeof orders | undefined; user_id?: number },
) {
  const reached = db
    .selectFrom('memberships as m')
    .where(isCurrentMembership())
    .where(isInTree(groupId))
    .select([
      'm.user_id',
      sql<number>`max(m.access_level)`.as('access_level'),
      sql<string>`min(m.created_at)`.as('joined'),
      sql<boolean>`bool_or(m.share_id is null)`.as('removable'),
      sql<MembershipType>`case when bool_or(m.share_id is null and m.namespace_id is not null) then 'group_member'
                               when bool_or(m.share_id is null) then 'project_member'
                               when bool_or(m.namespace_id is not null) then 'group_invite'
                               else 'project_invite' end`.as('membership_type'),
    ])
    .groupBy('m.user_id')
  let query = db
    .selectFrom('users')
    .innerJoin(reached.as('reached'), 'reached.user_id', 'users.id')
    .where('users.state', '=', 'active')
    .where('users.kind', '=', 'human')
    .select([...summaryColumns, 'users.last_activity_on', 'reached.membership_type', 'reached.removable'])
  if (user_id !== undefined) query = query.where('users.id', '=', user_id)
  if (search) {
    const like = containing(search)
    // Whole addresses alone: a part of one would let an owner find out the addresses of others.
    query = query.where(({ or, eb }) =>
      or([eb('users.name', 'ilike', like), eb('users.username', 'ilike', like), eb(sql`lower(users.email)`, '=', search.toLowerCase())]),
    )
  }
  return (sort ? query.orderBy(orders[sort]) : query).orderBy('users.id')
}

/** The direct memberships of a user in the tree of a group, in the order of their creation. */
export const membershipsInTree = (db: Db, groupId: number, userId: number) =>
  db
    .selectFrom('members as m')
    .leftJoin('routes as group_route', 'group_route.namespace_id', 'm.namespace_id')
    .leftJoin('routes as project_route', 'project_route.project_id', 'm.project_id')
    .where(isCurrentMembership())
    .where('m.user_id', '=', userId)
    .where(isInTree(groupId))
    .select(['m.id', 'm.namespace_id', 'm.project_id', 'm.access_level', 'm.created_at', 'm.expires_at'])
    .select([
      sql<string>`coalesce(project_route.name, group_route.name)`.as('full_name'),
      sql<string>`coalesce(project_route.path, group_route.path)`.as('full_path'),
    ])
    .orderBy('m.id')

export type TreeMembershipRow = Awaited<ReturnType<ReturnType<typeof membershipsInTree>['executeTakeFirstOrThrow']>>
