/** A note as JSON (document 3 "Note created by the promote quick action"; notes API at 14.0). */

import Type from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import type { StatusOf } from '../../platform/kernel/declaration/endpoint.ts'
import { DateTime, described, flag, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import { idIn, noteableKeyOf, typeNameOf } from '../item_kinds/kinds.ts'
import { Suggestion } from '../suggestions/entity.ts'
import { type SuggestionRow, suggestionsOf } from '../suggestions/queries.ts'
import { type Position, Position as PositionSchema } from './positions/position.ts'
import type { NoteRow } from './queries.ts'

/** Results of the quick actions of a text, under their public names. */
export type CommandsChanges = Readonly<Record<string, unknown>>

/** Result of a text with nothing but quick actions. */
export interface Commands {
  readonly commands_changes: CommandsChanges
  /** One sentence for each applied action. */
  readonly summary: readonly string[]
}

/** A note; one that was just written also has the results of its quick actions. */
export type ShownNote = NoteRow & { readonly commands_changes?: CommandsChanges }

export const noteFields = {
  id: integer('ID, unique on the instance'),
  // Contract: null for an individual note, `DiscussionNote` in a thread, `DiffNote` in a thread on a diff (notes API).
  type: Nullable(text('`DiffNote`, `DiscussionNote` or null for a plain note')),
  body: text('Text in Markdown'),
  // Contract: files are linked in the text; there are no attachments (notes API).
  attachment: described('Deprecated; always null', Type.Null()),
  author: described('The user who wrote it', Type.Object(summaryFields)),
  created_at: DateTime('When it was created'),
  updated_at: DateTime('When it was last changed'),
  system: flag('Whether the server wrote the note'),
  noteable_id: integer('ID of what the note is on'),
  noteable_type: text('Kind of what the note is on'),
  noteable_iid: Nullable(integer('Number of what the note is on, within its project or group; null where it is on a commit or snippet')),
  project_id: Nullable(integer('ID of the project; null where the note is on an epic')),
  // Contract: only for notes on a commit, and on a diff or a commit of a merge request (discussions API).
  commit_id: optional(Nullable(text('ID of the commit that the note is on; null where it is on something else'))),
  position: optional(described('Where the note stands in the difference', PositionSchema)),
  // Contract: the suggestions of the note (public behaviour after 14.0).
  suggestions: optional(described('Suggestions in the note', Type.Array(Suggestion.schema))),
  // Contract: only threads of merge requests can be resolved; others lack the next three fields (discussions API).
  resolvable: flag('Whether the note can be resolved'),
  resolved: optional(flag('Whether the thread is resolved')),
  resolved_by: optional(Nullable(described('The user who resolved it; null until then', Type.Object(summaryFields)))),
  resolved_at: optional(Nullable(DateTime('When it was resolved; null until then'))),
  confidential: flag('Whether only members with the Reporter role or higher, authors and assignees may see it'),
  // Contract: the newer name of `confidential` (public behaviour after 14.0).
  internal: flag('Whether only members with the Reporter role or higher may see it'),
  commands_changes: described('Attributes that quick actions changed', Type.Record(Type.String(), Type.Unknown())),
}

/** What a page of notes shows besides its rows. */
export interface LoadedNotes {
  readonly people: Map<number, SummaryRow>
  readonly suggestions: Map<number, SuggestionRow[]>
}

export const loadNotes = async ({ db }: Context, rows: readonly ShownNote[]): Promise<LoadedNotes> => ({
  people: await usersById(db, [...new Set([...idsOf(rows, 'author_id'), ...idsOf(rows, 'resolved_by_id')])]),
  suggestions: await suggestionsOf(
    db,
    rows.filter(row => row.position !== null).map(row => row.id),
  ),
})

/** The fields of notes with a position in a diff. */
function placing(row: ShownNote, { suggestions }: LoadedNotes, facts: Facts) {
  if (row.position === null) return {}
  return {
    commit_id: row.commented_sha ?? row.commit_id,
    position: row.position as unknown as Position,
    suggestions: (suggestions.get(row.id) ?? []).map(suggestion => Suggestion.present(suggestion, undefined, facts)),
  }
}

/** The fields of notes that can be resolved. */
function resolution(row: ShownNote, people: Map<number, SummaryRow>, facts: Facts) {
  if (!row.resolvable) return {}
  const by = row.resolved_by_id === null ? undefined : people.get(row.resolved_by_id)
  return { resolved: row.resolved_at !== null, resolved_by: by ? presentSummary(by, facts) : null, resolved_at: row.resolved_at }
}

export const Note = entity({
  name: 'Note',
  schema: Type.Object(noteFields),
  load: loadNotes,
  present: (row: ShownNote, loaded: LoadedNotes, facts) => ({
    id: row.id,
    type: row.position !== null ? 'DiffNote' : row.threaded ? 'DiscussionNote' : null,
    body: row.body,
    attachment: null,
    author: presentSummary(loaded.people.get(row.author_id) as SummaryRow, facts),
    created_at: row.created_at,
    updated_at: row.updated_at,
    system: row.action !== null,
    noteable_id: idIn(noteableKeyOf(row)),
    noteable_type: typeNameOf(noteableKeyOf(row)),
    noteable_iid: row.noteable_iid,
    project_id: row.project_id,
    ...(row.commented_sha === null ? {} : { commit_id: row.commented_sha }),
    ...placing(row, loaded, facts),
    resolvable: row.resolvable,
    ...resolution(row, loaded.people, facts),
    confidential: row.confidential,
    internal: row.confidential,
    commands_changes: row.commands_changes ?? {},
  }),
})

export const commandsSchema = Type.Object({
  commands_changes: described('Attributes that quick actions changed', Type.Record(Type.String(), Type.Unknown())),
  summary: described('What the quick actions did, in words', Type.Array(Type.String())),
})

export const isCommands = (said: object): said is Commands => 'summary' in said

/** 201 for a new note, 202 for quick actions only. */
export const createdStatus: StatusOf<object> = { among: [201, 202], of: said => (isCommands(said) ? 202 : 201) }

/** 200 for a changed note, 202 for quick actions only. */
export const changedStatus: StatusOf<object> = { among: [200, 202], of: said => (isCommands(said) ? 202 : 200) }

/** A note that was just written, or the result of its quick actions if the text had nothing else. */
export const SaidNote = entity({
  name: 'SaidNote',
  schema: Type.Union([Note.schema, commandsSchema]),
  load: (ctx, rows: readonly (ShownNote | Commands)[]) =>
    loadNotes(
      ctx,
      rows.flatMap(row => (isCommands(row) ? [] : [row])),
    ),
  present: (row: ShownNote | Commands, loaded: LoadedNotes, facts) =>
    isCommands(row) ? { commands_changes: row.commands_changes, summary: [...row.summary] } : Note.present(row, loaded, facts),
})
