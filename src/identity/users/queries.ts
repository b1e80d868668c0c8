/** Reads of users. */

import { sql } from 'kysely'
import { isCurrentMembership } from '../../platform/access/memberships.ts'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'
import { compiled } from '../../platform/db/statements/compiled.ts'
import { containing } from '../../platform/db/statements/like.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { hasCustomAttributes } from '../custom_attributes/queries.ts'
import type { UserState } from './states.ts'

/** The columns of a user summary. */
export type SummaryRow = Pick<UserRow, 'id' | 'name' | 'username' | 'state' | 'avatar_url'>

/** The columns of an extended user. */
export type ExtendedRow = SummaryRow &
  Pick<UserRow, 'created_at' | 'bio' | 'location' | 'public_email' | 'skype' | 'linkedin' | 'twitter' | 'website_url' | 'organization'>

/** Users with the id of their personal namespace, and their address of commits that takes no mail. */
export const users = (db: Db) =>
  db
    .selectFrom('users')
    .leftJoin('namespaces', 'namespaces.owner_id', 'users.id')
    .selectAll('users')
    .select(['namespaces.id as namespace_id', sql<string>`private_commit_email(users.id, users.username)`.as('private_email')])

export type UserRow = Awaited<ReturnType<ReturnType<typeof users>['executeTakeFirstOrThrow']>>

/** The columns of a user summary. */
export const summaryColumns = ['users.id', 'users.name', 'users.username', 'users.state', 'users.avatar_url'] as const

/** The user with this id. */
export const userById = async (db: Db, id: number): Promise<UserRow | undefined> => (await withId(db, id))[0]

const withId = compiled((db, id: number) => users(db).where('users.id', '=', id))

/** The user with this id, with their identities at providers: what their own answer shows, in one statement. */
export const userWithIdentities = async (db: Db, id: number): Promise<(UserRow & { readonly identities: IdentityRow[] }) | undefined> =>
  (await withIdentities(db, id))[0]

const withIdentities = compiled((db, id: number) =>
  users(db)
    .select(
      sql<
        IdentityRow[]
      >`(select coalesce(json_agg(json_build_object('user_id', i.user_id, 'provider', i.provider, 'extern_uid', i.extern_uid,
          'saml_provider_id', i.saml_provider_id) order by i.id), '[]') from identities i where i.user_id = users.id)`.as('identities'),
    )
    .where('users.id', '=', id),
)

/** The user with this username, in any case. */
export const userByUsername = (db: Db, username: string) =>
  users(db).where(sql`lower(users.username)`, '=', username.toLowerCase()).executeTakeFirst()

/** The ids of the users with these usernames, in any case; names that nobody has are left out. */
export async function idsByUsername(db: Db, usernames: readonly string[]): Promise<number[]> {
  const names = usernames.map(name => name.toLowerCase())
  const rows = await db.selectFrom('users').select('id').where(sql`lower(username)`, '=', anyOf(names)).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** The user who signs in under this username or primary email, in any case: the one who has confirmed it. A username has no `@`. */
export const userByLogin = (db: Db, login: string) =>
  login.includes('@')
    ? users(db)
        .where(sql`lower(users.email)`, '=', login.toLowerCase())
        .orderBy(sql`users.confirmed_at is null`)
        .orderBy('users.id')
        .limit(1)
        .executeTakeFirst()
    : userByUsername(db, login)

/** Summaries by id, for the presenters of other resources: one statement for a page. */
export async function usersById(db: Db, ids: readonly number[]): Promise<Map<number, SummaryRow>> {
  if (ids.length === 0) return new Map()
  const rows = await summariesOf(db, ids)
  return new Map(rows.map(row => [row.id, row]))
}

/** The same; the caller's own row is known and not queried again. */
export async function peopleById(
  { db, actor: { user } }: Pick<Context, 'db' | 'actor'>,
  ids: readonly number[],
): Promise<Map<number, SummaryRow>> {
  const others = ids.filter(id => id !== user?.id)
  const people = await usersById(db, others)
  return user && others.length < ids.length ? people.set(user.id, user) : people
}

const summariesOf = compiled((db, ids: readonly number[]) =>
  db.selectFrom('users').select(summaryColumns).where('users.id', '=', anyOf(ids)),
)

/** The same with the fields of extended users. */
export async function extendedUsersById(db: Db, ids: readonly number[]): Promise<Map<number, ExtendedRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select([
      ...summaryColumns,
      'users.created_at',
      'users.bio',
      'users.location',
      'users.public_email',
      'users.skype',
      'users.linkedin',
      'users.twitter',
      'users.website_url',
      'users.organization',
    ])
    .where('users.id', '=', anyOf(ids))
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The distinct ids that `rows` hold in `column`, without nulls. */
export const idsOf = <C extends string, Row extends Readonly<Record<C, number | null>>>(rows: readonly Row[], column: C): number[] => [
  ...new Set(rows.map(row => row[column]).filter(id => id !== null)),
]

/** The user who is this at a provider. */
export const userByIdentity = (db: Db, { provider, extern_uid }: { readonly provider: string; readonly extern_uid: string }) =>
  users(db)
    .where('users.id', '=', eb =>
      eb.selectFrom('identities').select('user_id').where('provider', '=', provider).where('extern_uid', '=', extern_uid),
    )
    .executeTakeFirst()

export type IdentityRow = { user_id: number; provider: string; extern_uid: string; saml_provider_id: number | null }

/** The identities of these users at providers. */
export async function identitiesOf(db: Db, userIds: readonly number[]): Promise<Map<number, IdentityRow[]>> {
  return Map.groupBy(await identityRows(db, userIds), row => row.user_id)
}

const identityRows = compiled((db, userIds: readonly number[]) =>
  db
    .selectFrom('identities')
    .select(['user_id', 'provider', 'extern_uid', 'saml_provider_id'])
    .where('user_id', '=', anyOf(userIds))
    .orderBy('id'),
)

/** When a user was last active. */
export interface ActivityRow {
  readonly username: string
  readonly last_activity_on: string
}

/** Users who were active on or after `day`, the longest absent first. */
export const activitiesSince = (db: Db, day: string) =>
  db
    .selectFrom('users')
    .select(({ ref }) => ['username', ref('last_activity_on').$notNull().as('last_activity_on')])
    .where('last_activity_on', '>=', day)
    .orderBy('last_activity_on')
    .orderBy('id')

/** Filters of the users list (users API, 14.0). */
export interface UserFilters {
  state?: UserState | undefined
  search?: string | undefined
  username?: string | undefined
  active?: boolean | undefined
  blocked?: boolean | undefined
  external?: boolean | undefined
  admins?: boolean | undefined
  exclude_internal?: boolean | undefined
  without_projects?: boolean | undefined
  two_factor?: 'enabled' | 'disabled' | undefined
  created_after?: string | undefined
  created_before?: string | undefined
  extern_uid?: string | undefined
  provider?: string | undefined
  order_by?: 'id' | 'name' | 'username' | 'created_at' | 'updated_at' | undefined
  sort?: 'asc' | 'desc' | undefined
  skip_ldap?: boolean | undefined
  custom_attributes?: Readonly<Record<string, string>> | undefined
}

/**
 * The users list. A search matches a part of name or username, or a whole email address (a part of it for administrators). Any account may wait with an
 * address of another person: for those who look for its owner only a confirmed one counts.
 * @param forAdmin administrators may search by parts of emails
 */
export function usersMatching(db: Db, filters: UserFilters, forAdmin: boolean) {
  const { search, order_by = 'id', sort = 'desc' } = filters
  let query = users(db)
  if (search !== undefined) {
    const like = containing(search)
    query = query.where(({ or, and, eb }) =>
      or([
        eb('users.name', 'ilike', like),
        eb('users.username', 'ilike', like),
        forAdmin
          ? eb('users.email', 'ilike', like)
          : and([eb(sql`lower(users.email)`, '=', search.toLowerCase()), eb('users.confirmed_at', 'is not', null)]),
      ]),
    )
  }
  if (filters.username !== undefined) query = query.where(sql`lower(users.username)`, '=', filters.username.toLowerCase())
  if (filters.state !== undefined) query = query.where('users.state', '=', filters.state)
  if (filters.active) query = query.where('users.state', '=', 'active')
  if (filters.blocked) query = query.where('users.state', '=', 'blocked')
  if (filters.external !== undefined) query = query.where('users.external', '=', filters.external)
  if (filters.admins) query = query.where('users.admin', '=', true)
  if (filters.exclude_internal) query = query.where('users.kind', '<>', 'ghost')
  if (filters.two_factor !== undefined) query = query.where('users.two_factor_enabled', '=', filters.two_factor === 'enabled')
  if (filters.without_projects)
    query = query.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('members')
            .select('members.id')
            .whereRef('members.user_id', '=', 'users.id')
            .where('members.project_id', 'is not', null)
            .where(isCurrentMembership('members')),
        ),
      ),
    )
  if (filters.created_after) query = query.where('users.created_at', '>=', filters.created_after)
  if (filters.created_before) query = query.where('users.created_at', '<=', filters.created_before)
  if (filters.extern_uid !== undefined && filters.provider !== undefined) {
    const { extern_uid, provider } = filters
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('identities')
          .select('identities.id')
          .whereRef('identities.user_id', '=', 'users.id')
          .where('identities.provider', '=', provider)
          .where('identities.extern_uid', '=', extern_uid),
      ),
    )
  }
  if (filters.custom_attributes) query = query.where(hasCustomAttributes('users', filters.custom_attributes))
  return query.orderBy(`users.${order_by}`, sort).orderBy('users.id', sort)
}
