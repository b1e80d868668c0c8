/** The lists of issues: of a project, of a group, and of what is the caller's own. */
import {
  getGroupIssuesStatistics,
  getIssuesStatistics,
  getProjectIssuesStatistics,
  listGroupIssues,
  listIssues,
  listProjectIssues,
} from '../../planning/issues/lists/endpoints.ts'
import { type Ability, allows } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer, Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { CommaList, optional, text } from '../../platform/kernel/declaration/types.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { decodeForm } from '../../platform/kernel/request/wire.ts'
import { answerOf, readAs } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { messagesOf } from '../../platform/pages/forms/form.ts'
import { page, redirect } from '../../platform/pages/frame/document.ts'
import type { Place } from '../../platform/pages/frame/place.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import type { Topic } from '../../platform/pages/live/topics.ts'
import { groupPath, groupPlace } from '../../spaces/groups/pages/place.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { projectPath, projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import { type FilterParams, issueFilterKeys, paramsOfText } from '../items/filter_text.ts'
import { filterBar, listAddress } from '../items/list_frame.ts'
import { issueList, type ListedIssue } from './list_view.ts'
import { issuesTopicOf } from './live.ts'

/** What the address of a list may have besides the parameters of the API's list, which that one reads: what it refuses is said at the bar. */
const ownParams = {
  filter: optional(text('The text of the filter bar', { maxLength: 2_000 })),
  label_name: optional(
    CommaList(text('A label', { maxLength: 255 }), { maxItems: 20, description: 'Labels, as links in texts have them' }),
  ),
}

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

/** Parameters that are flags, as people write them. */
const flags: Readonly<Record<string, string>> = { yes: 'true', no: 'false' }

/** The parameters of an address as they were sent, by their names there; several values of one with commas. */
function sentParams(address: string): FilterParams {
  const params: Record<string, string> = {}
  for (const [sent, value] of new URLSearchParams(address.split('?', 2)[1] ?? '')) {
    const name = sent.replace(/\[\]$/, '')
    params[name] = name !== sent && params[name] !== undefined ? `${params[name]},${value}` : value
  }
  return params
}

interface Listing {
  readonly base: string
  readonly list: Endpoint
  readonly statistics: Endpoint
  readonly title: string
  readonly place?: Place
  /** Sent unless the address says otherwise. */
  readonly defaults?: FilterParams
  readonly buttons?: Html
  readonly topic?: Topic
  readonly completions?: string
  /** May the caller change several together? */
  readonly bulk?: { readonly action: string; readonly labels: readonly string[] }
}

async function listing(
  ctx: Context & { params: { filter?: string; label_name?: readonly string[] } },
  listed: Listing,
): Promise<ByteAnswer> {
  const { base, list, statistics, defaults = {} } = listed
  const sent = sentParams(ctx.request.address)
  const { filter, label_name, ...kept } = sent
  // The bar says everything: what it has, and state and order beside it, is the address that can be kept and sent to others.
  if (filter !== undefined) {
    const { state, order_by, sort, scope } = kept
    const others = Object.entries({ state, order_by, sort, scope }).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const read = paramsOfText(issueFilterKeys, filter)
    const confidential = flags[read.confidential ?? ''] ?? read.confidential
    return redirect(listAddress(base, { ...Object.fromEntries(others), ...read, ...(confidential === undefined ? {} : { confidential }) }))
  }
  const named = ctx.params.label_name ?? []
  const params: FilterParams = {
    ...defaults,
    ...kept,
    ...(named.length > 0 && kept.labels === undefined ? { labels: named.join(',') } : {}),
  }
  const wire = decodeForm(
    new URLSearchParams({ state: 'opened', with_labels_details: 'true', ...params } as Record<string, string>).toString(),
  )
  let wrong: string | undefined
  const [found, counts] = await Promise.all([answerOf(ctx, list, wire), countsOf(ctx, statistics, wire)]).catch(error => {
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    wrong = messagesOf(error, []).alert
    return [undefined, undefined] as const
  })
  const state = params.state ?? 'opened'
  const rows = (found?.rows ?? []) as readonly ListedIssue[]
  const view =
    rows.length > 0
      ? html`${issueList(ctx, rows, { showsProject: listed.bulk === undefined, bulk: listed.bulk, back: ctx.request.address, base })}${found?.links}`
      : empty({
          icon: 'issue-opened',
          title: wrong !== undefined ? 'The filter cannot be read' : 'No issues',
          says:
            wrong !== undefined
              ? 'Change it, or take it away.'
              : 'What should be done, or is broken, is written down as an issue. None is like this.',
        })
  return page(ctx, {
    title: listed.title,
    heading: 'own',
    ...(listed.place === undefined ? {} : { place: listed.place }),
    ...(listed.topic === undefined ? {} : { live: [listed.topic] }),
    scripts: ['lists.js'],
    ...(wrong === undefined ? {} : { status: 422 }),
    body: html`<div class="heading"><h1>${listed.title}</h1>${listed.buttons && html`<div class="row">${listed.buttons}</div>`}</div>
${filterBar({
  base,
  keys: issueFilterKeys,
  params,
  wrong,
  states: [
    ['opened', 'Open', counts?.opened],
    ['closed', 'Closed', counts?.closed],
    ['all', 'All', counts?.all],
  ],
  orders,
  ...(listed.completions === undefined ? {} : { completions: listed.completions }),
})}
${listed.topic === undefined ? view : livePart(`issues-${state}`, listed.topic, view)}`,
  })
}

interface Counts {
  readonly all: number
  readonly closed: number
  readonly opened: number
}

/** How many there are in each state. */
async function countsOf(ctx: Context, statistics: Endpoint, wire: Readonly<Record<string, unknown>>): Promise<Counts> {
  const { state: _state, order_by: _order, sort: _sort, page: _page, per_page: _per, with_labels_details: _details, ...filters } = wire
  const answer = (await statistics.run({ ...ctx, params: readAs(ctx, statistics, filters) })) as { statistics: { counts: Counts } }
  return answer.statistics.counts
}

const newButton = (href: string): Html => html`<a class="btn btn-primary" href="${href}" data-hotkey="c">New issue</a>`

const may = (ctx: Context & { project: Parameters<typeof projectSubject>[0] }, ability: Ability): boolean =>
  allows(ctx.actor, ability, projectSubject(ctx.project)) === 'yes'

export const listProject = pageEndpoint({
  route: 'GET /:project_path/-/issues',
  summary: 'Show the issues of a project',
  scope: inProjectPage,
  can: 'read_issue',
  params: { ...listParams, ...ownParams },
  run: ctx =>
    listing(ctx as never, {
      base: projectPath(ctx.project, '/-/issues'),
      list: listProjectIssues,
      statistics: getProjectIssuesStatistics,
      title: 'Issues',
      place: projectPlace(ctx.actor, ctx.project, 'issues'),
      topic: issuesTopicOf(ctx.project),
      completions: projectPath(ctx.project, '/-/completions'),
      ...(may(ctx, 'create_issue') ? { buttons: newButton(projectPath(ctx.project, '/-/issues/new')) } : {}),
      ...(may(ctx, 'admin_issue') ? { bulk: { action: projectPath(ctx.project, '/-/issues/bulk'), labels: [] } } : {}),
    }),
})

export const listGroup = pageEndpoint({
  route: 'GET /groups/:group_path/-/issues',
  summary: 'Show the issues of a group’s projects',
  scope: inGroupPage,
  can: 'read_group',
  params: { ...listParams, ...ownParams },
  run: ctx =>
    listing(ctx as never, {
      base: groupPath(ctx.group, '/-/issues'),
      list: listGroupIssues,
      statistics: getGroupIssuesStatistics,
      title: 'Issues',
      place: groupPlace(ctx.actor, ctx.group, 'issues'),
    }),
})

export const listOwn = pageEndpoint({
  route: 'GET /dashboard/issues',
  summary: 'Show one’s issues',
  scope: inInstance,
  can: 'use_instance',
  params: { ...listParams, ...ownParams },
  run(ctx) {
    const own: FilterParams = { scope: 'all', assignee_username: ctx.actor.user?.username ?? '' }
    const isFiltered = ctx.request.address.includes('?')
    return listing(ctx as never, {
      base: '/dashboard/issues',
      list: listIssues,
      statistics: getIssuesStatistics,
      title: isFiltered ? 'Issues' : 'Issues assigned to you',
      defaults: isFiltered ? { scope: 'all' } : own,
    })
  },
})
