/** The pages of milestones of projects and groups. */

import { IssueWithLabelDetails } from '../../planning/issues/entity.ts'
import { burndownByDay } from '../../planning/milestones/burndown.ts'
import { Milestone } from '../../planning/milestones/entity.ts'
import {
  issuesByProgress,
  labelsOfMilestone,
  type MilestoneProgress,
  peopleOfMilestone,
  progressOf,
} from '../../planning/milestones/overview.ts'
import { allows } from '../../platform/access/abilities.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf, tierCovers } from '../../platform/kernel/declaration/types.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { listedMergeRequest } from '../../review/merge_requests/lists/entity.ts'
import { mergeRequestCountsOf, mergeRequestsOfMilestone } from '../../review/merge_requests/lists/milestones/queries.ts'
import { groupPath } from '../../spaces/groups/pages/place.ts'
import { visibleGroup } from '../../spaces/groups/queries.ts'
import { groupSubject } from '../../spaces/groups/scope.ts'
import { projectPath } from '../../spaces/projects/pages/place.ts'
import type { ListedIssue } from '../issues/lists/list_view.ts'
import { renderTexts } from '../items/texts.ts'
import { type ListedMergeRequest, mergeRequestList } from '../merge_requests/lists/list_view.ts'
import { eitherHome, mayHere } from '../places/planning.ts'
import { burndownSeries } from './burndown.ts'
import type { ShownMilestone } from './list_view.ts'
import { milestoneTopicOf } from './live.ts'
import { type Column, chartsView, columnsView, milestoneHead, milestoneSide } from './milestone_view.ts'
import { framePlace, type InMilestonePage, type MilestoneKind, milestonesPath, ofGroup, ofProject } from './scope.ts'

type Caller = Context & InMilestonePage

/** Issues of a state, and merge requests, that are shown; the lists have all of them. */
const FEW = 10

/** The address of a list of issues or merge requests of the milestone. */
const listOf = (
  { place, milestone }: InMilestonePage,
  noun: 'issues' | 'merge_requests',
  filters: Readonly<Record<string, string>>,
): string =>
  `${(place.noun === 'project' ? projectPath : groupPath)(place, `/-/${noun}`)}?${new URLSearchParams({ milestone: milestone.title, ...filters })}`

/** May the caller see issues, or merge requests, of the place? Those of a group's projects are narrowed by project. */
const seesIn = (ctx: Caller, ability: 'read_issue' | 'read_merge_request'): boolean => ctx.project === undefined || mayHere(ctx, ability)

/** The first issues of each state. */
async function columnsOf(ctx: Caller, progress: MilestoneProgress): Promise<readonly Column[]> {
  const { unstarted, ongoing, closed } = await issuesByProgress(ctx, ctx.place, ctx.milestone.id, FEW)
  const shown = (await presentAll(IssueWithLabelDetails, ctx, [...unstarted, ...ongoing, ...closed])) as unknown as readonly ListedIssue[]
  const [first, second] = [unstarted.length, unstarted.length + ongoing.length]
  const all = (filters: Readonly<Record<string, string>>) => listOf(ctx, 'issues', filters)
  return [
    {
      title: 'Unstarted',
      says: 'Open, and assigned to nobody',
      count: progress.unstarted,
      issues: shown.slice(0, first),
      all: all({ state: 'opened', assignee_id: 'None' }),
    },
    {
      title: 'Ongoing',
      says: 'Open, and assigned',
      count: progress.ongoing,
      issues: shown.slice(first, second),
      all: all({ state: 'opened', assignee_id: 'Any' }),
    },
    { title: 'Completed', says: 'Closed', count: progress.closed, issues: shown.slice(second), all: all({ state: 'closed' }) },
  ]
}

/** May the caller make the milestone one of the project's group? */
async function mayPromote({ db, actor, project }: Caller): Promise<boolean> {
  const group = project?.namespace_kind === 'group' ? await visibleGroup(db, actor, String(project.namespace_id)) : undefined
  return group !== undefined && allows(actor, 'admin_group_milestone', groupSubject(group)) === 'yes'
}

async function buttonsOf(ctx: Caller, address: string): Promise<Html> {
  const { title, state } = ctx.milestone
  const isActive = state === 'active'
  return html`<a class="btn btn-sm" href="${address}/edit" data-hotkey="e">${icon('pencil')} Edit</a>${actionButton(ctx, { to: `${address}/change`, face: isActive ? 'Close milestone' : 'Reopen milestone', sends: { state_event: isActive ? 'close' : 'activate' } })}${(await mayPromote(ctx)) && actionButton(ctx, { to: `${address}/promote`, face: 'Promote to the group', asks: `Make ${title} a milestone of the group? Milestones of that title in its projects become one with it. This cannot be taken back.` })}${actionButton(ctx, { to: `${address}/delete`, face: icon('trash'), label: 'Delete the milestone', look: 'bare', asks: `Delete the milestone ${title}? Its issues and merge requests stay, without a milestone.` })}`
}

async function mergeRequestsOf(ctx: Caller) {
  if (!seesIn(ctx, 'read_merge_request')) return undefined
  const [rows, counts] = await Promise.all([
    mergeRequestsOfMilestone(ctx, ctx.place, ctx.milestone.id).limit(FEW).execute(),
    mergeRequestCountsOf(ctx, ctx.milestone.id),
  ])
  const shown = await presentAll(listedMergeRequest.pick(ctx, { with_labels_details: true }), ctx, rows)
  return { shown: shown as unknown as readonly ListedMergeRequest[], counts }
}

const showOne = (kind: MilestoneKind): Endpoint =>
  pageEndpoint<InMilestonePage, { by: ReturnType<typeof OneOf<['count', 'weight']>> }>({
    route: `GET ${kind.base}/:milestone_iid`,
    summary: `Show a milestone of a ${kind.noun}`,
    scope: kind.inOne,
    can: kind.read as never,
    params: { by: OneOf(['count', 'weight'], { description: 'What the charts count', default: 'count' }) },
    async run(ctx) {
      const { milestone, place, project, params, now, tier } = ctx
      const { start_date, due_date } = milestone
      const seesIssues = seesIn(ctx, 'read_issue')
      const hasCharts = seesIssues && tierCovers(tier, 'premium')
      const progress = await progressOf(ctx, milestone.id)
      const [[shown], columns, labels, people, merging, [description], happened, mayManage] = await Promise.all([
        presentAll(Milestone, ctx, [milestone]),
        columnsOf(ctx, progress),
        labelsOfMilestone(ctx, milestone.id),
        peopleOfMilestone(ctx, milestone.id),
        mergeRequestsOf(ctx),
        renderTexts(ctx, eitherHome(ctx), [milestone.description ?? '']),
        hasCharts ? burndownByDay(ctx, milestone) : [],
        mayHere(ctx, kind.manage),
      ])
      const json = shown as unknown as ShownMilestone & { readonly iid: number }
      const [address, today] = [milestonesPath(place, `/${milestone.iid}`), now.toISOString().slice(0, 10)]
      const series =
        start_date !== null && due_date !== null ? burndownSeries({ start_date, due_date }, happened, params.by, today) : undefined
      const topic = milestoneTopicOf(milestone)
      const isOfProject = project !== undefined
      const side = milestoneSide({
        milestone: json,
        progress,
        mergeRequests: merging?.counts,
        labels,
        people,
        issuesPath: (isOfProject ? projectPath : groupPath)(place, '/-/issues'),
        hasWeights: tierCovers(tier, 'premium'),
      })
      return page(ctx, {
        title: milestone.title,
        place: framePlace(ctx),
        heading: 'own',
        live: [topic],
        body: html`${livePart('milestone-head', topic, milestoneHead(json, today, mayManage ? await buttonsOf(ctx, address) : undefined))}
<div class="columns item"><div>
${livePart('milestone-description', topic, milestone.description ? html`<div class="description"><div class="markdown-body">${description}</div></div>` : html``)}
${hasCharts && livePart('milestone-charts', topic, chartsView(json, series, { by: params.by, page: address, edit: mayManage ? `${address}/edit` : undefined, today }))}
${seesIssues && livePart('milestone-issues', topic, html`<h2>Issues</h2>${columnsView(columns, isOfProject)}`, 'section')}
${merging && livePart('milestone-merge-requests', topic, mergeRequestsView(ctx, merging), 'section')}
</div><aside aria-label="About the milestone">${livePart('milestone-side', topic, side)}</aside></div>`,
      })
    },
  })

function mergeRequestsView(ctx: Caller, { shown, counts }: NonNullable<Awaited<ReturnType<typeof mergeRequestsOf>>>): Html {
  const base = listOf(ctx, 'merge_requests', { state: 'all' })
  const total = counts.opened + counts.merged + counts.closed
  return html`<h2>Merge requests <span class="counter">${total}</span></h2>${shown.length === 0 ? html`<p class="muted">None is in this milestone.</p>` : mergeRequestList(shown, { base: base.split('?', 1)[0] as string, isOfProject: ctx.project !== undefined })}${total > shown.length && html`<p class="small"><a href="${base}">Show all ${total}</a></p>`}`
}

export const milestonePages = { ofProject: showOne(ofProject), ofGroup: showOne(ofGroup) }
