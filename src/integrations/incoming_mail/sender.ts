/** Whose mail it is: the account that a key was made for, if the mail comes from one of its confirmed addresses. */
import { sql } from 'kysely'
import type { UserActor } from '../../platform/access/actor.ts'
import { authorOf } from '../../platform/access/credentials/credentials.ts'
import type { Db } from '../../platform/db/connection.ts'
import { MailRefused } from './refused.ts'

const inactive: Readonly<Record<string, string>> = {
  blocked: 'Your account is blocked.',
  banned: 'Your account is banned.',
  deactivated: 'Your account is deactivated.',
  blocked_pending_approval: 'Your account waits for the approval of an administrator.',
}

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
    throw new MailRefused(
      'The address that you wrote to takes mails of another person.',
      'Answer from an address that is confirmed in your settings, and answer the mail that you got yourself: each has an address of its own.',
    )
  if (!rows.some(({ confirmed }) => confirmed))
    throw new MailRefused(
      'Your address is not confirmed.',
      'Confirm it by the link that was sent to you, or ask for another one on the sign-in page.',
    )
  const { state } = actor.user
  if (state !== 'active')
    throw new MailRefused(inactive[state] ?? 'Your account is not active.', 'Nothing can be written with it, by mail neither.')
  return actor
}
