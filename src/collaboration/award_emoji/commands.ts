/** Writes of reactions. Items store the counts of their thumbs. */
import { sql } from 'kysely'
import { isAdmin } from '../../platform/access/actor.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { forbidden, invalid, notFound } from '../../platform/kernel/errors.ts'
import { keyOf } from '../item_kinds/kinds.ts'
import { isEmojiName } from '../markdown/document.ts'
import { requireCommenter } from '../notes/items/commenter.ts'
import { countAward } from '../notes/items/counts.ts'
import { copiedThread } from '../notes/writing/copy.ts'
import { finishTodos } from '../todos/write.ts'
import type { Awardable } from './awardable.ts'
import { type AwardRow, awardsOf } from './queries.ts'

/** Aliases of the emoji that are counted. */
const aliases: Readonly<Record<string, string>> = { '+1': 'thumbsup', '-1': 'thumbsdown' }

/** The name that an emoji is counted by. */
export const storedName = (given: string): string => aliases[given] ?? given

/**
 * Adds the caller's reaction. 400 for an unknown emoji, 403 if only members may comment. Contract: 404 for a repeated reaction (award
 * emoji API).
 */
export async function createAward(ctx: Context, { key, noteable }: Awardable, given: string): Promise<AwardRow> {
  const { db, now } = ctx
  const user = requireCommenter(ctx, noteable)
  const name = storedName(given)
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

/** Adds a reaction, or removes it if it exists, as the quick action does. */
export async function toggleAward(ctx: Context, awardable: Awardable, given: string): Promise<void> {
  const name = storedName(given)
  const award = await awardsOf(ctx.db, awardable)
    .where('user_id', '=', ctx.actor.user?.id ?? null)
    .where('name', '=', name)
    .executeTakeFirst()
  await (award ? removeAward(ctx, award) : createAward(ctx, awardable, name))
}

/** Removes a reaction; 403 for another user's. */
export async function removeAward({ db, actor }: Context, award: AwardRow): Promise<void> {
  if (award.user_id !== actor.user?.id && !isAdmin(actor)) throw forbidden()
  const gone = await db.deleteFrom('award_emoji').where('id', '=', award.id).returning('id').executeTakeFirst()
  // A concurrent request may have removed it.
  const { snippet_id } = award
  const key = snippet_id === null ? keyOf(award) : { snippet_id }
  if (gone && key) await countAward(db, key, award.name, -1)
}

/** Copies the reactions of an issue to another one, and those of its notes to the copied notes (collaboration/notes/writing/copy.ts). */
export async function copyAwards(db: Db, fromIssueId: number, toIssueId: number): Promise<void> {
  await sql`insert into award_emoji (user_id, name, issue_id, created_at, updated_at)
    select user_id, name, ${toIssueId}::bigint, created_at, updated_at from award_emoji where issue_id = ${fromIssueId} order by id`.execute(
    db,
  )
  // Threads are copied with the order of their notes.
  const placed = (issueId: number) => sql`select id, discussion_id, row_number() over (partition by discussion_id order by id) as place
    from notes where issue_id = ${issueId}`
  await sql`insert into award_emoji (user_id, name, note_id, created_at, updated_at)
    select a.user_id, a.name, copy.id, a.created_at, a.updated_at
      from (${placed(fromIssueId)}) note
      join award_emoji a on a.note_id = note.id
      join (${placed(toIssueId)}) copy on copy.place = note.place and copy.discussion_id = ${copiedThread('note.discussion_id', toIssueId)}
     order by a.id`.execute(db)
}
