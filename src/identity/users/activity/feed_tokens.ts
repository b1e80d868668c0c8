/**
 * Feed tokens: programs that read feeds send them in the address. They open feeds and nothing else. A token is signed, not stored; another version
 * of the account's makes the former one worthless.
 */
import type { Db } from '../../../platform/db/connection.ts'
import { recordEvent } from '../../../platform/events/events.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Secrets } from '../../../platform/kernel/secrets.ts'

const PURPOSE = 'feed_token'

interface Holder {
  readonly id: number
  readonly version: number
}

const textOf = ({ id, version }: Holder): string => `${id}-${version}`

const signed = (secrets: Pick<Secrets, 'sign'>, holder: Holder): string => `${textOf(holder)}-${secrets.sign(textOf(holder), PURPOSE)}`

const versionOf = async (db: Db, userId: number): Promise<number | undefined> =>
  (await db.selectFrom('users').select('feed_token_version').where('id', '=', userId).executeTakeFirst())?.feed_token_version

/** The feed token of a user. One statement. */
export async function feedTokenOf(db: Db, secrets: Pick<Secrets, 'sign'>, userId: number): Promise<string> {
  return signed(secrets, { id: userId, version: (await versionOf(db, userId)) ?? 0 })
}

/** The user whose feed token it is; undefined for one that is wrong, or was replaced. */
export async function holderOfFeedToken(db: Db, secrets: Pick<Secrets, 'verify'>, token: string): Promise<number | undefined> {
  const [, id, version, signature = ''] = /^(\d{1,15})-(\d{1,9})-([\w-]{10,100})$/.exec(token) ?? []
  const holder = { id: Number(id), version: Number(version) }
  if (id === undefined || !secrets.verify(textOf(holder), PURPOSE, signature)) return undefined
  return (await versionOf(db, holder.id)) === holder.version ? holder.id : undefined
}

/** Replaces the feed token of a user. */
export async function resetFeedToken(ctx: Context, userId: number): Promise<void> {
  await ctx.db
    .updateTable('users')
    .set(({ eb }) => ({ feed_token_version: eb('feed_token_version', '+', 1) }))
    .where('id', '=', userId)
    .execute()
  await recordEvent(ctx, { kind: 'feed_token.reset', payload: { user_id: userId } })
}
