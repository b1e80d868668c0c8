/** Reads of the users whom a group's identity provider has added. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { Wanted } from './protocol/filter.ts'

/** A group as SCIM addresses it, with the settings of the top-level group's token. */
const scimGroups = (db: Db) =>
  db
    .selectFrom('namespaces')
    .innerJoin('routes', 'routes.namespace_id', 'namespaces.id')
    .innerJoin('scim_tokens', join => join.on('scim_tokens.group_id', '=', sql<number>`namespaces.traversal_ids[1]`))
    .where('namespaces.kind', '=', 'group')
    .select([
      'namespaces.id',
      'namespaces.traversal_ids',
      'routes.path as full_path',
      'scim_tokens.default_membership_role',
      'scim_tokens.enabled_by_admin',
    ])

export type ScimGroup = Awaited<ReturnType<ReturnType<typeof scimGroups>['executeTakeFirstOrThrow']>>

/** The group with this full path, in any case, if it is the top-level group or below it. */
export const scimGroupByPath = (db: Db, topGroupId: number, path: string) =>
  scimGroups(db).where('scim_tokens.group_id', '=', topGroupId).where(sql`lower(routes.path)`, '=', path.toLowerCase()).executeTakeFirst()

/** The identities of a group with their accounts. */
const scimUsers = (db: Db, groupId: number) =>
  db
    .selectFrom('scim_identities')
    .innerJoin('users', 'users.id', 'scim_identities.user_id')
    .where('scim_identities.group_id', '=', groupId)
    .select([
      'scim_identities.id',
      'scim_identities.user_id',
      'scim_identities.extern_uid',
      'scim_identities.user_name',
      'scim_identities.active',
      'users.name',
      'users.username',
      'users.email',
    ])

export type ScimUserRow = Awaited<ReturnType<ReturnType<typeof scimUsers>['executeTakeFirstOrThrow']>>

/** The user whom the provider knows under this id, also an inactive one. */
export const scimUserByUid = (db: Db, groupId: number, externUid: string) =>
  scimUsers(db, groupId).where('scim_identities.extern_uid', '=', externUid).executeTakeFirst()

/** The same, locked for an update until the transaction ends. */
export const lockedScimUser = (db: Db, groupId: number, id: number) =>
  scimUsers(db, groupId).where('scim_identities.id', '=', id).forUpdate('scim_identities').executeTakeFirst()

/** The identity of an account in a group, also an inactive one. */
export const identityOfUser = (db: Db, groupId: number, userId: number) =>
  db
    .selectFrom('scim_identities')
    .select(['id', 'active'])
    .where('group_id', '=', groupId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()

/**
 * Did this group's provider create the account? The provider is that of the top-level group: after a transfer to another one, the accounts of the group's
 * people are not the new provider's.
 */
export async function isProvisionedBy(db: Db, group: ScimGroup, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('provisioned_users')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('group_id', '=', group.id)
    .where('top_group_id', '=', group.traversal_ids[0] as number)
    .executeTakeFirst()
  return row !== undefined
}

/** The requested part of a list; `offset` from 0. */
export interface Slice {
  readonly offset: number
  readonly count: number
}

/** A list, of which at most one user is returned (document 1, List rule 1), and the number of matches. */
export interface ScimPage {
  readonly total: number
  readonly users: readonly ScimUserRow[]
}

/** The active users that match, in the order of their creation; all of them without `wanted`. */
export async function scimPage(db: Db, groupId: number, wanted: Wanted | undefined, { offset, count }: Slice): Promise<ScimPage> {
  const condition = wanted ? meets(wanted, groupId) : sql<boolean>`true`
  const { total } = await db
    .selectFrom('scim_identities')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('group_id', '=', groupId)
    .where('active', '=', true)
    .where(condition)
    .executeTakeFirstOrThrow()
  if (total <= offset || count <= 0) return { total, users: [] }
  const users = await scimUsers(db, groupId)
    .where('scim_identities.active', '=', true)
    .where(condition)
    .orderBy('scim_identities.id')
    .offset(offset)
    .limit(1)
    .execute()
  return { total, users }
}

/** Subqueries that begin with an index each, whatever the number of users. */
function meets({ attribute, value }: Wanted, groupId: number): RawBuilder<boolean> {
  switch (attribute) {
    case 'id':
    case 'externalId':
      return sql<boolean>`scim_identities.extern_uid = ${value}`
    case 'emails.value':
      return sql<boolean>`scim_identities.user_id in (select id from users where lower(email) = lower(${value}))`
    // The provider looks up the name that it gave before it creates a user, and the one that it got in answers.
    case 'userName':
      return sql<boolean>`scim_identities.id in (
        select named.id from scim_identities named where named.group_id = ${groupId} and lower(named.user_name) = lower(${value})
        union all
        select owned.id from scim_identities owned join users on users.id = owned.user_id
         where owned.group_id = ${groupId} and lower(users.username) = lower(${value}))`
  }
}
