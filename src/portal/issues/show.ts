/** The page of an issue. */
import { reactionsTo } from '../../collaboration/award_emoji/queries.ts'
import { withVisibleNames } from '../../collaboration/notes/items/named.ts'
import { participantsOf } from '../../collaboration/notes/items/participants.ts'
import { presentSummary } from '../../identity/users/entity.ts'
import { IssueDetails } from '../../planning/issues/entity.ts'
import { LinkedIssue } from '../../planning/issues/links/entity.ts'
import { linkedIssuesShown } from '../../planning/issues/links/queries.ts'
import { type IssueRow, issuesOfEpicByState } from '../../planning/issues/queries.ts'
import { labelsById } from '../../planning/labels/queries.ts'
import { MetricImage } from '../../planning/metric_images/entity.ts'
import { imagesOf } from '../../planning/metric_images/queries.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { askFrame, page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { relatedMergeRequestsShown } from '../../review/merge_requests/closing/queries.ts'
import { MergeRequest } from '../../review/merge_requests/entity.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { timelineOf } from '../items/timeline.ts'
import { timelineView } from '../items/timeline_view.ts'
import { textView } from '../markdown/body.ts'
import { reactionsView, withThumbs } from '../reactions/reactions_view.ts'
import { commentSection, frameOf } from './comments.ts'
import { issueHead, issueSide, type Mays, type Related, relatedView, type ShownIssue } from './issue_view.ts'
import { issueTopicOf } from './live.ts'
import { fateOf } from './relations.ts'
import { type InIssue, ISSUE, inIssuePage, issuePath } from './scope.ts'

type Caller = Context & InIssue

/** Participants that are shown. */
const MOST_PEOPLE = 20

/** Metric images of an incident that its page shows. */
const MOST_IMAGES = 4

const mayIn = ({ actor, project, isOwn }: Caller, ability: Ability): boolean =>
  allows(actor, ability, { ...projectSubject(project), own: isOwn }) === 'yes'

const maysOf = (ctx: Caller): Mays => ({
  update: mayIn(ctx, 'update_issue'),
  plan: mayIn(ctx, 'admin_issue'),
  delete: mayIn(ctx, 'destroy_issue'),
  subscribe: mayIn(ctx, 'subscribe_to_issue'),
})

async function relatedTo(ctx: Caller): Promise<Related> {
  const [linked, mergeRequests] = await Promise.all([
    linkedIssuesShown(ctx.db, ctx.actor, ctx.issue.id, ctx.project.full_path).then(rows => presentAll(LinkedIssue, ctx, rows)),
    relatedMergeRequestsShown(ctx, ctx.project, ctx.issue.id).then(rows => presentAll(MergeRequest, ctx, rows)),
  ])
  return { linked, mergeRequests } as unknown as Related
}

export const showIssue = pageEndpoint({
  route: `GET ${ISSUE}`,
  summary: 'Show an issue',
  scope: inIssuePage,
  can: 'read_issue',
  async run(ctx) {
    const { db, issue, project, noteable } = ctx
    const frame = frameOf(ctx)
    const may = maysOf(ctx)
    const address = issuePath(ctx)
    const place = projectPlace(ctx.actor, project, 'issues')
    const named = withVisibleNames(db, ctx.actor, noteable)
    const [[shown], timeline, reactions, labels, participants, related, fate, ofEpic, images] = await Promise.all([
      presentAll(IssueDetails, ctx, [issue as IssueRow]),
      named.then(found => timelineOf(ctx, found, [issue.description ?? ''])),
      reactionsTo(ctx, 'issue_id', [issue.id]),
      labelsById(db, issue.label_ids),
      named.then(found =>
        participantsOf(db, ctx.actor, found)
          .limit(MOST_PEOPLE + 1)
          .execute()
          // The statements that the notes wait for have gone out before.
          .finally(() => askFrame(ctx, place)),
      ),
      relatedTo(ctx),
      fateOf(ctx, issue),
      issue.epic_id === null ? undefined : issuesOfEpicByState(db, ctx.actor, issue.epic_id),
      issue.issue_type === 'incident'
        ? imagesOf(db, issue.id)
            .limit(MOST_IMAGES)
            .execute()
            .then(rows => presentAll(MetricImage, ctx, rows))
        : [],
    ])
    const json = shown as unknown as ShownIssue
    const topic = issueTopicOf(issue)
    const list = projectPath(project, '/-/issues')
    const side = issueSide(ctx, {
      issue: json,
      may,
      labels: [...labels.values()].sort((a, b) => a.name.localeCompare(b.name)),
      participants: participants.slice(0, MOST_PEOPLE).map(row => presentSummary(row, ctx)),
      hasMoreParticipants: participants.length > MOST_PEOPLE,
      ofEpic,
      images,
      mayPromote: may.plan && ctx.tier !== 'free' && project.namespace_kind === 'group' && issue.promoted_to_epic_id === null,
      mayMove: may.plan && issue.moved_to_id === null,
      page: address,
      list,
      tier: ctx.tier,
    })
    return page(ctx, {
      title: `${issue.title} (#${issue.iid})`,
      place,
      heading: 'own',
      live: [topic],
      scripts: ['markdown_editor.js'],
      body: html`${livePart('issue-head', topic, html`${issueHead(ctx, json, may, address)}${fate}`)}
<div class="columns item"><div>
${livePart('issue-description', topic, html`<div class="description">${textView(issue.description ? (timeline.texts[0] as Html) : html`<p class="muted">No description</p>`, may.update ? `${address}/tasks` : undefined)}${reactionsView(frame, address, withThumbs(reactions.get(issue.id) ?? [], project))}</div>`)}
${livePart('issue-related', topic, html`${relatedView(ctx, related, address, may.plan)}`)}
<section class="section" aria-label="Timeline">${livePart('timeline', topic, timelineView(frame, timeline))}</section>
${await commentSection(ctx)}
</div><aside aria-label="About the issue">${livePart('issue-side', topic, side)}</aside></div>`,
    })
  },
})
