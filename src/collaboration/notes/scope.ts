import type { Actor } from '../../platform/access/actor.ts'
import { within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { type NoteableScope, subjectOf } from './items/noteable.ts'
import { type NoteRow, visibleNote } from './queries.ts'

/** Is a note the caller's own? What the system has noted in their name is not. */
export const isOwnNote = (actor: Actor, note: Pick<NoteRow, 'action' | 'author_id'>): boolean =>
  note.action === null && note.author_id === actor.user?.id

/** `:note_id` is resolved to a note that the actor may read, or 404. */
export const inNote = (inNoteable: NoteableScope) =>
  within(inNoteable, {
    name: `${inNoteable.name}Note`,
    path: { note_id: integer('ID of a note') },
    async load({ db, actor, noteable }, { note_id }) {
      const note = await visibleNote(db, actor, noteable, note_id)
      if (!note) throw notFound('Note')
      return { note, isOwnNote: isOwnNote(actor, note) }
    },
    subject: ({ noteable, isOwnNote }) => subjectOf(noteable, isOwnNote),
    modifiedAt: ({ note }) => note.updated_at,
  })
