/** Members of one project as members of another. */

import { type Role, roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { assertNotLocked, ensureMembers } from './commands.ts'
import { inheritedLevels, type MemberPlace, membersOf } from './queries.ts'

/**
 * Makes the direct members of a project members of another with the same roles and ends. Who is a member there already, or has a higher role by
 * a group, keeps what they have; bots of tokens stay with their project; nobody gets a higher role than the caller's own. A fixed number of statements, however many they are.
 * @param source as the caller sees it
 * @returns how many were added
 */
export async function importMembers(ctx: Context, place: MemberPlace, source: MemberPlace): Promise<number> {
  await assertNotLocked(ctx.db, place.key)
  const members = await membersOf(ctx.db, source).where('users.kind', '=', 'human').where('users.state', '=', 'active').execute()
  const highest = Math.min(isAdmin(ctx.actor) ? roles.maintainer : place.role, roles.maintainer)
  const inherited = await inheritedLevels(
    ctx.db,
    place,
    members.map(({ id }) => id),
  )
  const wanted = members
    .map(({ id, access_level, expires_at }) => ({ user_id: id, access_level: Math.min(access_level, highest) as Role, expires_at }))
    .filter(({ user_id, access_level }) => (inherited.get(user_id) ?? 0) <= access_level)
  return (await ensureMembers(ctx, place.key, wanted)).length
}
