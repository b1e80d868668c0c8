/** The users that a text mentions: by username, or as members of a group or, with `@all`, of the text's own place. */
import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../platform/access/abilities.ts'
import { groupVisibleTo } from '../../platform/access/visible.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { allMembersOf, type MemberPlace } from '../../spaces/members/queries.ts'
import type { Reference } from '../markdown/references.ts'

/** A user with the name that the text used. */
export interface Named {
  readonly id: number
  readonly as: string
}

/** Upper bound of the members of one group that a mention notifies. */
const MOST_MEMBERS = 1_000
/** Upper bound of the groups that one text mentions. */
const MOST_GROUPS = 10

/** All users that these references name, with duplicates. */
export async function peopleNamed(ctx: Context, place: Omit<MemberPlace, 'role'>, references: readonly Reference[]): Promise<Named[]> {
  const names = [...new Set(references.filter(({ kind }) => kind === 'user').map(({ name }) => name.toLowerCase()))]
  if (names.length === 0) return []
  const { db, actor } = ctx
  const users = await db.selectFrom('users').select(['id', 'username']).where(sql<boolean>`lower(username) = any(${names})`).execute()
  const groups = await db
    .selectFrom('namespaces')
    .innerJoin('routes', 'routes.namespace_id', 'namespaces.id')
    .select(['namespaces.id', 'namespaces.traversal_ids', 'routes.path'])
    .where('namespaces.kind', '=', 'group')
    .where('namespaces.mentions_disabled', 'is not', true)
    .where(sql<boolean>`lower(routes.path) = any(${names})`)
    .where(groupVisibleTo(actor) as RawBuilder<boolean>)
    .orderBy('namespaces.id')
    .limit(MOST_GROUPS)
    .execute()
  const members = async (as: string, of: Omit<MemberPlace, 'role'>): Promise<Named[]> => {
    const rows = await allMembersOf(db, { ...of, role: roles.none })
      .limit(MOST_MEMBERS)
      .execute()
    return rows.map(({ id }) => ({ id, as }))
  }
  const found: Named[] = users.map(({ id, username }) => ({ id, as: username }))
  for (const { id, traversal_ids, path } of groups)
    found.push(...(await members(path, { key: { namespace_id: id }, above: traversal_ids, ownerId: null })))
  if (names.includes('all')) found.push(...(await members('all', place)))
  return found
}
