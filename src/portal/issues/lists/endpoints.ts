/** The lists of issues: of a project, of a group, and of what is the caller's own. */
import {
  getGroupIssuesStatistics,
  getIssuesStatistics,
  getProjectIssuesStatistics,
  listGroupIssues,
  listIssues,
  listProjectIssues,
} from '../../../planning/issues/lists/endpoints.ts'
import { type Ability, allows } from '../../../platform/access/abilities.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import type { Endpoint } from '../../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../../platform/kernel/declaration/scope.ts'
import { readAs } from '../../../platform/pages/answers.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { groupPath, groupPlace } from '../../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../../spaces/groups/pages/scope.ts'
import { projectPath, projectPlace } from '../../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../../spaces/projects/pages/scope.ts'
import { projectSubject } from '../../../spaces/projects/scope.ts'
import { issueFilterKeys } from '../../items/filter_text.ts'
import { type ListedKind, type Listing, listing, listingParams, ownListing } from '../../items/listing.ts'
import { issuesTopicOf } from '../live.ts'
import { issueList, type ListedIssue } from './list_view.ts'

const orders = [
  ['created_at:desc', 'Newest'],
  ['created_at:asc', 'Oldest'],
  ['updated_at:desc', 'Changed lately'],
  ['updated_at:asc', 'Changed long ago'],
  ['priority:asc', 'Priority'],
  ['label_priority:asc', 'Priority of labels'],
  ['due_date:asc', 'Due date'],
  ['milestone_due:asc', 'Due date of the milestone'],
  ['popularity:desc', 'Popularity'],
  ['weight:desc', 'Weight'],
  ['relative_position:asc', 'By hand'],
] as const

const kind: ListedKind<ListedIssue> = {
  keys: issueFilterKeys,
  orders,
  states: [
    ['opened', 'Open'],
    ['closed', 'Closed'],
    ['all', 'All'],
  ],
  icon: 'issue-opened',
  none: ['No issues', 'What should be done, or is broken, is written down as an issue.'],
  view: (ctx, rows, frame) => issueList(ctx, rows, { ...frame, bulk: undefined, isByHand: false }),
}

/** Is the list of an address in the order that people give it by hand? */
const isByHand = (address: string): boolean => {
  const params = new URLSearchParams(address.split('?', 2)[1] ?? '')
  return params.get('order_by') === 'relative_position' && params.get('sort') === 'asc'
}

/** The list with a box for each issue. `action`: where changes of several are sent to. */
const changing = (action: string): ListedKind<ListedIssue> => ({
  ...kind,
  view: (ctx, rows, frame) => issueList(ctx, rows, { ...frame, bulk: { action }, isByHand: isByHand(frame.back) }),
})

interface Counts {
  readonly all: number
  readonly closed: number
  readonly opened: number
}

/** How many there are in each state. */
const countsBy =
  (ctx: Context, statistics: Endpoint): NonNullable<Listing<ListedIssue>['counts']> =>
  async wire => {
    const { state: _state, order_by: _order, sort: _sort, page: _page, per_page: _per, with_labels_details: _details, ...filters } = wire
    const answer = (await statistics.run({ ...ctx, params: readAs(ctx, statistics, filters) })) as { statistics: { counts: Counts } }
    return { ...answer.statistics.counts }
  }

/** The buttons above a list at `base`: what is shown as a file, issues from one, and a new issue. */
const buttons = (
  ctx: Pick<Context, 'request'>,
  base: string,
  may: { readonly import?: boolean; readonly create?: boolean; readonly mail?: boolean },
): Html => {
  const [, query] = ctx.request.address.split('?', 2)
  return html`<details class="menu"><summary class="btn" aria-label="More" title="More">${icon('kebab-horizontal')}</summary><div class="menu-items"><a href="${base}/export${query === undefined ? '' : `?${query}`}" data-turbo="false" download>${icon('download')} Export as CSV</a>${may.import && html`<a href="${base}/import">${icon('upload')} Import from CSV</a>`}${may.mail && html`<a href="${base}/by_mail">${icon('mail')} New issue by mail</a>`}</div></details>${may.create && newButton(base)}`
}

const newButton = (base: string): Html => html`<a class="btn btn-primary" href="${base}/new" data-hotkey="c">New issue</a>`

const may = (ctx: Context & { project: Parameters<typeof projectSubject>[0] }, ability: Ability): boolean =>
  allows(ctx.actor, ability, projectSubject(ctx.project)) === 'yes'

export const listProject = pageEndpoint({
  route: 'GET /:project_path/-/issues',
  summary: 'Show the issues of a project',
  scope: inProjectPage,
  can: 'read_issue',
  params: listingParams,
  run: ctx =>
    listing(ctx, {
      kind: may(ctx, 'admin_issue') ? changing(projectPath(ctx.project, '/-/issues/bulk')) : kind,
      base: projectPath(ctx.project, '/-/issues'),
      list: listProjectIssues,
      counts: countsBy(ctx, getProjectIssuesStatistics),
      title: 'Issues',
      place: projectPlace(ctx.actor, ctx.project, 'issues'),
      topic: issuesTopicOf(ctx.project),
      scripts: isByHand(ctx.request.address) ? ['sortable_list.js'] : [],
      completions: projectPath(ctx.project, '/-/completions'),
      buttons: buttons(ctx, projectPath(ctx.project, '/-/issues'), {
        import: may(ctx, 'import_issues'),
        create: may(ctx, 'create_issue'),
        mail: ctx.deps.config.incomingMail !== undefined && may(ctx, 'create_issue'),
      }),
      isOfProject: true,
    }),
})

export const listGroup = pageEndpoint({
  route: 'GET /groups/:group_path/-/issues',
  summary: 'Show the issues of a group’s projects',
  scope: inGroupPage,
  can: 'read_group',
  params: listingParams,
  run: ctx =>
    listing(ctx, {
      kind,
      base: groupPath(ctx.group, '/-/issues'),
      list: listGroupIssues,
      counts: countsBy(ctx, getGroupIssuesStatistics),
      title: 'Issues',
      buttons: buttons(ctx, groupPath(ctx.group, '/-/issues'), { create: ctx.actor.user !== undefined }),
      place: groupPlace(ctx.actor, ctx.group, 'issues'),
    }),
})

export const listOwn = pageEndpoint({
  route: 'GET /dashboard/issues',
  summary: 'Show one’s issues',
  scope: inInstance,
  can: 'use_instance',
  params: listingParams,
  run: ctx =>
    listing(ctx, {
      kind,
      base: '/dashboard/issues',
      list: listIssues,
      counts: countsBy(ctx, getIssuesStatistics),
      ...ownListing(ctx, 'Issues'),
      buttons: newButton('/dashboard/issues'),
    }),
})
