/** Writes of reactions. Things carry the number of their thumbs along. */
import { isAdmin } from '../access/actor.ts'
import type { Context } from '../kernel/context.ts'
import { forbidden, invalid, notFound } from '../kernel/errors.ts'
import { isEmojiName } from '../markdown/document.ts'
import { countAward } from '../notes/counts.ts'
import { speaker } from '../notes/speaker.ts'
import { keyOf } from '../planning/kinds.ts'
import { finishTodos } from '../todos/write.ts'
import type { Awardable } from './awardable.ts'
import { type AwardRow, awardsOf } from './queries.ts'

/** Other names of the emoji that are counted. */
const aliases: Readonly<Record<string, string>> = { '+1': 'thumbsup', '-1': 'thumbsdown' }

/**
 * Reacts to a thing. 400 for what is the name of no emoji, 403 where only members may talk. Contract: 404 for the same
 * reaction again (award emoji API).
 */
export async function giveAward(ctx: Context, { key, noteable }: Awardable, given: string): Promise<AwardRow> {
  const { db, now } = ctx
  const user = speaker(ctx, noteable)
  const name = aliases[given] ?? given
  if (!isEmojiName(name)) throw invalid({ name: ['is not a valid emoji name'] })
  const award = await db
    .insertInto('award_emoji')
    .values({ ...key, user_id: user.id, name, created_at: now, updated_at: now })
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!award) throw notFound('Award Emoji Name has already been taken')
  if (!('note_id' in key)) await countAward(db, key, name, 1)
  await finishTodos(db, user.id, noteable.key, now)
  return award
}

/** Reacts to a thing, or takes the reaction back where it is there: what the quick action does. */
export async function toggleAward(ctx: Context, awardable: Awardable, given: string): Promise<void> {
  const name = aliases[given] ?? given
  const award = await awardsOf(ctx.db, awardable)
    .where('user_id', '=', ctx.actor.user?.id ?? null)
    .where('name', '=', name)
    .executeTakeFirst()
  await (award ? takeAward(ctx, award) : giveAward(ctx, awardable, name))
}

/** Takes a reaction back; 403 for somebody else's. */
export async function takeAward({ db, actor }: Context, award: AwardRow): Promise<void> {
  if (award.user_id !== actor.user?.id && !isAdmin(actor)) throw forbidden()
  const gone = await db.deleteFrom('award_emoji').where('id', '=', award.id).returning('id').executeTakeFirst()
  // Somebody else was faster.
  const key = keyOf(award)
  if (gone && key) await countAward(db, key, award.name, -1)
}
