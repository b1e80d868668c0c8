/**
 * Incoming email tokens: a part of the addresses by which a user makes issues by mail. A token is signed, not stored; another version
 * of the account's makes the former one worthless. It has small letters alone, since mail servers may change their case.
 */
import type { Db } from '../../../platform/db/connection.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Secrets } from '../../../platform/kernel/secrets.ts'

const PURPOSE = 'incoming_email_token'

/** What a token looks like in an address, with its parts as groups. */
export const INCOMING_TOKEN = 'i_([0-9a-z]{1,10})_([0-9a-z]{1,6})_([0-9a-z]{21})'

const WHOLE = new RegExp(`^${INCOMING_TOKEN}$`)

interface Holder {
  readonly id: number
  readonly version: number
}

const textOf = ({ id, version }: Holder): string => `i_${id.toString(36)}_${version.toString(36)}`

const versionOf = async (db: Db, userId: number): Promise<number | undefined> =>
  (await db.selectFrom('users').select('incoming_email_version').where('id', '=', userId).executeTakeFirst())?.incoming_email_version

/** The token of a user. One statement. */
export async function incomingTokenOf(db: Db, secrets: Pick<Secrets, 'signShort'>, userId: number): Promise<string> {
  const text = textOf({ id: userId, version: (await versionOf(db, userId)) ?? 0 })
  return `${text}_${secrets.signShort(text, PURPOSE)}`
}

/** Whose token it is, as it says; undefined for one that this instance did not make. */
export function readIncomingToken(secrets: Pick<Secrets, 'verifyShort'>, token: string): Holder | undefined {
  const [, id = '', version = '', signature = ''] = WHOLE.exec(token) ?? []
  const holder = { id: Number.parseInt(id, 36), version: Number.parseInt(version, 36) }
  return id !== '' && secrets.verifyShort(textOf(holder), PURPOSE, signature) ? holder : undefined
}

/** Is it still the one of the account? */
export const isIncomingTokenValid = async (db: Db, { id, version }: Holder): Promise<boolean> => (await versionOf(db, id)) === version

/** Replaces the token of a user. */
export async function resetIncomingToken(ctx: Context, userId: number): Promise<void> {
  await ctx.db
    .updateTable('users')
    .set(({ eb }) => ({ incoming_email_version: eb('incoming_email_version', '+', 1) }))
    .where('id', '=', userId)
    .execute()
  await recordEvent(ctx, { kind: 'incoming_email_token.reset', payload: { user_id: userId } })
}
