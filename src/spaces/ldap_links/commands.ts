/** Writes of the links of groups to directories. The people of a directory are asked for again after each, in the background. */

import { directoryNamed } from '../../identity/ldap/directories.ts'
import { assertFilter, LdapOptionsInvalid } from '../../identity/ldap/filter.ts'
import { queueDirectoryCheck } from '../../identity/ldap/presence.ts'
import type { Role } from '../../platform/access/abilities.ts'
import { uniqueViolation } from '../../platform/db/errors.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, invalid, notFound } from '../../platform/kernel/errors.ts'
import { limitLinkedMembers } from '../members/provided.ts'
import { filtersOfDirectory, type LdapLinkRow, type LinkName, linksNamed, linksOf } from './queries.ts'

/** Links of one group. */
const MOST = 100

/** Different filters of one directory: it is asked for each of them whenever one of its people signs in. */
const MOST_FILTERS = 100

/** Links a group to a directory; 400 where the directory is unknown or the filter is none, 409 where there is such a link. */
export async function addLink(
  ctx: Context,
  groupId: number,
  { cn, filter, provider, group_access }: LinkName & { readonly provider: string; readonly group_access: number },
): Promise<LdapLinkRow> {
  const { db, deps, now } = ctx
  if (!directoryNamed(deps.config, provider)) throw invalid({ provider: ['is not a directory of this instance'] })
  // Of requests at the same time the later ones wait, and count the others: those of a directory before those of a group.
  await lockName(db, 'filters of a directory', provider)
  await db.selectFrom('namespaces').select('id').where('id', '=', groupId).forNoKeyUpdate().execute()
  if (filter !== undefined) await assertNewFilter(ctx, provider, filter)
  if ((await linksOf(db, groupId).limit(MOST).execute()).length >= MOST)
    throw invalid({ base: [`Maximum number of LDAP group links (${MOST}) exceeded`] })
  const made = await db
    .insertInto('ldap_group_links')
    .values({ namespace_id: groupId, provider, cn: cn ?? null, filter: filter ?? null, access_level: group_access, created_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : conflict(`${cn === undefined ? 'Filter' : 'Cn'} has already been taken`)
    })
  await recordEvent(ctx, { kind: 'ldap_link.created', payload: { id: made.id, name: nameOf(made) }, namespaceId: groupId })
  await queueDirectoryCheck(db, provider)
  return made
}

async function assertNewFilter({ db }: Context, provider: string, filter: string): Promise<void> {
  try {
    assertFilter(filter)
  } catch (error) {
    if (error instanceof LdapOptionsInvalid) throw invalid({ filter: ['is invalid'] })
    throw error
  }
  const filters = await filtersOfDirectory(db, provider)
  if (filters.length >= MOST_FILTERS && !filters.includes(filter))
    throw invalid({ base: [`Maximum number of filters of a directory (${MOST_FILTERS}) exceeded`] })
}

const nameOf = ({ provider, cn, filter }: LdapLinkRow): string => `${provider}: ${cn ?? filter}`

/** Ends the links of these names; 404 where there is none. */
export async function removeLinks(ctx: Context, groupId: number, name: LinkName): Promise<void> {
  const found = await linksNamed(ctx.db, groupId, name).execute()
  if (found.length === 0) throw notFound('Linked LDAP Group')
  for (const link of found) await removeLink(ctx, link)
}

/**
 * Ends a link. Those who are members by it are members until the directory was asked; where the file of providers has it no more, they lose now what
 * the link gave.
 */
export async function removeLink(ctx: Context, link: LdapLinkRow): Promise<void> {
  await ctx.db.deleteFrom('ldap_group_links').where('id', '=', link.id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'ldap_link.deleted', payload: { id: link.id, name: nameOf(link) }, namespaceId: link.namespace_id })
  if (directoryNamed(ctx.deps.config, link.provider)) return queueDirectoryCheck(ctx.db, link.provider)
  const left = await linksNamed(ctx.db, link.namespace_id, { provider: link.provider }).execute()
  const highest = left.length === 0 ? undefined : (Math.max(...left.map(({ access_level }) => access_level)) as Role)
  await limitLinkedMembers(ctx, link.namespace_id, link.provider, highest)
}

/** Has the directories asked that a group is linked to. */
export async function syncLinks({ db }: Context, groupId: number): Promise<void> {
  const found = await linksOf(db, groupId).execute()
  for (const provider of new Set(found.map(link => link.provider))) await queueDirectoryCheck(db, provider)
}
