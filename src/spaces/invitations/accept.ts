/** Invitations become memberships: when a user has confirmed the invited address, and when one accepts by the link that was sent to it. */
import { sql } from 'kysely'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import type { Role } from '../../platform/access/abilities.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { conflict, notFound } from '../../platform/kernel/errors.ts'
import { ensureMember, isMembershipLocked } from '../members/commands.ts'
import type { LinkedInvitation } from './queries.ts'

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
  await admit(ctx, userId, invitations)
}

type Terms = Pick<LinkedInvitation, 'namespace_id' | 'project_id' | 'access_level' | 'expires_at' | 'created_by_id'>

/** Makes the user a member by these invitations; returns how many still count. */
async function admit(ctx: Context, userId: number, invitations: readonly Terms[]): Promise<number> {
  const inviters = await usersById(ctx.db, idsOf(invitations, 'created_by_id'))
  const today = ctx.now.toISOString().slice(0, 10)
  let admitted = 0
  for (const { namespace_id, project_id, access_level, expires_at, created_by_id } of invitations) {
    if (expires_at !== null && expires_at <= today) continue
    // What an account that is not active left behind gives nothing. Of a deleted one the row keeps no name.
    if (created_by_id !== null && inviters.get(created_by_id)?.state !== 'active') continue
    const place = namespace_id === null ? { project_id: project_id as number } : { namespace_id }
    if (await isMembershipLocked(ctx.db, place)) continue
    await ensureMember(ctx, place, { user_id: userId, access_level: access_level as Role, expires_at })
    admitted++
  }
  return admitted
}

/**
 * The caller accepts by the link, whatever the addresses of their account: only who reads the mails of the invited address has it. One of several wins.
 * @throws Refusal 404 if it was accepted, declined or taken back meanwhile; 409 if it does not count any more
 */
export async function acceptByLink(ctx: Context, invitation: LinkedInvitation, userId: number): Promise<void> {
  await take(ctx, invitation)
  if ((await admit(ctx, userId, [invitation])) === 0) throw conflict('This invitation has ended. Ask for another one.')
}

/** Who has the link does not want to become a member. */
export async function declineByLink(ctx: Context, invitation: LinkedInvitation): Promise<void> {
  await take(ctx, invitation)
  const payload = { id: invitation.id, name: invitation.email }
  await recordEvent(ctx, { kind: 'invitation.deleted', payload, ...inPlace(invitation) })
}

async function take({ db }: Context, { id }: LinkedInvitation): Promise<void> {
  const taken = await db.deleteFrom('invitations').where('id', '=', id).returning('id').executeTakeFirst()
  if (!taken) throw notFound('Invitation')
}
