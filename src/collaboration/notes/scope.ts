import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type NoteableScope, subjectOf } from './items/noteable.ts'
import { visibleNote } from './queries.ts'

/** `:note_id` is resolved to a note that the actor may read, or 404. */
export const inNote = (inNoteable: NoteableScope) =>
  within(inNoteable, {
    name: `${inNoteable.name}Note`,
    path: { note_id: integer('ID of a note') },
    async load({ db, actor, noteable }, { note_id }) {
      const note = await visibleNote(db, actor, noteable, note_id)
      if (!note) throw notFound('Note')
      // System notes are not the user's own.
      return { note, isOwnNote: note.action === null && note.author_id === actor.user?.id }
    },
    subject: ({ noteable, isOwnNote }) => subjectOf(noteable, isOwnNote),
    modifiedAt: ({ note }) => note.updated_at,
  })
