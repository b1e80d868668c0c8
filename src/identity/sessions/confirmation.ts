/** The user of a session proves again who they are, before what is dangerous (platform/pages/forms/confirm.ts). */
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ConfirmationProof, SessionConfirmation } from '../../platform/pages/forms/confirm.ts'
import { providerNamed } from '../providers/file.ts'
import { lockAccount, useTotp } from '../two_factor/commands.ts'
import { appOf } from '../two_factor/queries.ts'
import { asserted, assertionOptions, useAssertion } from '../two_factor/webauthn/ceremonies.ts'
import { KEY_SCRIPT, keyAnswer } from '../two_factor/webauthn/element.ts'
import { passkeysOf } from '../two_factor/webauthn/queries.ts'
import { identitiesOf, type UserRow, userById } from '../users/queries.ts'
import { secondFactorAttempt, userByPassword } from './passwords.ts'

/** Whose session it is: an administrator who acts as another user confirms as themselves. */
interface Holder {
  readonly user: UserRow
  readonly sessionId: number
}

async function holderOf({ actor: { credential, sudoBy, user }, db }: Context): Promise<Holder> {
  const holder = sudoBy ?? user
  const row = holder && (await userById(db, holder.id))
  if (!row || credential?.kind !== 'session') throw new Error('only the user of a session confirms')
  return { user: row, sessionId: credential.id }
}

/** What the answer of a passkey is for: no answer to another session, or to a sign-in, confirms this one. */
const subjectOf = ({ sessionId }: Holder): string => `confirmation of session ${sessionId}`

export const byHolder: SessionConfirmation = {
  async confirm(ctx, proof) {
    const holder = await holderOf(ctx)
    switch (proof.by) {
      case 'password': {
        // Outside of any transaction: verifying the password takes time.
        const proven = await userByPassword(ctx, holder.user.username, proof.given, 'confirmation')
        return proven?.id === holder.user.id && transact(ctx.db, within => keep({ ...ctx, db: within }, holder, proof))
      }
      case 'code':
        return (await secondFactorAttempt(ctx, holder.user, 'confirmation', () => byCode(ctx, holder, proof))) ?? false
      case 'passkey':
        return byPasskey(ctx, holder, proof)
    }
  },
  async waysOf(ctx) {
    const holder = await holderOf(ctx)
    const { db } = ctx
    const passkeys = await passkeysOf(db, holder.user.id)
    const options = passkeys.length > 0 ? await assertionOptions(ctx, subjectOf(holder), passkeys, true) : undefined
    return {
      password: await hasPassword(ctx, holder),
      code: (await appOf(db, holder.user.id)) !== undefined,
      passkey: options && (name => keyAnswer('answer', options, name)),
      script: KEY_SCRIPT,
    }
  },
}

async function hasPassword({ db, deps }: Context, { user }: Holder): Promise<boolean> {
  if (user.password_digest !== null) return true
  const identities = (await identitiesOf(db, [user.id])).get(user.id) ?? []
  return identities.some(({ provider }) => providerNamed(deps.config, provider)?.kind.directory !== undefined)
}

/** By a code of the app; a recovery code is for the day on which the app is lost. Undefined where it is wrong. */
const byCode = (ctx: Context, holder: Holder, proof: ConfirmationProof): Promise<true | undefined> =>
  transact(ctx.db, async db => {
    const within = { ...ctx, db }
    await lockAccount(db, holder.user.id)
    const isRight = await useTotp(within, holder.user.id, proof.given.replace(/\s/g, ''))
    return isRight && (await keep(within, holder, proof)) ? true : undefined
  })

/** By a passkey, which has verified its user. A security key has not: anybody at the computer can touch it. */
async function byPasskey(ctx: Context, holder: Holder, proof: ConfirmationProof): Promise<boolean> {
  await ctx.deps.limiter.signIn(ctx.request.ip)
  const assertion = await asserted(ctx, proof.given, { subject: subjectOf(holder), isPasskey: true })
  if (assertion?.userId !== holder.user.id) return false
  return transact(ctx.db, async db => {
    const within = { ...ctx, db }
    return (await useAssertion(within, assertion)) && (await keep(within, holder, proof))
  })
}

/** Keeps that the user of a session has confirmed now; false where the session has ended meanwhile. `ctx.db`: a transaction. */
async function keep(ctx: Context, { user, sessionId }: Holder, { by }: ConfirmationProof): Promise<boolean> {
  const kept = await ctx.db
    .updateTable('sessions')
    .set({ confirmed_at: ctx.now })
    .where('id', '=', sessionId)
    .where('user_id', '=', user.id)
    .returning('id')
    .executeTakeFirst()
  if (!kept) return false
  await recordEvent(ctx, { kind: 'session.confirmed', payload: { user_id: user.id, by } })
  return true
}
