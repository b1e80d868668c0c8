/** Changing one's own password, and the list of one's sessions. */

import type { Db } from '../../platform/db/connection.ts'
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { updateUser } from '../users/commands.ts'
import type { UserRow } from '../users/queries.ts'
import { userByPassword } from './passwords.ts'

/**
 * Changes the password of a user who knows the current one; all their sessions end, the caller's too.
 * @throws Refusal 400 for a wrong current password or a weak new one, 429 after too many attempts
 */
export async function changeOwnPassword(
  ctx: Context,
  user: UserRow,
  given: { readonly current: string; readonly wanted: string },
): Promise<void> {
  // Outside of the transaction: verifying the password takes time.
  const proven = await userByPassword(ctx, user.username, given.current, 'password')
  if (proven?.id !== user.id) throw isWrong()
  await transact(ctx.db, async db => {
    const locked = await db.selectFrom('users').select('password_digest').where('id', '=', user.id).forUpdate().executeTakeFirst()
    // Another request has changed it meanwhile: what was given is the password no more.
    if (locked?.password_digest !== proven.password_digest) throw isWrong()
    await updateUser({ ...ctx, db }, user, { password: given.wanted })
  })
}

const isWrong = () => invalid({ current_password: ['is wrong'] })

/** A session of a user. */
export interface SessionRow {
  readonly id: number
  readonly ip_address: string | null
  readonly user_agent: string | null
  readonly created_at: string
}

/** The sessions of a user that have not ended, the latest first. */
export const sessionsOf = (db: Db, userId: number, now: Date) =>
  db
    .selectFrom('sessions')
    .select(['id', 'ip_address', 'user_agent', 'created_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')

/** Ends one session of a user; false if they have none with this id. */
export async function endSessionOf(ctx: Context, userId: number, id: number): Promise<boolean> {
  const ended = await ctx.db.deleteFrom('sessions').where('id', '=', id).where('user_id', '=', userId).returning('id').executeTakeFirst()
  if (ended) await recordEvent(ctx, { kind: 'session.ended', payload: { user_id: userId, count: 1 }, actorId: ctx.actor.user?.id })
  return ended !== undefined
}

/** Ends all sessions of a user but one. @param kept the id of the one that goes on, if there is one @returns how many have ended */
export async function endOtherSessionsOf(ctx: Context, userId: number, kept: number | undefined): Promise<number> {
  const others = ctx.db.deleteFrom('sessions').where('user_id', '=', userId)
  const ended = await (kept === undefined ? others : others.where('id', '!=', kept)).returning('id').execute()
  const count = ended.length
  if (count > 0) await recordEvent(ctx, { kind: 'session.ended', payload: { user_id: userId, count }, actorId: ctx.actor.user?.id })
  return count
}
