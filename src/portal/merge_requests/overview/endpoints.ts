/** The pages of a merge request: its overview with the merge box and all that was said, its commits, and its changes. */

import { presentOwn } from '../../../code/repository/commits/entity.ts'
import { reactionsTo } from '../../../collaboration/award_emoji/queries.ts'
import { unresolvedThreads } from '../../../collaboration/discussions/unresolved.ts'
import { withVisibleNames } from '../../../collaboration/notes/items/named.ts'
import { participantsOf } from '../../../collaboration/notes/items/participants.ts'
import { presentSummary } from '../../../identity/users/entity.ts'
import { Issue } from '../../../planning/issues/entity.ts'
import { labelsById } from '../../../planning/labels/queries.ts'
import { countCommits, isObjectId, listCommits } from '../../../platform/git/index.ts'
import { presentAll } from '../../../platform/kernel/answer/entity.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../../platform/kernel/declaration/endpoint.ts'
import type { Refusal } from '../../../platform/kernel/errors.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { action } from '../../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { livePart } from '../../../platform/pages/live/part.ts'
import { issuesClosedBy } from '../../../review/merge_requests/closing/queries.ts'
import { merge } from '../../../review/merge_requests/merging/endpoints.ts'
import { isUnchecked, requestCheck } from '../../../review/merge_requests/merging/mergeability/check.ts'
import { latestSpan } from '../../../review/merge_requests/versions/queries.ts'
import { projectPath } from '../../../spaces/projects/pages/place.ts'
import { itemList, type ListedItem } from '../../home/item_view.ts'
import { timelineOf } from '../../items/timeline.ts'
import { timelineView } from '../../items/timeline_view.ts'
import { textView } from '../../markdown/body.ts'
import { reactionsView, withThumbs } from '../../reactions/reactions_view.ts'
import { comparePage } from '../../repository/addresses.ts'
import { commitList, signedAmong } from '../../repository/history/commits_view.ts'
import { accountsOf } from '../../repository/history/people.ts'
import { pipelineOfEach } from '../../repository/history/pipelines.ts'
import { commentSection, frameOf } from '../comments.ts'
import { mergeRequestTopicOf } from '../live.ts'
import { type Caller, mayIn, nothingYet, pageOf, shownOf } from '../page.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from '../scope.ts'
import { mergeBox } from './merge_box.ts'
import { mergeBoxOf } from './merge_box_data.ts'
import { mergeRequestSide } from './side_view.ts'

/** Participants, commits and issues that are shown. */
const MOST = 50
const MOST_COMMITS = 200

export const showMergeRequest = pageEndpoint({
  route: `GET ${MERGE_REQUEST}`,
  cost: 'walk',
  summary: 'Show a merge request',
  scope: inMergeRequestPage,
  can: 'read_merge_request',
  run: ctx => overviewPage(ctx),
})

/** The overview; `refused`: an action of the merge box that was refused, and why. */
async function overviewPage(ctx: Caller, refused?: { readonly why: Html; readonly status: number }): Promise<ByteAnswer> {
  const { db, project, mergeRequest, noteable } = ctx
  if (isUnchecked(mergeRequest)) await requestCheck(db, mergeRequest.id)
  const frame = frameOf(ctx)
  const address = mergeRequestPath(ctx)
  const named = withVisibleNames(db, ctx.actor, noteable)
  const [shown, timeline, reactions, labels, participants, unresolved, closes] = await Promise.all([
    shownOf(ctx),
    named.then(found => timelineOf(ctx, found, [mergeRequest.description ?? ''])),
    reactionsTo(ctx, 'merge_request_id', [mergeRequest.id]),
    labelsById(db, mergeRequest.label_ids),
    named.then(found => participantsOf(db, ctx.actor, found).limit(MOST).execute()),
    unresolvedThreads(db, [mergeRequest.id]),
    closedIssues(ctx),
  ])
  const topic = mergeRequestTopicOf(mergeRequest)
  const mayUpdate = mayIn(ctx, 'update_merge_request')
  const box = mergeBox(await mergeBoxOf(ctx, shown, unresolved.get(mergeRequest.id) ?? 0))
  const side = mergeRequestSide(ctx, {
    shown,
    labels: [...labels.values()].sort((a, b) => a.name.localeCompare(b.name)),
    participants: participants.map(row => presentSummary(row, ctx)),
    list: projectPath(project, '/-/merge_requests'),
    page: address,
    maySubscribe: mayIn(ctx, 'subscribe_to_merge_request'),
    mayUpdate,
  })
  return pageOf(
    ctx,
    shown,
    'overview',
    html`${refused && html`<div class="notice danger" role="alert">${icon('alert')}<span>${refused.why}</span></div>`}<div class="columns item"><div>
${livePart('mr-description', topic, html`<div class="description">${textView(mergeRequest.description ? (timeline.texts[0] as Html) : html`<p class="muted">No description</p>`, mayUpdate ? `${address}/tasks` : undefined)}${reactionsView(frame, address, withThumbs(reactions.get(mergeRequest.id) ?? [], project))}</div>`)}
${livePart('merge-box', topic, box)}
${closes.length > 0 && html`<section class="section"><h2>${mergeRequest.state === 'merged' ? 'Closed with it' : 'Closes when it is merged'}</h2>${itemList(closes)}</section>`}
<section class="section" aria-label="Timeline">${livePart('timeline', topic, timelineView(frame, timeline))}</section>
${await commentSection(ctx)}
</div><aside aria-label="About the merge request">${livePart('mr-side', topic, side)}</aside></div>`,
    refused === undefined ? {} : { status: refused.status },
  )
}

/** The parameters of a merge, with the line ends that commits have: browsers send CR LF. */
const withLineFeeds = (params: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? value.replace(/\r\n?/g, '\n') : value]),
  )

export const mergeIt = action<Omit<Caller, keyof Context>>({
  route: `POST ${MERGE_REQUEST}/merge`,
  of: { ...merge, run: ctx => merge.run({ ...ctx, params: withLineFeeds(ctx.params) }) },
  scope: inMergeRequestPage,
  next: ctx => mergeRequestPath(ctx),
  notice: (merged?: { readonly state: string }) =>
    merged?.state === 'opened' ? 'It will be merged when its pipeline succeeds.' : 'The merge request was merged.',
  refused: (ctx, refusal, sent) => overviewPage(ctx, { why: whyNotMerged(ctx, refusal, sent.sha), status: refusal.status }),
})

/** Why a merge was refused, and what has changed since the caller looked. */
function whyNotMerged({ project, mergeRequest }: Caller, refusal: Refusal, seen: unknown): Html {
  const { head_sha: head, source_branch } = mergeRequest
  if (refusal.kind === 'conflict' && head !== null && typeof seen === 'string' && isObjectId(seen))
    return html`It was not merged: <span class="mono">${source_branch}</span> has moved since you looked. <a href="${comparePage(project, seen, head)}">See what changed</a>, and merge again.`
  if (refusal.kind === 'not_acceptable')
    return html`It was not merged: the branches conflict, or kept moving. The box says what they are like now.`
  return html`It was not merged: something is missing now. The box says what.`
}

/** The issues that it closes, as far as the caller sees them. */
async function closedIssues(ctx: Caller): Promise<readonly ListedItem[]> {
  const rows = await issuesClosedBy(ctx, ctx.project, ctx.mergeRequest.id).limit(MOST).execute()
  return (await presentAll(Issue, ctx, rows)) as unknown as readonly ListedItem[]
}

export const showCommits = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/commits`,
  summary: 'Show the commits of a merge request',
  scope: inMergeRequestPage,
  can: 'read_merge_request',
  cost: 'heavy',
  async run(ctx) {
    const { repository, project, mergeRequest } = ctx
    const span = latestSpan(mergeRequest)
    const shown = await shownOf(ctx)
    if (!repository || !span) return pageOf(ctx, shown, 'commits', nothingYet)
    const range = { from: [span.head_commit_sha], except: [span.start_commit_sha] }
    const listed = await listCommits(repository, { ...range, limit: MOST_COMMITS })
    const commits = listed.map(presentOwn)
    const count = commits.length < MOST_COMMITS ? commits.length : await countCommits(repository, range, 10_000)
    const [accounts, pipelines] = await Promise.all([
      accountsOf(ctx.db, commits),
      pipelineOfEach(
        ctx,
        project,
        commits.map(({ id }) => id),
      ),
    ])
    const body = html`<p class="muted">${count} ${count === 1 ? 'commit' : 'commits'}${count > commits.length && `; the newest ${commits.length} are shown`}</p>${commitList({ project, accounts, pipelines, signed: signedAmong(listed) }, commits)}`
    return pageOf(ctx, shown, 'commits', livePart('mr-commits', mergeRequestTopicOf(mergeRequest), body))
  },
})
