/**
 * Challenges for authenticators. A challenge is signed by the instance for one purpose and five minutes, so that pages can show one without a row; that it
 * was answered is kept, so that an answer counts once.
 */
import { randomBytes } from 'node:crypto'
import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'

const MINUTES = 5

const PURPOSE = 'webauthn challenge'

const signed = (subject: string, until: string, nonce: string): string => `${subject} ${until} ${nonce}`

/** A new challenge. `subject`: what the answer is for, and by whom where that is known. */
export function newChallenge({ deps, now }: Pick<Context, 'deps' | 'now'>, subject: string): string {
  const until = String(now.getTime() + MINUTES * 60_000)
  const nonce = randomBytes(16).toString('base64url')
  return `${until}.${nonce}.${deps.secrets.sign(signed(subject, until, nonce), PURPOSE)}`
}

/** Is it a challenge of this instance for the subject that has not ended? `encoded`: as the browser sends it back. */
export function isChallenge({ deps, now }: Pick<Context, 'deps' | 'now'>, subject: string, encoded: string): boolean {
  const text = Buffer.from(encoded, 'base64url').toString('utf8')
  // Decoding passes over other characters: the same challenge in another form would count again.
  if (Buffer.from(text).toString('base64url') !== encoded) return false
  const [until = '', nonce = '', signature = ''] = text.split('.')
  return Number(until) > now.getTime() && deps.secrets.verify(signed(subject, until, nonce), PURPOSE, signature)
}

/** Keeps that a challenge was answered; false where it was already. */
export async function useChallenge(db: Db, encoded: string, now: Date): Promise<boolean> {
  await db.deleteFrom('webauthn_used_challenges').where('expires_at', '<=', now.toISOString()).execute()
  const used = await db
    .insertInto('webauthn_used_challenges')
    .values({ challenge: encoded, expires_at: new Date(now.getTime() + MINUTES * 60_000) })
    .onConflict(conflict => conflict.column('challenge').doNothing())
    .returning('id')
    .executeTakeFirst()
  return used !== undefined
}
