import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type NoteableScope, subjectOf } from '../notes/items/noteable.ts'
import { isOwnNote } from '../notes/scope.ts'
import { visibleDiscussion } from './queries.ts'

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

/** `:note_id` is resolved to a note of the thread, or 404. */
export const inDiscussionNote = (inNoteable: NoteableScope) =>
  within(inDiscussion(inNoteable), {
    name: `${inNoteable.name}DiscussionNote`,
    path: { note_id: integer('ID of a note of the thread') },
    async load({ actor, discussion }, { note_id }) {
      const note = discussion.notes.find(({ id }) => id === note_id)
      if (!note) throw notFound('Note')
      return { note, isOwnNote: isOwnNote(actor, note) }
    },
    subject: ({ noteable, isOwnNote }) => subjectOf(noteable, isOwnNote),
    modifiedAt: ({ note }) => note.updated_at,
  })
