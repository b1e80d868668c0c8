/** What people write on an issue's page. */
import { issueApi } from '../../planning/issues/item_kind/noteable.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { type InItem, itemComments } from '../items/comments.ts'
import { ISSUE, inIssuePage } from './scope.ts'

export const {
  frameOf,
  commentSection,
  endpoints: issueComments,
} = itemComments({
  route: ISSUE,
  scope: inIssuePage as unknown as Scope<InItem>,
  api: issueApi,
  resolvable: false,
  tab: 'issues',
  sigil: '#',
  readInternal: 'read_internal_note',
  update: 'update_issue',
})
