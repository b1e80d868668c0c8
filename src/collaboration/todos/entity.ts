/** A to-do item as JSON (document 3 "To-do item"). */
import Type from 'typebox'
import { presentSummary, type SummaryRow, summaryFields } from '../../identity/users/entity.ts'
import { idsOf, usersById } from '../../identity/users/queries.ts'
import { Epic } from '../../planning/epics/entity.ts'
import { type EpicRow, visibleEpicsById } from '../../planning/epics/queries.ts'
import { Issue } from '../../planning/issues/entity.ts'
import { type IssueRow, visibleIssuesById } from '../../planning/issues/queries.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context, Facts } from '../../platform/kernel/context.ts'
import { DateTime } from '../../platform/kernel/types.ts'
import { MergeRequest } from '../../review/merge_requests/entity.ts'
import { type MergeRequestRow, visibleMergeRequestsById } from '../../review/merge_requests/queries.ts'
import { type GroupRow, groupsById } from '../../spaces/groups/queries.ts'
import { type ProjectRow, projectsById } from '../../spaces/projects/queries.ts'
import { keyOf, type ThingKey, typeNameOf } from '../item_kinds/kinds.ts'
import { type NoteRow, notesById } from '../notes/queries.ts'
import type { TodoRow } from './queries.ts'

interface Loaded {
  readonly issues: Map<number, IssueRow>
  readonly ofIssues: Parameters<typeof Issue.present>[1]
  readonly mergeRequests: Map<number, MergeRequestRow>
  readonly ofMergeRequests: Parameters<typeof MergeRequest.present>[1]
  readonly epics: Map<number, EpicRow>
  readonly ofEpics: Parameters<typeof Epic.present>[1]
  readonly notes: Map<number, NoteRow>
  readonly authors: Map<number, SummaryRow>
  readonly projects: Map<number, ProjectRow>
  readonly groups: Map<number, GroupRow>
}

async function load(ctx: Context, rows: readonly TodoRow[]): Promise<Loaded> {
  const { db, actor } = ctx
  const issues = await visibleIssuesById(db, actor, idsOf(rows, 'issue_id'), null)
  const mergeRequests = await visibleMergeRequestsById(db, actor, idsOf(rows, 'merge_request_id'), null)
  const epics = await visibleEpicsById(db, actor, idsOf(rows, 'epic_id'))
  return {
    issues,
    ofIssues: await Issue.load!(ctx, [...issues.values()]),
    mergeRequests,
    ofMergeRequests: await MergeRequest.load!(ctx, [...mergeRequests.values()]),
    epics,
    ofEpics: await Epic.load!(ctx, [...epics.values()]),
    notes: await notesById(db, idsOf(rows, 'note_id')),
    authors: await usersById(db, idsOf(rows, 'author_id')),
    projects: await projectsById(db, idsOf(rows, 'project_id')),
    groups: await groupsById(db, idsOf(rows, 'namespace_id')),
  }
}

const target = (key: ThingKey, loaded: Loaded, facts: Facts) => {
  if ('issue_id' in key) return Issue.present(loaded.issues.get(key.issue_id) as IssueRow, loaded.ofIssues, facts)
  if ('epic_id' in key) return Epic.present(loaded.epics.get(key.epic_id) as EpicRow, loaded.ofEpics, facts)
  return MergeRequest.present(loaded.mergeRequests.get(key.merge_request_id) as MergeRequestRow, loaded.ofMergeRequests, facts)
}

/** The project of what there is to do; of an epic its group. */
function presentPlace(row: TodoRow, { projects, groups }: Loaded) {
  if (row.project_id === null) {
    const { id, name, path, full_path } = groups.get(row.namespace_id as number) as GroupRow
    return { group: { id, name, path, kind: 'group', full_path } }
  }
  const { id, name, full_name, path, full_path } = projects.get(row.project_id) as ProjectRow
  return { project: { id, name, name_with_namespace: full_name, path, path_with_namespace: full_path } }
}

export const Todo = entity({
  name: 'Todo',
  schema: Type.Object({
    id: Type.Integer(),
    project: Type.Optional(
      Type.Object({
        id: Type.Integer(),
        name: Type.String(),
        name_with_namespace: Type.String(),
        path: Type.String(),
        path_with_namespace: Type.String(),
      }),
    ),
    // Contract: what there is to do about an epic is in its group (to-do items API).
    group: Type.Optional(
      Type.Object({ id: Type.Integer(), name: Type.String(), path: Type.String(), kind: Type.String(), full_path: Type.String() }),
    ),
    author: Type.Object(summaryFields),
    action_name: Type.String(),
    target_type: Type.String(),
    target: Type.Union([Issue.schema, MergeRequest.schema, Epic.schema]),
    target_url: Type.String(),
    body: Type.String(),
    state: Type.String(),
    created_at: DateTime(),
    updated_at: DateTime(),
  }),
  load,
  present: (row: TodoRow, loaded: Loaded, facts) => {
    const key = keyOf(row) as ThingKey
    const about = target(key, loaded, facts)
    const note = row.note_id === null ? undefined : loaded.notes.get(row.note_id)
    return {
      id: row.id,
      ...presentPlace(row, loaded),
      author: presentSummary(loaded.authors.get(row.author_id) as SummaryRow, facts),
      action_name: row.action,
      target_type: typeNameOf(key),
      target: about,
      target_url: note ? `${about.web_url}#note_${note.id}` : about.web_url,
      // Contract: what was said, or the title of what there is to do (to-do items API).
      body: note?.body ?? about.title,
      state: row.state,
      created_at: row.created_at,
      updated_at: row.updated_at,
    }
  },
})
