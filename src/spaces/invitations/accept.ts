/** Accepts the invitations to an email address when a user has confirmed it. */
import { sql } from 'kysely'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import type { Role } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { ensureMember, isMembershipLocked } from '../members/commands.ts'

/**
 * Turns the invitations to a confirmed address into memberships of its user. Expired invitations, those of accounts that are
 * not active now, and those to projects that take no members give nothing, and an existing membership stays as it is.
 */
export async function acceptInvitations(ctx: Context, userId: number, email: string): Promise<void> {
  const invitations = await ctx.db
    .deleteFrom('invitations')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .returning(['namespace_id', 'project_id', 'access_level', 'expires_at', 'created_by_id'])
    .execute()
  const inviters = await usersById(ctx.db, idsOf(invitations, 'created_by_id'))
  const today = ctx.now.toISOString().slice(0, 10)
  for (const { namespace_id, project_id, access_level, expires_at, created_by_id } of invitations) {
    if (expires_at !== null && expires_at <= today) continue
    // What an account that is not active left behind gives nothing. Of a deleted one the row keeps no name.
    if (created_by_id !== null && inviters.get(created_by_id)?.state !== 'active') continue
    const place = namespace_id === null ? { project_id: project_id as number } : { namespace_id }
    if (await isMembershipLocked(ctx.db, place)) continue
    await ensureMember(ctx, place, { user_id: userId, access_level: access_level as Role, expires_at })
  }
}
