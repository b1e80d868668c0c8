/** What people write on an epic's page. */
import { epicApi } from '../../planning/epics/item_kind/noteable.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { type InItem, itemComments } from '../items/comments.ts'
import { EPIC, inEpicPage } from './scope.ts'

export const {
  frameOf,
  commentSection,
  endpoints: epicComments,
} = itemComments({
  route: EPIC,
  scope: inEpicPage as unknown as Scope<InItem>,
  api: epicApi,
  resolvable: false,
  tab: 'epics',
  sigil: '&',
  readInternal: 'read_internal_epic_note',
  update: 'admin_epic',
})
