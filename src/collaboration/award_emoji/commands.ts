/** Writes of reactions. Items carry the number of their thumbs along. */
import { sql } from 'kysely'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, invalid, notFound } from '../../platform/kernel/errors.ts'
import { keyOf } from '../item_kinds/kinds.ts'
import { isEmojiName } from '../markdown/document.ts'
import { copiedThread } from '../notes/copy.ts'
import { countAward } from '../notes/counts.ts'
import { speaker } from '../notes/speaker.ts'
import { finishTodos } from '../todos/write.ts'
import type { Awardable } from './awardable.ts'
import { type AwardRow, awardsOf } from './queries.ts'

/** Other names of the emoji that are counted. */
const aliases: Readonly<Record<string, string>> = { '+1': 'thumbsup', '-1': 'thumbsdown' }

/**
 * Reacts to an item. 400 for what is the name of no emoji, 403 where only members may talk. Contract: 404 for the same
 * reaction again (award emoji API).
 */
export async function createAward(ctx: Context, { key, noteable }: Awardable, given: string): Promise<AwardRow> {
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

/** Reacts to an item, or takes the reaction back where it is there: what the quick action does. */
export async function toggleAward(ctx: Context, awardable: Awardable, given: string): Promise<void> {
  const name = aliases[given] ?? given
  const award = await awardsOf(ctx.db, awardable)
    .where('user_id', '=', ctx.actor.user?.id ?? null)
    .where('name', '=', name)
    .executeTakeFirst()
  await (award ? takeAward(ctx, award) : createAward(ctx, awardable, name))
}

/** Takes a reaction back; 403 for somebody else's. */
export async function takeAward({ db, actor }: Context, award: AwardRow): Promise<void> {
  if (award.user_id !== actor.user?.id && !isAdmin(actor)) throw forbidden()
  const gone = await db.deleteFrom('award_emoji').where('id', '=', award.id).returning('id').executeTakeFirst()
  // Somebody else was faster.
  const key = keyOf(award)
  if (gone && key) await countAward(db, key, award.name, -1)
}

/** Gives an issue the reactions to another one, and its notes those to the notes that they are copies of (collaboration/notes/copy.ts). */
export async function copyAwards(db: Db, fromIssueId: number, toIssueId: number): Promise<void> {
  await sql`insert into award_emoji (user_id, name, issue_id, created_at, updated_at)
    select user_id, name, ${toIssueId}::bigint, created_at, updated_at from award_emoji where issue_id = ${fromIssueId} order by id`.execute(
    db,
  )
  // Threads are copied as threads of their own, their notes in the same order.
  const placed = (issueId: number) => sql`select id, discussion_id, row_number() over (partition by discussion_id order by id) as place
    from notes where issue_id = ${issueId}`
  await sql`insert into award_emoji (user_id, name, note_id, created_at, updated_at)
    select a.user_id, a.name, copy.id, a.created_at, a.updated_at
      from (${placed(fromIssueId)}) note
      join award_emoji a on a.note_id = note.id
      join (${placed(toIssueId)}) copy on copy.place = note.place and copy.discussion_id = ${copiedThread('note.discussion_id', toIssueId)}
     order by a.id`.execute(db)
}
