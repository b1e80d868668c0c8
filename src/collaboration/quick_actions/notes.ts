/** Creating and changing notes whose texts may contain quick actions. */
import type { Context } from '../../platform/kernel/context.ts'
import { readMentions } from '../mentions/process.ts'
import { createNote, type NewComment, type NoteChanges, removeNote, replyToNote, type Thread, updateNote } from '../notes/commands.ts'
import type { Commands, CommandsChanges } from '../notes/entity.ts'
import type { Noteable } from '../notes/items/noteable.ts'
import type { NoteRow } from '../notes/queries.ts'
import { readNote } from './with_quick_actions.ts'

/** A note with the effects of its quick actions, or these alone. */
export type NoteOrCommands = (NoteRow & { readonly commands_changes: CommandsChanges }) | Commands

/** How the note is created: individually, as a thread, as a thread on a diff, or in answer to a note. */
export type NotePlacement = 'alone' | 'thread' | { readonly answering: NoteRow } | { readonly beginning: Thread }

/**
 * Adds a note to an item and applies its quick actions.
 * @throws the refusals of createNote, updateIssue and the actions
 */
export async function createNoteWithQuickActions(
  ctx: Context,
  noteable: Noteable,
  given: NewComment,
  placement: NotePlacement,
): Promise<NoteOrCommands> {
  const say = (body: string): Promise<NoteRow> => {
    const comment = { ...given, body }
    if (placement === 'alone') return createNote(ctx, noteable, comment)
    if (placement === 'thread') return createNote(ctx, noteable, comment, {})
    return 'answering' in placement
      ? replyToNote(ctx, noteable, placement.answering, comment)
      : createNote(ctx, noteable, comment, placement.beginning)
  }
  const { text, reported, names, act } = await readNote(ctx, noteable, given.body)
  const isActionsOnly = text.trim() === '' && given.body.trim() !== ''
  const note = isActionsOnly ? undefined : await say(text)
  if (names.length > 0) await act()
  if (note) return { ...note, commands_changes: reported }
  return {
    commands_changes: reported,
    summary: names.length > 0 ? summaryOf(names) : ['No quick action could be applied.'],
  }
}

/**
 * Reads the mentions of a note as it will be kept, without its quick actions. For commands that add many notes: before they write the first of them.
 * @throws the refusals of reading its actions
 */
export async function readMentionsOfNote(ctx: Context, noteable: Noteable, body: string): Promise<void> {
  await readMentions((await readNote(ctx, noteable, body)).text)
}

/**
 * Changes a note and applies the quick actions of the new text. Contract: a note whose remaining text is empty is deleted (public
 * behaviour at 14.0); if no action could be applied it stays, and the response is a 400.
 * @throws the refusals of updateNote, updateIssue, updateMergeRequest and the actions
 */
export async function updateNoteWithQuickActions(
  ctx: Context,
  noteable: Noteable,
  note: NoteRow,
  given: NoteChanges,
): Promise<NoteOrCommands> {
  if (given.body === undefined) return { ...(await updateNote(ctx, noteable, note, given)), commands_changes: {} }
  const { text, reported, names, act } = await readNote(ctx, noteable, given.body)
  if (text.trim() === '' && names.length > 0) {
    await removeNote(ctx, noteable, note)
    await act()
    return { commands_changes: reported, summary: summaryOf(names) }
  }
  const changed = await updateNote(ctx, noteable, note, { ...given, body: text })
  if (names.length > 0) await act()
  return { ...changed, commands_changes: reported }
}

const summaryOf = (names: readonly string[]): string[] => names.map(name => `Applied /${name}.`)
