/** Keys of items (issues, merge requests, epics), commits and snippets in the rows that belong to them, and their tables. */

/** The item kinds, as references and events name them. */
export type ItemNoun = 'issue' | 'merge_request' | 'epic'

/** The kinds of what notes can be on: items, commits and snippets. */
export type NoteableNoun = ItemNoun | 'commit' | 'snippet'

/** Maximum length of descriptions and notes, in characters: a megabyte of plain text. */
export const TEXT_LENGTH = 1024 * 1024

/** An item, as named by the rows that belong to it. */
export type ItemKey = { readonly issue_id: number } | { readonly merge_request_id: number } | { readonly epic_id: number }

/** What a note is on, as named by the rows that belong to it: an item, a commit that is commented on, or a snippet. */
export type NoteableKey = TodoKey | { readonly snippet_id: number }

/** The same of what to-do items can be about: snippets have none. */
export type TodoKey = ItemKey | { readonly commented_commit_id: number }

/** Can to-do items be about this? */
export const isTodoKey = <K extends NoteableKey>(key: K): key is Exclude<K, { readonly snippet_id: number }> => !('snippet_id' in key)

/** The columns that name the item of a row. */
export const itemColumns = ['issue_id', 'merge_request_id', 'epic_id'] as const

/** The columns that name what a note is on. */
export const noteableColumns = [...itemColumns, 'commented_commit_id', 'snippet_id'] as const

/** The columns of a note that name another item. */
export interface NamingColumns {
  readonly named_issue_id?: number | undefined
  readonly named_merge_request_id?: number | undefined
  readonly named_epic_id?: number | undefined
  readonly named_snippet_id?: number | undefined
}

/** The columns of a note that names this item. */
export const namingOf = (key: ItemKey): NamingColumns => {
  const [column, id] = columnOf(key)
  return { [`named_${column}`]: id }
}

/** An item or snippet: what can be reacted to, besides notes. */
export type AwardableKey = ItemKey | { readonly snippet_id: number }

/** The column and id of a key, for conditions. */
export function columnOf(key: ItemKey): [column: ItemTables['key'], id: number]
export function columnOf(key: AwardableKey): [column: Exclude<NoteableTables['key'], 'commented_commit_id'>, id: number]
export function columnOf(key: TodoKey): [column: Exclude<NoteableTables['key'], 'snippet_id'>, id: number]
export function columnOf(key: NoteableKey): [column: NoteableTables['key'], id: number]
export function columnOf(key: NoteableKey): [column: NoteableTables['key'], id: number] {
  if ('commented_commit_id' in key) return ['commented_commit_id', key.commented_commit_id]
  if ('snippet_id' in key) return ['snippet_id', key.snippet_id]
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
export const noteableKeyOf = ({ snippet_id, ...row }: TodoColumns & { readonly snippet_id: number | null }): NoteableKey =>
  snippet_id === null ? todoKeyOf(row) : { snippet_id }

type TodoColumns = Parameters<typeof keyOf>[0] & { readonly commented_commit_id: number | null }

/** The key of what a to-do item is about. */
export const todoKeyOf = (row: TodoColumns): TodoKey =>
  row.commented_commit_id === null ? (keyOf(row) as ItemKey) : { commented_commit_id: row.commented_commit_id }

/** The names of the kinds in responses, such as `noteable_type`. */
export type ItemType = 'Issue' | 'MergeRequest' | 'Epic'
export type NoteableType = ItemType | 'Commit' | 'Snippet'

/** The name of an item's kind in responses. */
export function typeNameOf(key: NoteableKey): NoteableType {
  if ('commented_commit_id' in key) return 'Commit'
  if ('snippet_id' in key) return 'Snippet'
  return 'issue_id' in key ? 'Issue' : 'epic_id' in key ? 'Epic' : 'MergeRequest'
}

/** The id in a key. */
export const idIn = (key: NoteableKey): number => columnOf(key)[1]

/** The table of what notes can be on. */
export interface NoteableTables {
  readonly table: 'issues' | 'epics' | 'merge_requests' | 'commented_commits' | 'snippets'
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
