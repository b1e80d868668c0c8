/** A note as JSON (document 3 "Note created by the promote quick action"; notes API at 14.0). */
import Type from 'typebox'
import { presentSummary, type SummaryRow, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import type { StatusOf } from '../../platform/kernel/endpoint.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import { idIn, keyOf, typeNameOf } from '../item_kinds/kinds.ts'
import { Suggestion } from '../suggestions/entity.ts'
import { type SuggestionRow, suggestionsOf } from '../suggestions/queries.ts'
import { type Position, Position as PositionSchema } from './position.ts'
import type { NoteRow } from './queries.ts'

/** What the quick actions of a text came to, under their public names. */
export type CommandsChanges = Readonly<Record<string, unknown>>

/** What quick actions came to where nothing was left to say. */
export interface Commands {
  readonly commands_changes: CommandsChanges
  /** What was done, a sentence each. */
  readonly summary: readonly string[]
}

/** A note; one that was just written also says what its quick actions came to. */
export type ShownNote = NoteRow & { readonly commands_changes?: CommandsChanges }

export const noteFields = {
  id: Type.Integer(),
  // Contract: null for a note that stands alone, `DiscussionNote` in a thread, `DiffNote` in one about a diff (notes API).
  type: Nullable(Type.String()),
  body: Type.String(),
  // Contract: files are named in the text and never attached beside it (notes API).
  attachment: Type.Null(),
  author: Type.Object(summaryFields),
  created_at: DateTime(),
  updated_at: DateTime(),
  system: Type.Boolean(),
  noteable_id: Type.Integer(),
  noteable_type: Type.String(),
  noteable_iid: Type.Integer(),
  project_id: Nullable(Type.Integer()),
  // Contract: of what is said about a diff or a commit of a merge request alone (discussions API).
  commit_id: Type.Optional(Nullable(Type.String())),
  position: Type.Optional(PositionSchema),
  // Contract: what it suggests to change (public behaviour after 14.0).
  suggestions: Type.Optional(Type.Array(Suggestion.schema)),
  // Contract: threads of merge requests can be resolved, others cannot and lack the next three (discussions API).
  resolvable: Type.Boolean(),
  resolved: Type.Optional(Type.Boolean()),
  resolved_by: Type.Optional(Nullable(Type.Object(summaryFields))),
  resolved_at: Type.Optional(Nullable(DateTime())),
  confidential: Type.Boolean(),
  // Contract: the newer name of `confidential` (public behaviour after 14.0).
  internal: Type.Boolean(),
  commands_changes: Type.Record(Type.String(), Type.Unknown()),
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

/** What is shown of notes about a place in a diff. */
function placing(row: ShownNote, { suggestions }: LoadedNotes, facts: Facts) {
  if (row.position === null) return {}
  return {
    commit_id: row.commit_id,
    position: row.position as unknown as Position,
    suggestions: (suggestions.get(row.id) ?? []).map(suggestion => Suggestion.present(suggestion, undefined, facts)),
  }
}

/** What is shown of notes that can be resolved. */
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
    noteable_id: idIn(keyOf(row)!),
    noteable_type: typeNameOf(keyOf(row)!),
    noteable_iid: row.noteable_iid,
    project_id: row.project_id,
    ...placing(row, loaded, facts),
    resolvable: row.resolvable,
    ...resolution(row, loaded.people, facts),
    confidential: row.confidential,
    internal: row.confidential,
    commands_changes: row.commands_changes ?? {},
  }),
})

export const commandsSchema = Type.Object({
  commands_changes: Type.Record(Type.String(), Type.Unknown()),
  summary: Type.Array(Type.String()),
})

export const isCommands = (said: object): said is Commands => 'summary' in said

/** 201 for what was said, 202 for what was only done. */
export const saidStatus: StatusOf<object> = { among: [201, 202], of: said => (isCommands(said) ? 202 : 201) }

/** The same for what is changed: 200, or 202. */
export const changedStatus: StatusOf<object> = { among: [200, 202], of: said => (isCommands(said) ? 202 : 200) }

/** A note that was just written, or what its quick actions came to where these were all of it. */
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
