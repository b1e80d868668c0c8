import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type NoteableScope, subjectOf } from '../notes/items/noteable.ts'
import { visibleNote } from '../notes/queries.ts'
import { isOwnNote } from '../notes/scope.ts'
import { isThreadVisible, visibleDiscussion } from './queries.ts'

/** `:discussion_id` is resolved to a thread that the actor may read, or 404. */
export const inDiscussion = (inNoteable: NoteableScope) =>
  within(inNoteable, {
    name: `${inNoteable.name}Discussion`,
    path: { discussion_id: text('ID of a thread: 40 hex digits') },
    async load({ db, actor, noteable }, { discussion_id }) {
      const discussion = await visibleDiscussion(db, actor, noteable, discussion_id)
      if (!discussion) throw notFound('Discussion')
      return { discussion }
    },
  })

/** `:note_id` is resolved to a note of the thread, or 404: the note alone, however long the thread is. */
export const inDiscussionNote = (inNoteable: NoteableScope) =>
  within(inNoteable, {
    name: `${inNoteable.name}DiscussionNote`,
    path: { discussion_id: text('ID of a thread: 40 hex digits'), note_id: integer('ID of a note of the thread') },
    async load({ db, actor, noteable }, { discussion_id, note_id }) {
      const note = await visibleNote(db, actor, noteable, note_id)
      if (note?.discussion_id === discussion_id) return { note, isOwnNote: isOwnNote(actor, note) }
      throw notFound((await isThreadVisible(db, actor, noteable, discussion_id)) ? 'Note' : 'Discussion')
    },
    subject: ({ noteable, isOwnNote }) => subjectOf(noteable, isOwnNote),
    modifiedAt: ({ note }) => note.updated_at,
  })
