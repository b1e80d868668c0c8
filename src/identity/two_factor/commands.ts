/** Writes of second factors: turning them on and off, and using one. `ctx.db` is a transaction. */
import type { Db } from '../../platform/db/connection.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, forbidden, invalid } from '../../platform/kernel/errors.ts'
import type { Secret } from '../../platform/secret.ts'
import { mailOwner } from '../account_mails/recipients.ts'
import { secondFactorChanged } from '../account_mails/texts.ts'
import { endOtherSessionsOf } from '../sessions/own_password.ts'
import { setTwoFactor } from '../users/commands.ts'
import type { UserRow } from '../users/queries.ts'
import { makeRecoveryCodes, recoveryCodesLeft, useRecoveryCode } from './recovery_codes.ts'
import { isRequired } from './required.ts'
import { sealTotp, setupSecret, stepOfCode } from './totp.ts'

/** What the audit log calls the app. */
const APP = 'App for codes'

/** Locks an account, so that changes of its factors come one after the other. */
export const lockAccount = (db: Db, userId: number) =>
  db.selectFrom('users').select('two_factor_enabled').where('id', '=', userId).forUpdate().executeTakeFirstOrThrow()

/** What turning on, or adding, answers: the recovery codes, where they were made with it. */
export interface TurnedOn {
  readonly codes: readonly Secret[]
}

/**
 * Adds the app, with a code of it that proves that it is set up. Recovery codes are made with the first factor of an account.
 * @throws Refusal 400 for a wrong code, or a set-up that has ended
 */
export async function addTotp(ctx: Context, user: UserRow, given: { readonly setup: string; readonly code: string }): Promise<TurnedOn> {
  const { db, deps, now } = ctx
  const secret = setupSecret(ctx, user.id, given.setup)
  if (!secret) throw invalid({ code: ['is of a set-up that has ended: begin again'] })
  const step = stepOfCode(deps, secret, given.code.replace(/\s/g, ''), now)
  if (step === undefined) throw invalid({ code: ['is not the one that the app shows now'] })
  await lockAccount(db, user.id)
  const added = await db
    .insertInto('totp_factors')
    .values({ user_id: user.id, secret: sealTotp(deps, secret), last_step: step, created_at: now })
    .onConflict(conflict => conflict.column('user_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw badRequest('There is an app for codes already')
  await recordEvent(ctx, { kind: 'second_factor.added', payload: { id: added.id, name: APP, user_id: user.id, by: 'app' } })
  return turnOn(ctx, user)
}

/** Turns two factors on where they are not, with new recovery codes, and ends the other sessions; the account is locked, and has a factor. */
export async function turnOn(ctx: Context, user: UserRow): Promise<TurnedOn> {
  const { two_factor_enabled } = await lockAccount(ctx.db, user.id)
  if (two_factor_enabled) return { codes: [] }
  await setTwoFactor(ctx.db, user.id, true)
  // They were opened by the password alone.
  const { credential } = ctx.actor
  await endOtherSessionsOf(ctx, user.id, credential?.kind === 'session' ? credential.id : undefined)
  const codes = await makeRecoveryCodes(ctx, user.id)
  await recordEvent(ctx, { kind: 'two_factor.enabled', payload: { user_id: user.id } })
  await mailOwner(ctx, user, secondFactorChanged(user.username, 'on'))
  return { codes }
}

/** Makes new recovery codes for an account with two factors. */
export async function renewRecoveryCodes(ctx: Context, user: UserRow): Promise<TurnedOn> {
  const { two_factor_enabled } = await lockAccount(ctx.db, user.id)
  if (!two_factor_enabled) throw badRequest('Two-factor authentication is not enabled')
  const codes = await makeRecoveryCodes(ctx, user.id)
  await recordEvent(ctx, { kind: 'recovery_codes.made', payload: { user_id: user.id } })
  await mailOwner(ctx, user, secondFactorChanged(user.username, 'codes_made'))
  return { codes }
}

/** Takes the app away; two factors go on where another factor is left. */
export async function removeTotp(ctx: Context, user: UserRow): Promise<void> {
  await lockAccount(ctx.db, user.id)
  const removed = await ctx.db.deleteFrom('totp_factors').where('user_id', '=', user.id).returning('id').executeTakeFirst()
  if (!removed) throw badRequest('There is no app for codes')
  await recordEvent(ctx, { kind: 'second_factor.removed', payload: { id: removed.id, name: APP, user_id: user.id, by: 'app' } })
  await turnOffWithoutFactor(ctx, user)
}

/** Turns two factors off where the last factor is gone; the account is locked. */
export async function turnOffWithoutFactor(ctx: Context, user: UserRow): Promise<void> {
  if (await hasFactor(ctx.db, user.id)) return
  if (await isRequired(ctx.db, user.id)) throw badRequest('Two-factor authentication is required of your account: add another factor first')
  await endTwoFactor(ctx, user, 'off')
}

const hasFactor = async (db: Db, userId: number): Promise<boolean> =>
  (await db.selectFrom('totp_factors').select('id').where('user_id', '=', userId).executeTakeFirst()) !== undefined ||
  (await db
    .selectFrom('webauthn_credentials')
    .select('id')
    .where('user_id', '=', userId)
    .where('passkey', '=', false)
    .executeTakeFirst()) !== undefined

/** Is the account an administrator's, and the caller not that administrator in person? Acting as them is not enough. */
export const isOtherAdministrator = ({ actor }: Pick<Context, 'actor'>, user: Pick<UserRow, 'id' | 'admin'>): boolean =>
  user.admin && (user.id !== actor.user?.id || actor.sudoBy !== undefined)

/**
 * Turns two factors off for another user: the phone is lost.
 * Contract: 403 for an administrator and 400 for an account without (users API).
 */
export async function disableTwoFactor(ctx: Context, user: UserRow): Promise<void> {
  if (isOtherAdministrator(ctx, user)) throw forbidden('Two-factor authentication of another administrator cannot be turned off here')
  const { two_factor_enabled } = await lockAccount(ctx.db, user.id)
  if (!two_factor_enabled) throw badRequest('Two-factor authentication is not enabled for this user')
  await ctx.db.deleteFrom('totp_factors').where('user_id', '=', user.id).execute()
  // Passkeys too: they may be on the phone that is lost.
  await ctx.db.deleteFrom('webauthn_credentials').where('user_id', '=', user.id).execute()
  await endTwoFactor(ctx, user, user.id === ctx.actor.user?.id ? 'off' : 'off_by_administrator')
}

async function endTwoFactor(ctx: Context, user: UserRow, change: 'off' | 'off_by_administrator'): Promise<void> {
  await setTwoFactor(ctx.db, user.id, false)
  await ctx.db.deleteFrom('recovery_codes').where('user_id', '=', user.id).execute()
  await recordEvent(ctx, { kind: 'two_factor.disabled', payload: { user_id: user.id } })
  await mailOwner(ctx, user, secondFactorChanged(user.username, change))
}

/** Is it a code that the account's app shows, and that was not used? Then it is used. The account is locked. */
export async function useTotp({ db, deps, now }: Pick<Context, 'db' | 'deps' | 'now'>, userId: number, code: string): Promise<boolean> {
  const factor = await db
    .selectFrom('totp_factors')
    .select(['id', 'secret', 'last_step'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  const step = factor && stepOfCode(deps, factor.secret, code, now)
  // An older step than the last one is a code that was seen before, too.
  if (!factor || step === undefined || step <= factor.last_step) return false
  await db.updateTable('totp_factors').set({ last_step: step }).where('id', '=', factor.id).execute()
  return true
}

/** Uses a code of the app, or a recovery code; false where it is neither. The account is locked. */
export async function useCode(ctx: Context, user: UserRow, given: string): Promise<boolean> {
  const code = given.replace(/\s/g, '')
  if (/^\d{6}$/.test(code)) return useTotp(ctx, user.id, code)
  if (!(await useRecoveryCode(ctx.db, user.id, code))) return false
  const left = await recoveryCodesLeft(ctx.db, user.id)
  await recordEvent(ctx, { kind: 'recovery_code.used', payload: { user_id: user.id, left }, actorId: user.id })
  await mailOwner(ctx, { ...user, state: 'active' }, secondFactorChanged(user.username, { codesLeft: left }))
  return true
}
