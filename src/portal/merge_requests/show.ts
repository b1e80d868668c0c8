/** The pages of a merge request: its overview with the merge box and all that was said, its commits, and its changes. */

import { presentOwn } from '../../code/repository/commits/entity.ts'
import { reactionsTo } from '../../collaboration/award_emoji/queries.ts'
import { unresolvedThreads } from '../../collaboration/discussions/unresolved.ts'
import { participantsOf } from '../../collaboration/notes/items/participants.ts'
import { presentSummary } from '../../identity/users/entity.ts'
import { Issue } from '../../planning/issues/entity.ts'
import { labelsById } from '../../planning/labels/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { type ChangedFile, countCommits, listCommits, type Repository } from '../../platform/git/index.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { Approvals } from '../../review/approvals/entity.ts'
import { issuesClosedBy } from '../../review/merge_requests/closing/queries.ts'
import { MergeRequestDetails, withDetails } from '../../review/merge_requests/details/details.ts'
import type { NoteableMergeRequest } from '../../review/merge_requests/item_kind/noteable.ts'
import { isUnchecked, requestCheck } from '../../review/merge_requests/merging/mergeability/check.ts'
import type { MergeRequestRow } from '../../review/merge_requests/queries.ts'
import { latestSpan } from '../../review/merge_requests/versions/queries.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { itemList, type ListedItem } from '../home/item_view.ts'
import { renderTexts } from '../items/texts.ts'
import { timelineOf } from '../items/timeline.ts'
import { reactionsView, timelineView } from '../items/timeline_view.ts'
import { revisionPage } from '../repository/addresses.ts'
import { filesAlone } from '../repository/diffs/answer.ts'
import { diffView } from '../repository/diffs/diff_view.ts'
import { shownDiff } from '../repository/diffs/load.ts'
import { commitList } from '../repository/history/commits_view.ts'
import { accountsOf } from '../repository/history/people.ts'
import { pipelineOfEach } from '../repository/history/pipelines.ts'
import { commentSection, frameOf } from './comments.ts'
import { type MergeRequestTab, mergeRequestHead, mergeRequestTabs, type ShownMergeRequest } from './head_view.ts'
import { mergeRequestTopicOf } from './live.ts'
import { mergeBox, type ShownApprovals } from './merge_box.ts'
import { inMergeRequestPage, MERGE_REQUEST, mergeRequestPath } from './scope.ts'
import { mergeRequestSide } from './side_view.ts'

interface InOne {
  readonly project: ProjectWithRole
  readonly repository: Repository | undefined
  readonly mergeRequest: MergeRequestRow
  readonly isOwn: boolean
  readonly noteable: NoteableMergeRequest
}

type Caller = Context & InOne

/** Participants, commits and issues that are shown. */
const MOST = 50
const MOST_COMMITS = 200

const mayIn = ({ actor, project, isOwn }: Caller, ability: Ability): boolean =>
  allows(actor, ability, { ...projectSubject(project), own: isOwn }) === 'yes'

/** The merge request as its API answers it. */
async function shownOf(ctx: Caller): Promise<ShownMergeRequest> {
  const row = await withDetails(ctx, ctx.project, ctx.mergeRequest, {})
  const [shown] = await presentAll(MergeRequestDetails, ctx, [row])
  return shown as unknown as ShownMergeRequest
}

/** A page of the merge request: the head, the tabs, and `body`. */
function pageOf(ctx: Caller, shown: ShownMergeRequest, tab: MergeRequestTab, body: Html): Promise<ByteAnswer> {
  const topic = mergeRequestTopicOf(ctx.mergeRequest)
  const address = mergeRequestPath(ctx)
  return page(ctx, {
    title: `${shown.title} (!${shown.iid})`,
    place: projectPlace(ctx.actor, ctx.project, 'merge_requests'),
    heading: 'own',
    live: [topic],
    scripts: ['markdown_editor.js'],
    body: html`${livePart('mr-head', topic, html`${mergeRequestHead({ ctx, shown, project: ctx.project, page: address, mayUpdate: mayIn(ctx, 'update_merge_request') })}${mergeRequestTabs(address, tab, shown)}`)}
${body}`,
  })
}

export const showMergeRequest = pageEndpoint({
  route: `GET ${MERGE_REQUEST}`,
  summary: 'Show a merge request',
  scope: inMergeRequestPage,
  can: 'read_merge_request',
  async run(ctx) {
    const { db, project, mergeRequest, noteable } = ctx
    if (isUnchecked(mergeRequest)) await requestCheck(db, mergeRequest.id)
    const frame = frameOf(ctx)
    const address = mergeRequestPath(ctx)
    const [shown, timeline, [description], reactions, labels, participants, [approvals], unresolved, closes] = await Promise.all([
      shownOf(ctx),
      timelineOf(ctx, noteable),
      renderTexts(ctx, project, [mergeRequest.description ?? '']),
      reactionsTo(ctx, 'merge_request_id', [mergeRequest.id]),
      labelsById(db, mergeRequest.label_ids),
      participantsOf(db, ctx.actor, noteable).limit(MOST).execute(),
      presentAll(Approvals, ctx, [{ project, mergeRequest }]),
      unresolvedThreads(db, [mergeRequest.id]),
      closedIssues(ctx),
    ])
    const topic = mergeRequestTopicOf(mergeRequest)
    const mayUpdate = mayIn(ctx, 'update_merge_request')
    const box = mergeBox({
      ctx,
      shown,
      approvals: approvals as unknown as ShownApprovals,
      unresolved: unresolved.get(mergeRequest.id) ?? 0,
      page: address,
      mayUpdate,
    })
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
      html`<div class="columns item"><div>
${livePart('mr-description', topic, html`<div class="description"><div class="markdown-body">${mergeRequest.description ? description : html`<p class="muted">No description</p>`}</div>${reactionsView(frame, address, reactions.get(mergeRequest.id) ?? [])}</div>`)}
${livePart('merge-box', topic, box)}
${closes.length > 0 && html`<section class="section"><h2>Closes when it is merged</h2>${itemList(closes)}</section>`}
<section class="section" aria-label="Timeline">${livePart('timeline', topic, timelineView(frame, timeline))}</section>
${await commentSection(ctx)}
</div><aside aria-label="About the merge request">${livePart('mr-side', topic, side)}</aside></div>`,
    )
  },
})

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
    const commits = (await listCommits(repository, { ...range, limit: MOST_COMMITS })).map(presentOwn)
    const count = commits.length < MOST_COMMITS ? commits.length : await countCommits(repository, range, 10_000)
    const [accounts, pipelines] = await Promise.all([
      accountsOf(ctx.db, commits),
      pipelineOfEach(
        ctx,
        project,
        commits.map(({ id }) => id),
      ),
    ])
    const body = html`<p class="muted">${count} ${count === 1 ? 'commit' : 'commits'}${count > commits.length && `; the newest ${commits.length} are shown`}</p>${commitList({ project, accounts, pipelines }, commits)}`
    return pageOf(ctx, shown, 'commits', livePart('mr-commits', mergeRequestTopicOf(mergeRequest), body))
  },
})

const nothingYet = empty({
  icon: 'git-commit',
  title: 'No commits',
  says: 'The source branch has nothing that the target branch lacks, or is being read.',
})

export const showChanges = pageEndpoint({
  route: `GET ${MERGE_REQUEST}/diffs`,
  summary: 'Show the changes of a merge request',
  scope: inMergeRequestPage,
  can: 'read_merge_request',
  cost: 'heavy',
  params: { page: listParams.page },
  async run(ctx) {
    const { repository, project, mergeRequest, params } = ctx
    const span = latestSpan(mergeRequest)
    if (!repository || !span) return pageOf(ctx, await shownOf(ctx), 'diffs', nothingYet)
    const view = {
      diff: await shownDiff(repository, { from: span.base_commit_sha, to: span.head_commit_sha }, params.page),
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
    return pageOf(ctx, await shownOf(ctx), 'diffs', html`${downloads}${diffView(view)}`)
  },
})
