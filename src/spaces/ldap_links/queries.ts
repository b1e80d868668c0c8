/** Reads of the links of groups to directories. */
import { sql } from 'kysely'
import type { ProviderMembership } from '../../identity/providers/roles.ts'
import type { Role } from '../../platform/access/abilities.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { tierCovers } from '../../platform/kernel/declaration/types.ts'

const links = (db: Db) => db.selectFrom('ldap_group_links').selectAll()

export type LdapLinkRow = Awaited<ReturnType<ReturnType<typeof links>['executeTakeFirstOrThrow']>>

/** The links of a group, oldest first. */
export const linksOf = (db: Db, groupId: number) => links(db).where('namespace_id', '=', groupId).orderBy('id')

/** The link of a group with this id. */
export const linkById = (db: Db, groupId: number, id: number) => linksOf(db, groupId).where('id', '=', id).executeTakeFirst()

/** How a caller names a link: by the group of the directory, or by the filter; of any directory unless one is named. */
export interface LinkName {
  readonly cn?: string | undefined
  readonly filter?: string | undefined
  readonly provider?: string | undefined
}

/** The links of a group that are named so. */
export function linksNamed(db: Db, groupId: number, { cn, filter, provider }: LinkName) {
  let query = linksOf(db, groupId)
  if (cn !== undefined) query = query.where(sql<boolean>`lower(cn) = lower(${cn})`)
  if (filter !== undefined) query = query.where('filter', '=', filter)
  if (provider !== undefined) query = query.where('provider', '=', provider)
  return query
}

/** The filters of all links to a directory. */
export async function filtersOfDirectory(db: Db, provider: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('ldap_group_links')
    .select('filter')
    .distinct()
    .where('provider', '=', provider)
    .where('filter', 'is not', null)
    .orderBy('filter')
    .execute()
  return rows.flatMap(({ filter }) => filter ?? [])
}

/** The levels that links give a person of a directory, by group: the highest one counts. */
export async function linkedLevels(
  { db, tier }: Pick<Context, 'db' | 'tier'>,
  { provider, groups, filters }: ProviderMembership,
): Promise<Map<number, Role>> {
  if (!tierCovers(tier, 'premium')) return new Map()
  const rows = await db
    .selectFrom('ldap_group_links')
    .select(({ fn }) => ['namespace_id', fn.max('access_level').as('access_level')])
    .where('provider', '=', provider)
    .where(sql<boolean>`(lower(cn) = any(${groups.map(name => name.toLowerCase())}::text[]) or filter = any(${[...filters]}::text[]))`)
    .groupBy('namespace_id')
    .orderBy('namespace_id')
    .execute()
  return new Map(rows.map(({ namespace_id, access_level }) => [namespace_id, access_level as Role]))
}
