/** Snippets of projects as a kind of what notes are on (item_kinds/item_kind.ts). */
import type { NamedKind } from '../../item_kinds/item_kind.ts'
import { snippetsNamed } from '../queries.ts'
import { snippetVisibleTo } from '../visible.ts'
import { type NoteableSnippet, snippetApi } from './noteable.ts'
import { snippetTextPlace } from './readers.ts'

export const snippetKind: NamedKind = {
  table: 'snippets',
  key: 'snippet_id',
  noun: 'snippet',
  type: 'Snippet',
  within: 'project',
  sigil: '$',
  from: 'snippets',
  resolvable: false,
  api: snippetApi,
  notesApi: snippetApi,
  readInternal: 'read_internal_snippet_note',
  pageOf: (path, id) => `${path}/-/snippets/${id}`,
  visible: snippetVisibleTo,
  named: snippetsNamed,
  textPlace: ({ project, item }: NoteableSnippet) => snippetTextPlace(project, item),
  // Neither is stored with a snippet.
  countNotes: async () => {},
  countAward: async () => {},
}
