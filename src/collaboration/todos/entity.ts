/** A to-do item as JSON (document 3 "To-do item"). */

import Type, { type TSchema, type TUnsafe } from 'typebox'
import { presentSummary, summaryFields } from '../../identity/users/entity.ts'
import type { SummaryRow } from '../../identity/users/queries.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime, described, integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { type GroupRow, groupsById } from '../../spaces/groups/queries.ts'
import { type ProjectRow, projectsById } from '../../spaces/projects/queries.ts'
import { type AnsweredItem, itemKindOf, type TodoKind, todoKinds } from '../item_kinds/item_kind.ts'
import { type NoteableNoun, todoKeyOf } from '../item_kinds/kinds.ts'
import { type NoteRow, notesById } from '../notes/queries.ts'
import type { TodoRow } from './queries.ts'

/** The items of one kind that a page of to-do items is about, with what they are presented with. */
interface LoadedItems {
  readonly rows: Map<number, unknown>
  readonly loaded: unknown
}

interface Loaded {
  readonly items: ReadonlyMap<NoteableNoun, LoadedItems>
  readonly notes: Map<number, NoteRow>
  readonly authors: Map<number, SummaryRow>
  readonly projects: Map<number, ProjectRow>
  readonly groups: Map<number, GroupRow>
}

/** Loads the items of each kind, and then what they are presented with. */
async function loadItems(ctx: Context, rows: readonly TodoRow[]): Promise<Map<NoteableNoun, LoadedItems>> {
  const found: { kind: TodoKind; rows: Map<number, unknown> }[] = []
  for (const kind of todoKinds()) found.push({ kind, rows: await kind.answer.visibleById(ctx, idsOf(rows, kind.key)) })
  const items = new Map<NoteableNoun, LoadedItems>()
  for (const { kind, rows } of found) items.set(kind.noun, { rows, loaded: await kind.answer.load(ctx, [...rows.values()]) })
  return items
}

async function load(ctx: Context, rows: readonly TodoRow[]): Promise<Loaded> {
  const { db } = ctx
  return {
    items: await loadItems(ctx, rows),
    notes: await notesById(db, idsOf(rows, 'note_id')),
    authors: await usersById(db, idsOf(rows, 'author_id')),
    projects: await projectsById(db, idsOf(rows, 'project_id')),
    groups: await groupsById(db, idsOf(rows, 'namespace_id')),
  }
}

function target(kind: TodoKind, id: number, { items }: Loaded, facts: Facts) {
  const { rows, loaded } = items.get(kind.noun) as LoadedItems
  return kind.answer.present(rows.get(id), loaded, facts)
}

/** The project of a to-do item, or the group for an epic. */
function presentPlace(row: TodoRow, { projects, groups }: Loaded) {
  if (row.project_id === null) {
    const { id, name, path, full_path } = groups.get(row.namespace_id as number) as GroupRow
    return { group: { id, name, path, kind: 'group', full_path } }
  }
  const { id, name, full_name, path, full_path } = projects.get(row.project_id) as ProjectRow
  return { project: { id, name, name_with_namespace: full_name, path, path_with_namespace: full_path } }
}

/** The entity of to-do items for these item kinds. */
export const todoEntity = (kinds: readonly TodoKind[]) =>
  entity({
    name: 'Todo',
    schema: Type.Object({
      id: integer('ID, unique on the instance'),
      project: optional(
        described(
          "The project of the target; absent where it is a group's",
          Type.Object({
            id: integer('ID, unique on the instance'),
            name: text('Name'),
            name_with_namespace: text('Names of all parents and its own, with ` / ` between'),
            path: text('Last part of the path, as in addresses'),
            path_with_namespace: text('Path with those of all parents'),
          }),
        ),
      ),
      // Contract: to-do items of epics have a group instead of a project (to-do items API).
      group: optional(
        described(
          "The group of the target; absent where it is a project's",
          Type.Object({
            id: integer('ID, unique on the instance'),
            name: text('Name'),
            path: text('Last part of the path, as in addresses'),
            kind: text('Kind'),
            full_path: text('Path with those of all parents'),
          }),
        ),
      ),
      author: described('The user who caused the to-do item', Type.Object(summaryFields)),
      action_name: text('What was done, in words'),
      target_type: text('Kind of the target'),
      target: described(
        'What there is to do something about',
        Type.Union(kinds.map(kind => kind.answer.schema)) as TSchema as TUnsafe<AnsweredItem>,
      ),
      target_url: text("Address of the target's page"),
      body: text('Title or text of the target'),
      state: text('`pending` or `done`'),
      created_at: DateTime('When it was created'),
      updated_at: DateTime('When it was last changed'),
    }),
    load,
    present: (row: TodoRow, loaded: Loaded, facts) => {
      const [kind, id] = itemKindOf(todoKeyOf(row))
      const about = target(kind, id, loaded, facts)
      const note = row.note_id === null ? undefined : loaded.notes.get(row.note_id)
      return {
        id: row.id,
        ...presentPlace(row, loaded),
        author: presentSummary(loaded.authors.get(row.author_id) as SummaryRow, facts),
        action_name: row.action,
        target_type: kind.type,
        target: about,
        target_url: note ? `${about.web_url}#note_${note.id}` : about.web_url,
        // Contract: the text of the note, or the title of the item (to-do items API).
        body: note?.body ?? about.title,
        state: row.state,
        created_at: row.created_at,
        updated_at: row.updated_at,
      }
    },
  })
