/** A thread as JSON (discussions API at 14.0). */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { described, flag, text } from '../../platform/kernel/declaration/types.ts'
import { type Commands, commandsSchema, isCommands, type LoadedNotes, loadNotes, Note } from '../notes/entity.ts'
import type { DiscussionRow } from './queries.ts'

export const Discussion = entity({
  name: 'Discussion',
  schema: Type.Object({
    id: text('ID of the thread'),
    individual_note: flag('Whether it is a single note and not a thread'),
    notes: described('Notes, oldest first', Type.Array(Note.schema)),
  }),
  load: (ctx: Context, rows: readonly DiscussionRow[]) =>
    loadNotes(
      ctx,
      rows.flatMap(row => row.notes),
    ),
  present: ({ id, notes }: DiscussionRow, loaded: LoadedNotes, facts) => ({
    id,
    individual_note: !notes.some(note => note.threaded),
    notes: notes.map(note => Note.present(note, loaded, facts)),
  }),
})

/** A thread that was just created, or the result of its quick actions if the text had nothing else. */
export const BegunDiscussion = entity({
  name: 'BegunDiscussion',
  schema: Type.Union([Discussion.schema, commandsSchema]),
  load: (ctx, rows: readonly (DiscussionRow | Commands)[]) =>
    loadNotes(
      ctx,
      rows.flatMap(row => (isCommands(row) ? [] : row.notes)),
    ),
  present: (row: DiscussionRow | Commands, loaded: LoadedNotes, facts) =>
    isCommands(row) ? { commands_changes: row.commands_changes, summary: [...row.summary] } : Discussion.present(row, loaded, facts),
})
