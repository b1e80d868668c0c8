/** The kinds of things that are planned with, as the conditions and orders of lists need to know them. */

/** A thing that is planned with, as the rows that hang on it name it. */
export type ThingKey = { readonly issue_id: number } | { readonly merge_request_id: number } | { readonly epic_id: number }

/** The column and the id of a key, for conditions. */
export const columnOf = (key: ThingKey): [column: NoteableKind['key'], id: number] =>
  'issue_id' in key ? ['issue_id', key.issue_id] : 'epic_id' in key ? ['epic_id', key.epic_id] : ['merge_request_id', key.merge_request_id]

/** The key of the thing that a row hangs on; undefined for a row that hangs on something else. */
export function keyOf(row: {
  readonly issue_id: number | null
  readonly merge_request_id: number | null
  readonly epic_id: number | null
}): ThingKey | undefined {
  if (row.issue_id !== null) return { issue_id: row.issue_id }
  if (row.merge_request_id !== null) return { merge_request_id: row.merge_request_id }
  return row.epic_id === null ? undefined : { epic_id: row.epic_id }
}

/** The names of the kinds in answers, as `noteable_type` and the like have them. */
export const typeNameOf = (key: ThingKey): 'Issue' | 'MergeRequest' | 'Epic' =>
  'issue_id' in key ? 'Issue' : 'epic_id' in key ? 'Epic' : 'MergeRequest'

/** The id in a key. */
export const idIn = (key: ThingKey): number => columnOf(key)[1]

/** A table with what hangs on its rows. */
export interface NoteableKind {
  readonly table: 'issues' | 'epics' | 'merge_requests'
  readonly labels: 'issue_labels' | 'epic_labels' | 'merge_request_labels'
  /** Where there are none, lists take no filter by assignee. */
  readonly assignees?: 'issue_assignees' | 'merge_request_assignees'
  /** The column that names the row in the tables that hang on it. */
  readonly key: 'issue_id' | 'epic_id' | 'merge_request_id'
}

export const issueKind: NoteableKind = { table: 'issues', labels: 'issue_labels', assignees: 'issue_assignees', key: 'issue_id' }

export const epicKind: NoteableKind = { table: 'epics', labels: 'epic_labels', key: 'epic_id' }

export const mergeRequestKind: NoteableKind = {
  table: 'merge_requests',
  labels: 'merge_request_labels',
  assignees: 'merge_request_assignees',
  key: 'merge_request_id',
}
