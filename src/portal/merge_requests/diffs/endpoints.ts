/** The page of a merge request's changes. */
import { withVisibleNames } from '../../../collaboration/notes/items/named.ts'
import type { ChangedFile } from '../../../platform/git/index.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { html } from '../../../platform/pages/html.ts'
import type { VersionRow } from '../../../review/merge_requests/versions/entity.ts'
import { latestSpan } from '../../../review/merge_requests/versions/queries.ts'
import { rememberVersion } from '../../../review/merge_requests/versions/reading/commands.ts'
import { seenVersionsOf } from '../../../review/merge_requests/versions/reading/queries.ts'
import { revisionPage } from '../../repository/addresses.ts'
import { filesAlone, isPartAsked } from '../../repository/diffs/answer.ts'
import { diffView } from '../../repository/diffs/diff_view.ts'
import { shownDiff } from '../../repository/diffs/load.ts'
import { diffParams, keepingLook, lookOf } from '../../repository/diffs/look.ts'
import { type Caller, nothingYet, pageOf, shownOf } from '../page.ts'
import { reviewBar } from '../review/bar.ts'
import { loadDrafts } from '../review/drafts.ts'
import { inReview, reviewOf } from '../review/review.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'
import { lineMarksOf, withLineMarks } from './line_marks.ts'
import { newerChanges } from './newer_changes.ts'
import { withOwners } from './owners.ts'
import { type ShownSpan, shownSpan, spanParams } from './span.ts'
import { spanView } from './span_view.ts'
import { viewedMarks } from './viewed.ts'

export { markViewed } from './viewed.ts'

export const showChanges = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/diffs`,
  summary: 'Show the changes of a merge request: all of them, of a version, between two versions, or of one commit',
  scope: inMergeRequestPage,
  can: 'read_merge_request',
  cost: 'heavy',
  params: { ...diffParams, ...spanParams },
  async run(inMergeRequest) {
    const { repository, project, mergeRequest, params } = inMergeRequest
    const latest = latestSpan(mergeRequest)
    if (!repository || !latest) return pageOf(inMergeRequest, await shownOf(inMergeRequest), 'diffs', nothingYet)
    // For the threads, their index, and what is elsewhere.
    const ctx = { ...inMergeRequest, noteable: await withVisibleNames(inMergeRequest.db, inMergeRequest.actor, inMergeRequest.noteable) }
    const span = await shownSpan(ctx, repository, latest, !isPartAsked(ctx))
    const look = lookOf(ctx)
    const { from, to, before } = span
    const diff = await shownDiff(repository, { from, to }, { look, only: params.only })
    // Threads are at lines of a whole version: what lies between two, or in one commit, has other lines.
    const review = span.start || span.commit ? undefined : await reviewOf(ctx, span.version ?? latest, diff, look)
    // Reports are about the newest commit.
    const marks = to === mergeRequest.head_sha ? await lineMarksOf(ctx, diff.entries) : undefined
    const marked = marks ? withLineMarks(review?.extras ?? {}, marks) : review?.extras
    const extras = await withOwners(marked, repository, mergeRequest.code_owners_file, diff.entries)
    const view = {
      diff,
      ...(extras && { extras }),
      look,
      ends: { project, before, after: to },
      // A mark is of the latest contents.
      viewed: span.isLatest && !span.commit ? await viewedMarks(ctx) : undefined,
      address: ctx.request.address,
      fileHref({ deleted_file, old_path, new_path }: ChangedFile) {
        if (!deleted_file) return revisionPage(project, 'blob', to, new_path)
        return before && revisionPage(project, 'blob', before, old_path)
      },
    }
    const alone = filesAlone(ctx, view)
    if (alone) return alone
    const address = mergeRequestPath(ctx)
    const spans = spanView({
      span,
      address: `${address}/diffs`,
      targetBranch: mergeRequest.target_branch,
      lastLook: await lastLook(ctx, span),
      w: params.w,
    })
    const downloads = html`<p class="small section"><a href="${address}.diff" data-turbo="false">Plain diff</a>, <a href="${address}.patch" data-turbo="false">patches</a></p>`
    const changes = html`${newerChanges(ctx, latest)}${spans}${review?.elsewhere}${diffView(view)}${downloads}`
    const body = inReview(ctx, changes, await reviewBar(ctx, review?.drafts ?? (await loadDrafts(ctx))))
    return keepingLook(ctx, await pageOf(ctx, await shownOf(ctx), 'diffs', body))
  },
})

/** Sent by the script that fetches a page again for its parts: nobody looks at it. */
const REFRESH = 'x-live-refresh'

/**
 * The version that the caller saw before the latest one; undefined where there is none. A look at the latest version is remembered, and what was seen
 * before it with it, so that a reload says the same.
 */
async function lastLook(ctx: Caller, { versions, isLatest, commit }: ShownSpan): Promise<VersionRow | undefined> {
  const { db, actor, mergeRequest, request } = ctx
  const [latest] = versions
  if (!actor.user || !latest) return undefined
  const seen = await seenVersionsOf(db, mergeRequest.id, actor.user.id)
  if (isLatest && !commit && request.headers[REFRESH] === undefined && seen?.version_id !== latest.id)
    await rememberVersion(ctx, mergeRequest, actor.user.id, latest.id)
  const before = seen?.version_id === latest.id ? seen.previous_version_id : seen?.version_id
  return versions.find(({ id }) => id === before)
}
