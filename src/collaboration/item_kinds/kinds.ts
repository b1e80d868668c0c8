/** Keys of items (issues, merge requests, epics) and commits in the rows that belong to them, and their tables. */

/** The item kinds, as references and events name them. */
export type ItemNoun = 'issue' | 'merge_request' | 'epic'

/** The kinds of what notes can be on: items and commits. */
export type NoteableNoun = ItemNoun | 'commit'

/** Maximum length of descriptions and notes, in characters: a megabyte of plain text. */
export const TEXT_LENGTH = 1024 * 1024

/** An item, as named by the rows that belong to it. */
export type ItemKey = { readonly issue_id: number } | { readonly merge_request_id: number } | { readonly epic_id: number }

/** What a note is on, as named by the rows that belong to it: an item, or a commit that is commented on. */
export type NoteableKey = ItemKey | { readonly commented_commit_id: number }

/** The columns that name the item of a row. */
export const itemColumns = ['issue_id', 'merge_request_id', 'epic_id'] as const

/** The columns that name what a note is on. */
export const noteableColumns = [...itemColumns, 'commented_commit_id'] as const

/** The columns of a note that name another item. */
export interface NamingColumns {
  readonly named_issue_id?: number | undefined
  readonly named_merge_request_id?: number | undefined
  readonly named_epic_id?: number | undefined
}

/** The columns of a note that names this item. */
export const namingOf = (key: ItemKey): NamingColumns => {
  const [column, id] = columnOf(key)
  return { [`named_${column}`]: id }
}

/** The column and id of a key, for conditions. */
export function columnOf(key: ItemKey): [column: ItemTables['key'], id: number]
export function columnOf(key: NoteableKey): [column: NoteableTables['key'], id: number]
export function columnOf(key: NoteableKey): [column: NoteableTables['key'], id: number] {
  if ('commented_commit_id' in key) return ['commented_commit_id', key.commented_commit_id]
  if ('issue_id' in key) return ['issue_id', key.issue_id]
  return 'epic_id' in key ? ['epic_id', key.epic_id] : ['merge_request_id', key.merge_request_id]
}

/** The key of the item of a kind with this id. */
export const keyIn = ({ key }: Pick<ItemTables, 'key'>, id: number): ItemKey =>
  key === 'issue_id' ? { issue_id: id } : key === 'epic_id' ? { epic_id: id } : { merge_request_id: id }

/** The key of the item that a row belongs to; undefined if it belongs to something else. */
export function keyOf(row: {
  readonly issue_id: number | null
  readonly merge_request_id: number | null
  readonly epic_id: number | null
}): ItemKey | undefined {
  if (row.issue_id !== null) return { issue_id: row.issue_id }
  if (row.merge_request_id !== null) return { merge_request_id: row.merge_request_id }
  return row.epic_id === null ? undefined : { epic_id: row.epic_id }
}

/** The key of what a note is on. */
export const noteableKeyOf = (row: Parameters<typeof keyOf>[0] & { readonly commented_commit_id: number | null }): NoteableKey =>
  row.commented_commit_id === null ? (keyOf(row) as ItemKey) : { commented_commit_id: row.commented_commit_id }

/** The names of the kinds in responses, such as `noteable_type`. */
export type ItemType = 'Issue' | 'MergeRequest' | 'Epic'
export type NoteableType = ItemType | 'Commit'

/** The name of an item's kind in responses. */
export function typeNameOf(key: NoteableKey): NoteableType {
  if ('commented_commit_id' in key) return 'Commit'
  return 'issue_id' in key ? 'Issue' : 'epic_id' in key ? 'Epic' : 'MergeRequest'
}

/** The id in a key. */
export const idIn = (key: NoteableKey): number => columnOf(key)[1]

/** The table of what notes can be on. */
export interface NoteableTables {
  readonly table: 'issues' | 'epics' | 'merge_requests' | 'commented_commits'
  /** The column that names the row in dependent tables. */
  readonly key: (typeof noteableColumns)[number]
}

/** The table of a kind, and the tables that belong to it. */
export interface ItemTables extends NoteableTables {
  readonly table: 'issues' | 'epics' | 'merge_requests'
  readonly labels: 'issue_labels' | 'epic_labels' | 'merge_request_labels'
  /** If missing, lists have no filter by assignee. */
  readonly assignees?: 'issue_assignees' | 'merge_request_assignees'
  /** The column that names the row in dependent tables. */
  readonly key: (typeof itemColumns)[number]
}
