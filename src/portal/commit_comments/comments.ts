/** What people write on a commit's page. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Scope } from '../../platform/kernel/declaration/scope.ts'
import { commitApi } from '../../review/commit_comments/noteable.ts'
import { type InItem, itemComments } from '../items/comments.ts'
import { isForScript } from '../merge_requests/review/addresses.ts'
import { threadElement } from '../merge_requests/review/thread_view.ts'
import { type AddressedCommit, COMMIT, commitPath, inCommentedPage, lineThreadsPath } from './scope.ts'

const addressed = (subjects: InItem): AddressedCommit => subjects as unknown as AddressedCommit

export const {
  frameOf,
  commentSection,
  endpoints: commitComments,
} = itemComments({
  route: COMMIT,
  scope: inCommentedPage as unknown as Scope<InItem>,
  api: commitApi,
  resolvable: false,
  tab: 'commits',
  sigil: '',
  readInternal: 'read_internal_commit_note',
  notesAlone: true,
  pageOf: subjects => commitPath(addressed(subjects)),
  nameOf: subjects => addressed(subjects).commit.commit.id.slice(0, 8),
  elsewhere: (ctx: Context & InItem, thread) =>
    isForScript(ctx) ? lineThreadsPath(addressed(ctx), thread === undefined ? [] : [threadElement(thread)]) : undefined,
})
