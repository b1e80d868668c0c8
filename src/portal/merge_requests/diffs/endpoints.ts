/** The page of a merge request's changes. */
import type { ChangedFile } from '../../../platform/git/index.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { html } from '../../../platform/pages/html.ts'
import { latestSpan } from '../../../review/merge_requests/versions/queries.ts'
import { revisionPage } from '../../repository/addresses.ts'
import { filesAlone } from '../../repository/diffs/answer.ts'
import { diffView } from '../../repository/diffs/diff_view.ts'
import { shownDiff } from '../../repository/diffs/load.ts'
import { diffParams, keepingLook, lookOf } from '../../repository/diffs/look.ts'
import { nothingYet, pageOf, shownOf } from '../page.ts'
import { reviewBar } from '../review/bar.ts'
import { inReview, reviewOf } from '../review/review.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'

export const showChanges = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/diffs`,
  summary: 'Show the changes of a merge request',
  scope: inMergeRequestPage,
  can: 'read_merge_request',
  cost: 'heavy',
  params: diffParams,
  async run(ctx) {
    const { repository, project, mergeRequest, params } = ctx
    const span = latestSpan(mergeRequest)
    if (!repository || !span) return pageOf(ctx, await shownOf(ctx), 'diffs', nothingYet)
    const look = lookOf(ctx)
    const diff = await shownDiff(repository, { from: span.base_commit_sha, to: span.head_commit_sha }, params.page, {
      look,
      only: params.only,
    })
    const { extras, elsewhere } = await reviewOf(ctx, span, diff, look)
    const view = {
      diff,
      extras,
      look,
      ends: { project, before: span.base_commit_sha, after: span.head_commit_sha },
      address: ctx.request.address,
      fileHref: ({ deleted_file, old_path, new_path }: ChangedFile) =>
        deleted_file
          ? revisionPage(project, 'blob', span.base_commit_sha, old_path)
          : revisionPage(project, 'blob', span.head_commit_sha, new_path),
    }
    const alone = filesAlone(ctx, view)
    if (alone) return alone
    const address = mergeRequestPath(ctx)
    const downloads = html`<p class="small"><a href="${address}.diff" data-turbo="false">Plain diff</a>, <a href="${address}.patch" data-turbo="false">patches</a></p>`
    const body = inReview(ctx, html`${downloads}${elsewhere}${diffView(view)}`, await reviewBar(ctx))
    return keepingLook(ctx, await pageOf(ctx, await shownOf(ctx), 'diffs', body))
  },
})
