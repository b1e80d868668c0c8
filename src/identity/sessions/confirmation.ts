/** The user of a session gives their password again, before what is dangerous (platform/pages/forms/confirm.ts). */
import { transact } from '../../platform/db/transact.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { PasswordConfirmation } from '../../platform/pages/forms/confirm.ts'
import { providerNamed } from '../providers/file.ts'
import { identitiesOf, userById } from '../users/queries.ts'
import { userByPassword } from './passwords.ts'

/** Whose session it is: an administrator who acts as another user confirms with their own password. */
const holderOf = ({ sudoBy, user }: Context['actor']) => sudoBy ?? user

export const byOwnPassword: PasswordConfirmation = {
  async confirm(ctx, password) {
    const { actor, db, now } = ctx
    const holder = holderOf(actor)
    const { credential } = actor
    if (!holder || credential?.kind !== 'session') throw new Error('only the user of a session confirms')
    // Outside of any transaction: verifying the password takes time.
    const proven = await userByPassword(ctx, holder.username, password, 'confirmation')
    if (proven?.id !== holder.id) return false
    return transact(db, async within => {
      const kept = await within
        .updateTable('sessions')
        .set({ confirmed_at: now })
        .where('id', '=', credential.id)
        .where('user_id', '=', holder.id)
        .returning('id')
        .executeTakeFirst()
      if (!kept) return false
      await recordEvent({ ...ctx, db: within }, { kind: 'session.confirmed', payload: { user_id: holder.id } })
      return true
    })
  },
  async hasPassword({ actor, db, deps }) {
    const holder = holderOf(actor)
    if (holder === undefined) return false
    const user = await userById(db, holder.id)
    if (user?.password_digest != null) return true
    const identities = (await identitiesOf(db, [holder.id])).get(holder.id) ?? []
    return identities.some(({ provider }) => providerNamed(deps.config, provider)?.kind.directory !== undefined)
  },
}
