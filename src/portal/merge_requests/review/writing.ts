/** Replies in threads of the changes, drafts, and the submission of a review. */
import { discussionEndpoints } from '../../../collaboration/discussions/endpoints.ts'
import type { DiscussionRow } from '../../../collaboration/discussions/queries.ts'
import { resolveThread } from '../../../collaboration/discussions/resolution.ts'
import { inDiscussion } from '../../../collaboration/discussions/scope.ts'
import { Body } from '../../../collaboration/notes/params.ts'
import { presentAll } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import type { Scope } from '../../../platform/kernel/declaration/scope.ts'
import { flag, optional } from '../../../platform/kernel/declaration/types.ts'
import { action } from '../../../platform/pages/forms/action.ts'
import { declarationOf } from '../../../platform/pages/forms/declared.ts'
import type { FieldSpec } from '../../../platform/pages/forms/fields.ts'
import { form } from '../../../platform/pages/forms/form.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { Approvals } from '../../../review/approvals/entity.ts'
import { deleteDraft, publishAllDrafts, updateDraft } from '../../../review/draft_notes/endpoints.ts'
import type { DraftRow } from '../../../review/draft_notes/queries.ts'
import { draftNoteIn } from '../../../review/draft_notes/scope.ts'
import { mergeRequestApi } from '../../../review/merge_requests/item_kind/noteable.ts'
import { latestSpan } from '../../../review/merge_requests/versions/queries.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { typed } from '../../items/comment_fields.ts'
import { frameOf } from '../comments.ts'
import type { Caller, InMergeRequest } from '../page.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'
import { besideChanges, changesAt, isForScript, threadsPath } from './addresses.ts'
import { draftElement, draftFrame, draftThread } from './draft_view.ts'
import { loadDrafts } from './drafts.ts'
import { addToReview, draftParam, orDraft } from './or_draft.ts'
import { pathOf } from './places.ts'
import { reviewFrame } from './review.ts'
import { threadElement } from './thread_view.ts'

const answer = declarationOf(discussionEndpoints(mergeRequestApi, true), 'POST', /:discussion_id\/notes$/)

const inThread = inDiscussion(inMergeRequestPage as never) as unknown as Scope<InMergeRequest & { readonly discussion: DiscussionRow }>
const inDraft = draftNoteIn(inMergeRequestPage as never, 'inDraftNotePage') as unknown as Scope<
  InMergeRequest & { readonly draft: DraftRow }
>

/** A reply that resolves the thread where the caller says so. */
const reply: Endpoint = orDraft({
  ...answer,
  async run(ctx: Caller & { readonly discussion: DiscussionRow; readonly params: { readonly resolve?: boolean } }) {
    const { resolve, ...params } = ctx.params
    const said = await answer.run({ ...ctx, params })
    if (resolve) await resolveThread(ctx, ctx.noteable, ctx.discussion.notes, true)
    return said
  },
})

const frame = (title: string) => (ctx: Context & InMergeRequest) => ({
  title: `${title} !${ctx.mergeRequest.iid}`,
  place: projectPlace(ctx.actor, ctx.project, 'merge_requests'),
  scripts: ['markdown_editor.js'],
})

const bodyField = (ctx: InMergeRequest, name: string, label = 'Comment'): FieldSpec => ({
  name,
  label,
  control: 'markdown',
  base: projectPath(ctx.project, '/-'),
  hint: '',
  autofocus: true,
})

/** Where the changes show what a thread or draft is about. */
const backTo = (ctx: Caller, position: unknown, element: string): string | Promise<string> =>
  isForScript(ctx) ? threadsPath(ctx, [element]) : changesAt(ctx, pathOf((position ?? {}) as object), element)

const replying = form<InMergeRequest & { readonly discussion: DiscussionRow }>({
  path: `${MERGE_REQUEST}/diffs/threads/:discussion_id/reply`,
  summary: 'Reply to a thread on the changes of a merge request',
  scope: inThread,
  of: reply,
  instead: {
    of: ['body', 'created_at', 'confidential', 'internal'],
    params: { body: Body, resolve: optional(flag('Whether it resolves the thread')), draft: draftParam },
    adapt: async (_ctx, { body, draft, resolve }) => ({ body: typed(body), draft, resolve }),
  },
  fields: ctx => [
    bodyField(ctx, 'body'),
    ...(frameOf(ctx).mayResolve && ctx.discussion.notes.some(note => note.resolvable && note.resolved_at === null)
      ? [{ name: 'resolve', label: 'Resolve the thread', hint: '' } as const]
      : []),
  ],
  second: () => addToReview,
  next: ctx => backTo(ctx, ctx.discussion.notes[0]?.position, threadElement(ctx.discussion.id)),
  cancel: ctx => mergeRequestPath(ctx, `/diffs/threads/${ctx.discussion.id}`),
  notice: 'The comment was added.',
  button: 'Reply',
  within: ({ discussion }) => `reply-${discussion.id}`,
  frame: frame('Reply in a thread on'),
})

const editing = form<InMergeRequest & { readonly draft: DraftRow }>({
  path: `${MERGE_REQUEST}/diffs/drafts/:draft_note_id/edit`,
  summary: 'Change a draft of a review',
  scope: inDraft,
  of: updateDraft,
  instead: {
    of: ['note', 'position', 'confidential', 'internal'],
    params: { note: Body },
    adapt: async (_ctx, { note }) => ({ note: typed(note) }),
  },
  fields: ctx => [bodyField(ctx, 'note')],
  values: ({ draft }) => ({ note: draft.note }),
  next: ctx => backTo(ctx, ctx.draft.position, elementOfDraft(ctx.draft)),
  cancel: ctx => mergeRequestPath(ctx, '/diffs'),
  notice: 'The draft was changed.',
  button: 'Save',
  within: ({ draft }) => draftFrame(draft.id),
  frame: frame('Change a draft for'),
})

/** A reply is shown with its thread. */
const elementOfDraft = ({ id, discussion_id }: DraftRow): string =>
  discussion_id === null ? draftElement(id) : threadElement(discussion_id)

/** Whether the caller can approve now. */
async function mayApprove(ctx: Context & InMergeRequest): Promise<boolean> {
  const [approvals] = await presentAll(Approvals, ctx, [{ project: ctx.project, mergeRequest: ctx.mergeRequest }])
  const { user_can_approve, user_has_approved } = approvals as unknown as Record<'user_can_approve' | 'user_has_approved', boolean>
  return ctx.mergeRequest.state === 'opened' && user_can_approve && !user_has_approved
}

/** The drafts that are about to be published. Of a thread that is gone the reply cannot be; it says so before. */
async function draftsView(ctx: Context & InMergeRequest): Promise<Html> {
  const drafts = await loadDrafts(ctx)
  const shown = { ...(await reviewFrame(ctx, latestSpan(ctx.mergeRequest), [])), drafts, isApart: true }
  if (drafts.all.length === 0) return html`<p class="muted">There are no drafts. A comment in the changes can be added to a review.</p>`
  return html`<div class="stack section">${drafts.all.map(draft => draftThread(shown, draft))}</div>`
}

const submission = form<InMergeRequest>({
  path: `${MERGE_REQUEST}/diffs/review`,
  summary: 'Submit a review of a merge request',
  scope: inMergeRequestPage,
  of: publishAllDrafts,
  fields: async ctx => [
    { ...bodyField(ctx, 'note', 'Summary'), hint: 'A comment on the whole.' },
    ...((await mayApprove(ctx))
      ? ([
          { name: 'approve', label: 'Approve', hint: '' },
          { name: 'sha', control: 'hidden' },
        ] as const)
      : []),
  ],
  values: ({ mergeRequest }) => ({ sha: mergeRequest.head_sha ?? '' }),
  before: draftsView,
  next: ctx => mergeRequestPath(ctx, '/diffs'),
  cancel: ctx => mergeRequestPath(ctx, '/diffs'),
  notice: 'Your review was submitted.',
  button: 'Submit review',
  frame: frame('Submit your review of'),
})

export const reviewWriting = {
  showReply: replying.show,
  reply: replying.submit,
  showEditDraft: editing.show,
  editDraft: editing.submit,
  deleteDraft: action<InMergeRequest & { readonly draft: DraftRow }>({
    route: `POST ${MERGE_REQUEST}/diffs/drafts/:draft_note_id/delete`,
    of: deleteDraft,
    scope: inDraft,
    next: ctx =>
      besideChanges(ctx, ctx.draft.discussion_id === null ? undefined : threadElement(ctx.draft.discussion_id)) ??
      mergeRequestPath(ctx, '/diffs/review'),
    notice: 'The draft was deleted.',
  }),
  showSubmission: submission.show,
  submit: submission.submit,
}
