/** Whose mail it is: the account that a key was made for, if the mail comes from one of its confirmed addresses. */
import { sql } from 'kysely'
import type { UserActor } from '../../platform/access/actor.ts'
import { authorOf } from '../../platform/access/credentials/credentials.ts'
import type { Db } from '../../platform/db/connection.ts'
import { MailRefused } from './refused.ts'

const inactive = ['blocked', 'banned', 'deactivated', 'blocked_pending_approval'] as const

/** Why an account does not act, as far as there are words for it. */
const inactiveState = (state: string) => inactive.find(known => known === state) ?? 'inactive'

/**
 * The user with this id, who wrote a mail from this address; undefined where the account is gone.
 * @throws MailRefused for an account that may not act, and for an address that is not theirs
 */
export async function senderOf(db: Db, userId: number, address: string): Promise<UserActor | undefined> {
  const actor = await authorOf(db, userId)
  if (!actor) return undefined
  const { rows } = await sql<{ confirmed: boolean }>`
    select confirmed_at is not null as confirmed from users where id = ${userId} and lower(email) = lower(${address})
    union all
    select confirmed_at is not null from emails where user_id = ${userId} and lower(email) = lower(${address})`.execute(db)
  if (rows.length === 0)
    throw new MailRefused(({ say }) => ({ says: say('refused.other_person'), advice: say('refused.other_person_advice') }))
  if (!rows.some(({ confirmed }) => confirmed))
    throw new MailRefused(({ say }) => ({ says: say('refused.unconfirmed'), advice: say('refused.unconfirmed_advice') }))
  const { state } = actor.user
  if (state !== 'active')
    throw new MailRefused(({ say }) => ({ says: say(`refused.account_${inactiveState(state)}`), advice: say('refused.account_advice') }))
  return actor
}
