/** Saying something in a text that may have quick actions in it. */
import type { Context } from '../kernel/context.ts'
import { answerNote, createNote, type NewComment, type Thread } from '../notes/commands.ts'
import type { Commands, CommandsChanges } from '../notes/entity.ts'
import type { Noteable, TalkedIssue, TalkedMergeRequest } from '../notes/noteable.ts'
import type { NoteRow } from '../notes/queries.ts'
import { issueNote } from './issues.ts'
import { mergeRequestNote } from './merge_requests.ts'

/** A note with what its quick actions came to, or these alone. */
export type Said = (NoteRow & { readonly commands_changes: CommandsChanges }) | Commands

/** How it is said: alone, in a thread of its own, in one about a place in a diff, or in answer to a note. */
export type Manner = 'alone' | 'thread' | { readonly answering: NoteRow } | { readonly beginning: Thread }

/**
 * Says something about a thing, and does what the quick actions in it say.
 * @throws what createNote, updateIssue and the actions refuse
 */
export async function sayAsWritten(ctx: Context, noteable: Noteable, given: NewComment, manner: Manner): Promise<Said> {
  const say = (body: string): Promise<NoteRow> => {
    const comment = { ...given, body }
    if (manner === 'alone') return createNote(ctx, noteable, comment)
    if (manner === 'thread') return createNote(ctx, noteable, comment, {})
    return 'answering' in manner
      ? answerNote(ctx, noteable, manner.answering, comment)
      : createNote(ctx, noteable, comment, manner.beginning)
  }
  if (noteable.type === 'Epic') return { ...(await say(given.body)), commands_changes: {} }
  const { text, told, names, act } = await understood(ctx, noteable, given.body)
  const isActionsOnly = text.trim() === '' && given.body.trim() !== ''
  const note = isActionsOnly ? undefined : await say(text)
  if (names.length > 0) await act()
  if (note) return { ...note, commands_changes: told }
  return {
    commands_changes: told,
    summary: names.length > 0 ? summaryOf(names) : ['No quick action could be applied.'],
  }
}

const summaryOf = (names: readonly string[]): string[] => names.map(name => `Applied /${name}.`)

/** What is left of a text, and what its quick actions come to. */
const understood = (ctx: Context, noteable: TalkedIssue | TalkedMergeRequest, body: string) =>
  noteable.type === 'MergeRequest' ? mergeRequestNote(ctx, noteable, body) : issueNote(ctx, noteable, body)
