/** Reads of memberships, for groups and projects. An expired membership does not count: every read here omits it. */

import { type NotNull, type RawBuilder, sql } from 'kysely'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { summaryColumns } from '../../identity/users/queries.ts'
import { type Role, roles } from '../../platform/access/abilities.ts'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Place } from '../../platform/access/places.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { containing } from '../../platform/db/statements/like.ts'

/** A group or project with the facts that memberships in it depend on. */
export interface MemberPlace {
  readonly key: Place
  /** The ancestor groups, outermost first: their members are members here too. */
  readonly above: readonly number[]
  /** The user whose personal namespace contains the project; null for groups. */
  readonly ownerId: number | null
  /** The caller's role here. */
  readonly role: Role
}

/** A member: the user's summary, `id` included, and the membership. */
export interface MemberRow extends SummaryRow {
  readonly access_level: number
  readonly expires_at: string | null
  readonly created_at: string
}

/** Filters of lists of members. */
export interface MemberFilters {
  query?: string | undefined
  user_ids?: number[] | undefined
  skip_users?: number[] | undefined
}

const columns = [...summaryColumns, 'members.access_level', 'members.expires_at', 'members.created_at'] as const

const members = (db: Db) => db.selectFrom('members').innerJoin('users', 'users.id', 'members.user_id').where(isCurrentMembership('members'))

/** Does the user `users` match the filters? */
function isAskedFor({ query, user_ids, skip_users }: MemberFilters): RawBuilder<boolean> {
  const like = query ? containing(query) : undefined
  const conditions = [
    sql`true`,
    ...(like === undefined ? [] : [sql`(users.name ilike ${like} or users.username ilike ${like})`]),
    ...(user_ids?.length ? [sql`users.id = ${anyOf(user_ids)}`] : []),
    ...(skip_users?.length ? [sql`not users.id = ${anyOf(skip_users)}`] : []),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** The members of a group or project itself. */
export const membersOf = (db: Db, place: MemberPlace, filters: MemberFilters = {}) =>
  members(db).where(isAskedFor(filters)).where(isIn(place.key)).select(columns).orderBy('users.id')

/**
 * The members of a group or project, of its ancestor groups, and of the groups that one of these is shared with; each user once, with their
 * highest level.
 */
export const allMembersOf = (db: Db, place: MemberPlace, filters: MemberFilters = {}) =>
  db
    .selectFrom('memberships as members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where(isCurrentMembership('members'))
    .where(isAskedFor(filters))
    .where(({ or }) => or([isIn(place.key), sql<boolean>`members.namespace_id = any(${place.above})`]))
    .select(columns)
    .$narrowType<{ access_level: NotNull; created_at: NotNull }>()
    .distinctOn('users.id')
    .orderBy('users.id')
    .orderBy('members.access_level', 'desc')

const isIn = (key: Place): RawBuilder<boolean> =>
  'project_id' in key ? sql<boolean>`members.project_id = ${key.project_id}` : sql<boolean>`members.namespace_id = ${key.namespace_id}`

/**
 * The highest inherited level of a user, with the name of the group that gives it.
 * @param isPermanent leaves out memberships with an expiry
 */
export const inheritedLevel = (db: Db, place: MemberPlace, userId: number, isPermanent = false) =>
  members(db)
    .$if(isPermanent, query => query.where('members.expires_at', 'is', null))
    .innerJoin('namespaces', 'namespaces.id', 'members.namespace_id')
    .where(sql<boolean>`members.namespace_id = any(${place.above})`)
    .where('members.user_id', '=', userId)
    .select(['members.access_level', 'namespaces.name as group_name'])
    .orderBy('members.access_level', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The highest inherited level of each of these users who has one: one statement. */
export async function inheritedLevels(db: Db, place: MemberPlace, userIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await members(db)
    .where(sql<boolean>`members.namespace_id = any(${place.above})`)
    .where('members.user_id', '=', anyOf(userIds))
    .select(['members.user_id', ({ fn }) => fn.max('members.access_level').as('level')])
    .groupBy('members.user_id')
    .execute()
  return new Map(rows.map(({ user_id, level }) => [user_id, level]))
}

/** Does the place have another active owner, here or in an ancestor group? */
export async function hasOtherOwner(db: Db, place: MemberPlace, userId: number): Promise<boolean> {
  const other = await members(db)
    .where(({ or }) => or([isIn(place.key), sql<boolean>`members.namespace_id = any(${place.above})`]))
    .where('members.access_level', '=', roles.owner)
    .where('members.user_id', '<>', userId)
    .where('users.state', '=', 'active')
    .select('members.id')
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** The groups of which a user is the only owner, with inherited owners counted. */
export const solelyOwnedGroupIds = (db: Db, userId: number) =>
  members(db)
    .innerJoin('namespaces', 'namespaces.id', 'members.namespace_id')
    .where('members.user_id', '=', userId)
    .where('members.access_level', '=', roles.owner)
    .where(
      sql<boolean>`not exists (
        select from members others
         where others.namespace_id = any(namespaces.traversal_ids) and others.user_id <> ${userId} and others.access_level = ${roles.owner}
           and ${isCurrentMembership('others')})`,
    )
    .select('namespaces.id')

/** One membership of a user in any place. */
export interface MembershipRow {
  readonly source_id: number
  readonly source_name: string
  readonly source_type: 'Project' | 'Namespace'
  readonly access_level: number
}

/** The direct memberships of a user, in the order of their creation. */
export const membershipsOfUser = (db: Db, userId: number, type: MembershipRow['source_type'] | undefined) =>
  db
    .selectFrom('members')
    .leftJoin('projects', 'projects.id', 'members.project_id')
    .leftJoin('namespaces', 'namespaces.id', 'members.namespace_id')
    .where(isCurrentMembership('members'))
    .where('members.user_id', '=', userId)
    .$if(type === 'Project', query => query.where('members.project_id', 'is not', null))
    .$if(type === 'Namespace', query => query.where('members.namespace_id', 'is not', null))
    .select(({ fn, ref }) => [
      fn.coalesce('members.project_id', 'members.namespace_id').$castTo<number>().as('source_id'),
      fn.coalesce('projects.name', 'namespaces.name').$castTo<string>().as('source_name'),
      sql<MembershipRow['source_type']>`case when ${ref('members.project_id')} is null then 'Namespace' else 'Project' end`.as(
        'source_type',
      ),
      'members.access_level',
    ])
    .orderBy('members.id')
