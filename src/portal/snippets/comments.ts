/** What people write on the page of a snippet of a project. */
import { snippetApi } from '../../collaboration/snippets/item_kind/noteable.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { type InItem, itemComments } from '../items/comments.ts'
import { inProjectSnippetPage, SNIPPET } from './scope.ts'

export const {
  frameOf,
  commentSection,
  endpoints: snippetComments,
} = itemComments({
  route: SNIPPET,
  scope: inProjectSnippetPage as unknown as Scope<InItem>,
  api: snippetApi,
  resolvable: false,
  tab: 'snippets',
  sigil: '$',
  readInternal: 'read_internal_snippet_note',
})
