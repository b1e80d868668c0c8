/** Saying something, and changing what was said, in a text that may have quick actions in it. */
import type { Context } from '../../platform/kernel/context.ts'
import { answerNote, createNote, type NewComment, type NoteChanges, removeNote, type Thread, updateNote } from '../notes/commands.ts'
import type { Commands, CommandsChanges } from '../notes/entity.ts'
import type { Noteable } from '../notes/noteable.ts'
import type { NoteRow } from '../notes/queries.ts'
import { readNote } from './with_quick_actions.ts'

/** A note with what its quick actions came to, or these alone. */
export type Said = (NoteRow & { readonly commands_changes: CommandsChanges }) | Commands

/** How it is said: alone, in a thread of its own, in one about a place in a diff, or in answer to a note. */
export type Manner = 'alone' | 'thread' | { readonly answering: NoteRow } | { readonly beginning: Thread }

/**
 * Says something about an item, and does what the quick actions in it say.
 * @throws what createNote, updateIssue and the actions refuse
 */
export async function createNoteWithQuickActions(ctx: Context, noteable: Noteable, given: NewComment, manner: Manner): Promise<Said> {
  const say = (body: string): Promise<NoteRow> => {
    const comment = { ...given, body }
    if (manner === 'alone') return createNote(ctx, noteable, comment)
    if (manner === 'thread') return createNote(ctx, noteable, comment, {})
    return 'answering' in manner
      ? answerNote(ctx, noteable, manner.answering, comment)
      : createNote(ctx, noteable, comment, manner.beginning)
  }
  const { text, told, names, act } = await readNote(ctx, noteable, given.body)
  const isActionsOnly = text.trim() === '' && given.body.trim() !== ''
  const note = isActionsOnly ? undefined : await say(text)
  if (names.length > 0) await act()
  if (note) return { ...note, commands_changes: told }
  return {
    commands_changes: told,
    summary: names.length > 0 ? summaryOf(names) : ['No quick action could be applied.'],
  }
}

/**
 * Changes what somebody has said, and does what the quick actions in the new text say. Contract: a note that is left without a text by
 * that is gone (public behaviour at 14.0); where none of them could be applied it stays, and that is a 400.
 * @throws what updateNote, updateIssue, updateMergeRequest and the actions refuse
 */
export async function updateNoteWithQuickActions(ctx: Context, noteable: Noteable, note: NoteRow, given: NoteChanges): Promise<Said> {
  if (given.body === undefined) return { ...(await updateNote(ctx, noteable, note, given)), commands_changes: {} }
  const { text, told, names, act } = await readNote(ctx, noteable, given.body)
  if (text.trim() === '' && names.length > 0) {
    await removeNote(ctx, noteable, note)
    await act()
    return { commands_changes: told, summary: summaryOf(names) }
  }
  const changed = await updateNote(ctx, noteable, note, { ...given, body: text })
  if (names.length > 0) await act()
  return { ...changed, commands_changes: told }
}

const summaryOf = (names: readonly string[]): string[] => names.map(name => `Applied /${name}.`)
