/** Members of one project as members of another. */

import { roles } from '../../platform/access/abilities.ts'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { assertNotLocked, ensureMember, whyNotAdded } from './commands.ts'
import { type MemberPlace, membersOf } from './queries.ts'

/**
 * Makes the direct members of a project members of another with the same roles and ends. Who is a member there already, or has a higher role by
 * a group, keeps what they have; bots of tokens stay with their project; nobody gets a higher role than the caller's own.
 * @param source as the caller sees it
 * @returns how many were added
 */
export async function importMembers(ctx: Context, place: MemberPlace, source: MemberPlace): Promise<number> {
  await assertNotLocked(ctx.db, place.key)
  const members = await membersOf(ctx.db, source).where('users.kind', '=', 'human').where('users.state', '=', 'active').execute()
  const highest = isAdmin(ctx.actor) ? roles.maintainer : place.role
  let added = 0
  for (const { id, access_level, expires_at } of members) {
    const terms = { access_level: Math.min(access_level, highest, roles.maintainer) as typeof highest, expires_at }
    if (await whyNotAdded(ctx, place, id, terms)) continue
    if (await ensureMember(ctx, place.key, { ...terms, user_id: id })) added += 1
  }
  return added
}
