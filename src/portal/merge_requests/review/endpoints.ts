/** The page of the threads on a merge request's changes. A script takes from it what others have written meanwhile. */
import type { DiscussionRow } from '../../../collaboration/discussions/queries.ts'
import { inDiscussion } from '../../../collaboration/discussions/scope.ts'
import type { Position } from '../../../collaboration/notes/positions/position.ts'
import type { Scope } from '../../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../../platform/kernel/declaration/types.ts'
import { empty } from '../../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { redirect } from '../../../platform/pages/frame/document.ts'
import { html } from '../../../platform/pages/html.ts'
import { listPage, listParams } from '../../../platform/pages/lists.ts'
import { latestSpan } from '../../../review/merge_requests/versions/queries.ts'
import { newerChanges } from '../diffs/newer_changes.ts'
import { type InMergeRequest, pageOf, shownOf } from '../page.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'
import { changesAt } from './addresses.ts'
import { reviewBar } from './bar.ts'
import { draftElement, draftThread } from './draft_view.ts'
import { loadDrafts } from './drafts.ts'
import { pathOf } from './places.ts'
import { reviewFrame } from './review.ts'
import { diffThread, threadElement } from './thread_view.ts'
import { placed, placedThreads, threadSlices } from './threads.ts'

/** Elements that a script asks for at a time. */
const MOST_ONLY = 50

export const showThreads = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/diffs/threads`,
  summary: 'Show the threads on the changes of a merge request',
  scope: inMergeRequestPage,
  can: 'read_merge_request',
  params: {
    ...listParams,
    path: optional(text('Only threads on this file', { maxLength: 4096 })),
    only: optional(text('Only these threads, `thread-<id>`, with commas between', { maxLength: 4096 })),
  },
  async run(ctx) {
    const { params, noteable, mergeRequest } = ctx
    const only = params.only?.split(',').slice(0, MOST_ONLY)
    const found = only ? undefined : await listPage(ctx, threadSlices(ctx, noteable, params.path), params)
    const threads = only
      ? await placedThreads(
          ctx,
          noteable,
          only.flatMap(name => /^thread-([0-9a-f]{40})$/.exec(name)?.[1] ?? []),
        )
      : await placed(ctx, noteable, found?.rows ?? [])
    const drafts = await loadDrafts(ctx)
    const latest = latestSpan(mergeRequest)
    const frame = { ...(await reviewFrame(ctx, latest, threads)), drafts, isApart: !only }
    const named = drafts.alone.filter(({ row }) => only?.includes(draftElement(row.id)) ?? params.page === 1)
    const none = empty({ icon: 'comment', title: 'No threads on the changes', says: 'A thread on a line begins in the changes.' })
    const body = html`<p><a href="${mergeRequestPath(ctx, '/diffs')}">Back to the changes</a></p>
${latest && newerChanges(ctx, latest)}${await reviewBar(ctx, drafts)}
<div class="stack" id="review-threads">${named.map(draft => draftThread(frame, draft))}${threads.map(thread => diffThread(frame, thread))}</div>${!only && threads.length + named.length === 0 && none}${found?.links}`
    return pageOf(ctx, await shownOf(ctx), 'diffs', body)
  },
})

export const showThreadInChanges = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/diffs/threads/:discussion_id`,
  summary: 'Go to a thread on the changes of a merge request',
  scope: inDiscussion(inMergeRequestPage as never) as unknown as Scope<InMergeRequest & { readonly discussion: DiscussionRow }>,
  can: 'read_merge_request' as never,
  cost: 'heavy',
  async run(ctx) {
    const [first] = ctx.discussion.notes
    const position = first?.position as Partial<Position> | null | undefined
    return redirect(
      position ? await changesAt(ctx, pathOf(position), threadElement(ctx.discussion.id)) : mergeRequestPath(ctx, `#note_${first?.id}`),
    )
  },
})
