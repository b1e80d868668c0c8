/** What the pages of a merge request's changes say when newer ones are pushed. Pure. */
import { type Html, html } from '../../../platform/pages/html.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import type { Span } from '../../../review/merge_requests/versions/queries.ts'
import { mergeRequestTopicOf } from '../live.ts'
import type { Caller } from '../page.ts'
import { mergeRequestPath } from '../scope.ts'

/** A part with a link that a script shows once the newest commit is another one than the page was made with. */
export const newerChanges = (ctx: Caller, { head_commit_sha }: Pick<Span, 'head_commit_sha'>): Html =>
  livePart(
    'mr-newer',
    mergeRequestTopicOf(ctx.mergeRequest),
    html`<newer-changes data-head="${head_commit_sha}"><a class="btn btn-primary btn-sm" href="${mergeRequestPath(ctx, '/diffs')}" data-turbo-prefetch="false" hidden>New changes were pushed: show them</a></newer-changes>`,
  )
