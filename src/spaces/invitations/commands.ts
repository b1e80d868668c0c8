/** Invites users by email: existing users become members immediately, others when they register (spaces/invitations/accept.ts). */

import { isEmail } from '../../identity/emails/commands.ts'
import { holderOfEmail } from '../../identity/emails/queries.ts'
import type { Role } from '../../platform/access/abilities.ts'
import { applicationSettings } from '../../platform/application_settings/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { lockName } from '../../platform/db/statements/named_locks.ts'
import { changesBetween } from '../../platform/events/audit/changes.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { digestOf, newLongToken } from '../../platform/kernel/secrets.ts'
import { type Additions, addMember, assertNotLocked, assertTerms, type MemberTerms, whyNotAdded } from '../members/commands.ts'
import { type MemberPlace, membersOf } from '../members/queries.ts'
import { fullPathOf, mailInvitation } from './mail.ts'
import { type InvitationRow, invitationFor, mailedSince } from './queries.ts'

/**
 * Invites addresses independently: one that cannot be invited does not affect the others. 403 for a level above the caller's own, 400 for a
 * day in the past.
 */
export async function invite(ctx: Context, place: MemberPlace, emails: readonly string[], terms: MemberTerms): Promise<Additions> {
  assertTerms(ctx, place, terms)
  await assertNotLocked(ctx.db, place.key)
  const path = await fullPathOf(ctx.db, place.key)
  const message: Record<string, string> = {}
  const room = await roomForMails(ctx)
  // Sorted, so that concurrent calls lock in one order: each address is locked against the creation of its account.
  for (const email of [...new Set(emails)].sort()) {
    const reason = await whyNotInvited(ctx, { ...place, path, room }, email, terms)
    if (reason) message[email] = reason
  }
  return Object.keys(message).length > 0 ? { status: 'error', message } : { status: 'success' }
}

/** How many mails may be written still. */
interface Room {
  left: number
}

const DAY = 24 * 60 * 60 * 1000

/** Mails that the caller may cause today: they go to people who may know nothing of this server. Calls of one user wait for each other. */
async function roomForMails({ db, actor, now }: Context): Promise<Room> {
  const { daily_invitations_per_user: own, daily_invitations_per_instance: all } = await applicationSettings(db)
  if (own === 0 && all === 0) return { left: Number.POSITIVE_INFINITY }
  const author = actor.sudoBy?.id ?? actor.user?.id ?? null
  await lockName(db, 'invitations of a user', author)
  const mailed = await mailedSince(db, author, new Date(now.getTime() - DAY))
  const of = (limit: number, used: number) => (limit === 0 ? Number.POSITIVE_INFINITY : limit - used)
  return { left: Math.min(of(own, mailed.own), of(all, mailed.all)) }
}

/** A place with its full path, and how many may be invited. */
type NamedPlace = MemberPlace & { readonly path: string; readonly room: Room }

/** Invites one address; returns the reason in the words of the invitations API if it cannot be invited. */
async function whyNotInvited(ctx: Context, place: NamedPlace, email: string, terms: MemberTerms): Promise<string | undefined> {
  if (!isEmail(email)) return 'Invite email is invalid'
  const holder = await holderOfEmail(ctx.db, email)
  if (!holder) {
    if (place.room.left <= 0) return 'Too many invitations in a day. Try again tomorrow.'
    if (!(await keepInvitation(ctx, place, email, terms))) return 'Invite email has already been taken'
    place.room.left--
    return undefined
  }
  if (await isMember(ctx.db, place, holder.user_id)) return 'User already exists in source'
  const reason = await whyNotAdded(ctx, place, holder.user_id, terms)
  if (!reason) await addMember(ctx, place.key, { ...terms, user_id: holder.user_id })
  return reason
}

const isMember = async (db: Db, place: MemberPlace, userId: number): Promise<boolean> =>
  (await membersOf(db, place, { user_ids: [userId] }).execute()).length > 0

/** False when the address is invited already; else its owner gets a mail with a link. */
async function keepInvitation(ctx: Context, place: NamedPlace, email: string, terms: MemberTerms): Promise<boolean> {
  const secret = newLongToken()
  const kept = await ctx.db
    .insertInto('invitations')
    .values({
      ...place.key,
      email,
      access_level: terms.access_level,
      expires_at: terms.expires_at ?? null,
      created_by_id: ctx.actor.user?.id ?? null,
      digest: digestOf(secret),
      created_at: ctx.now,
      updated_at: ctx.now,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!kept) return false
  const payload = { id: kept.id, name: email, access_level: terms.access_level }
  await recordEvent(ctx, { kind: 'invitation.created', payload, ...inPlace(place.key) })
  await mailInvitation(ctx, { email, path: place.path, accessLevel: terms.access_level, secret })
  return true
}

/** The attributes of an invitation that can change; undefined ones stay. */
export interface InvitationChanges {
  readonly access_level?: Role | undefined
  readonly expires_at?: string | null | undefined
}

/** Changes the terms of the future membership. */
export async function changeInvitation(
  ctx: Context,
  place: MemberPlace,
  invitation: InvitationRow,
  { access_level = invitation.access_level as Role, expires_at }: InvitationChanges,
): Promise<InvitationRow> {
  assertTerms(ctx, place, { access_level, expires_at })
  await ctx.db
    .updateTable('invitations')
    .set({ access_level, ...(expires_at === undefined ? {} : { expires_at }), updated_at: ctx.now })
    .where('id', '=', invitation.id)
    .execute()
  const changes = changesBetween(invitation, { access_level, expires_at }, ['access_level', 'expires_at'])
  const payload = { id: invitation.id, name: invitation.email, changes }
  await recordEvent(ctx, { kind: 'invitation.updated', payload, ...inPlace(place.key) })
  return (await invitationFor(ctx.db, place.key, invitation.email)) as InvitationRow
}

/** Withdraws an invitation. */
export async function removeInvitation(ctx: Context, place: MemberPlace, invitation: InvitationRow): Promise<void> {
  await ctx.db.deleteFrom('invitations').where('id', '=', invitation.id).returning('id').executeTakeFirstOrThrow()
  const payload = { id: invitation.id, name: invitation.email }
  await recordEvent(ctx, { kind: 'invitation.deleted', payload, ...inPlace(place.key) })
}
