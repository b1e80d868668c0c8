/** Participants of an item. */
import { sql } from 'kysely'
import { summaryColumns } from '../../../identity/users/queries.ts'
import type { Actor } from '../../../platform/access/actor.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { columnOf } from '../../item_kinds/kinds.ts'
import { noteVisible } from '../queries.ts'
import type { Noteable } from './noteable.ts'

/** Author, assignees, reviewers, commenters and mentioned users of an item, as far as the actor may read the texts in question. */
export function participantsOf(db: Db, actor: Actor, noteable: Noteable) {
  const { item, key } = noteable
  const [column, id] = columnOf(key)
  const said = db
    .selectFrom('notes')
    .select('notes.author_id as id')
    .where(`notes.${column}`, '=', id)
    .where('notes.action', 'is', null)
    .where(noteVisible(actor, noteable))
  const mentioned = db
    .selectFrom('user_mentions')
    .leftJoin('notes', 'notes.id', 'user_mentions.note_id')
    .select('user_mentions.user_id as id')
    .where(`user_mentions.${column}`, '=', id)
    .where(sql<boolean>`(notes.id is null or ${noteVisible(actor, noteable)})`)
  return db
    .selectFrom('users')
    .select(summaryColumns)
    .where(({ or, eb }) =>
      or([
        eb('users.id', '=', anyOf([item.author_id, ...item.assignee_ids, ...(item.reviewer_ids ?? [])])),
        eb('users.id', 'in', said),
        eb('users.id', 'in', mentioned),
      ]),
    )
    .orderBy('users.id')
}
