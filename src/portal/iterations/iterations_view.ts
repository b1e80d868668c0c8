/** Iterations as HTML: the list, and the page of one. Pure. */
import type { IterationRow } from '../../planning/iterations/queries.ts'
import { closedShare, type Progress } from '../../planning/shared/progress.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { progressBar } from '../../platform/pages/components/charts/progress.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { issueList, type ListedIssue } from '../issues/lists/list_view.ts'

/** The JSON of an iteration, as far as a list shows it. */
export interface ShownIteration {
  readonly id: number
  readonly title: string
  /** 1 upcoming, 2 current, 3 closed */
  readonly state: number
  readonly start_date: string
  readonly due_date: string
  readonly web_url: string
}

const states = [
  ['opened', 'Open'],
  ['current', 'Current'],
  ['upcoming', 'Upcoming'],
  ['closed', 'Past'],
  ['all', 'All'],
] as const

/** The state of an iteration, by its number in the API. */
const stateChip = (state: number): Html =>
  state === 1 ? chip('Upcoming', 'accent') : state === 2 ? chip('Current', 'success') : chip('Past', 'done')

const stateOf = ({ start_date, due_date }: IterationRow, today: string): number => (today < start_date ? 1 : today > due_date ? 3 : 2)

/** How far something is, in words. */
export const progressWords = ({ open, closed }: Progress): string =>
  open + closed === 0 ? 'No issues' : `${closed} of ${open + closed} ${open + closed === 1 ? 'issue' : 'issues'} closed`

interface ListView {
  readonly base: string
  readonly state: string
  readonly search: string
  readonly mayCreate: boolean
  /** Of a project: the list of its group. */
  readonly madeAt: string | undefined
  readonly rows: readonly ShownIteration[]
  readonly links: Html | undefined
  readonly progressOf: (id: number) => Progress
}

/** What a list without an iteration says. `madeAt`: the list of the group above, where they are made. */
const noneSays = (state: string, search: string, madeAt: string | undefined): Html =>
  html`An iteration is a stretch of days in which a team does what it plans, one after the other. ${search === '' && state === 'opened' ? 'None is planned.' : 'None is like this.'}${madeAt !== undefined && html` They are made in <a href="${madeAt}">the group</a>.`}`

/** The page of a list. */
export function iterationsView({ base, madeAt, state, search, mayCreate, rows, links, progressOf }: ListView): Html {
  const found = search === '' ? '' : `&search=${encodeURIComponent(search)}`
  return html`<div class="heading"><h1>Iterations</h1>${mayCreate && html`<div class="row"><a class="btn btn-primary" href="${base}/-/iterations/new" data-hotkey="c">New iteration</a></div>`}</div>
<form class="filter-bar" action="${base}/-/iterations" role="search"><input type="hidden" name="state" value="${state}"><label class="sr-only" for="iteration-search">Find iterations</label><input class="form-control" type="search" id="iteration-search" name="search" value="${search}" placeholder="Words of the title" autocomplete="off" data-hotkey="f"><button class="btn">${icon('search')} Find</button></form>
<nav class="subnav" aria-label="State">${states.map(([value, label]) => html`<a href="${base}/-/iterations?state=${value}${found}"${value === state && html` aria-current="page"`}>${label}</a>`)}</nav>
${rows.length === 0 ? empty({ icon: 'iterations', title: 'No iterations', says: noneSays(state, search, madeAt) }) : html`<ul class="list" data-list>${rows.map(row => iterationItem(row, progressOf(row.id)))}</ul>${links}`}`
}

const iterationItem = ({ title, state, start_date, due_date, web_url }: ShownIteration, progress: Progress): Html =>
  html`<li>${icon('iterations')}<div class="main"><div class="title"><a href="${web_url}">${title}</a> ${stateChip(state)}</div><div class="facts"><span>${icon('calendar')} ${start_date} to ${due_date}</span></div></div><div class="list-progress small muted">${progressBar(closedShare(progress), progressWords(progress))}<span aria-hidden="true">${progressWords(progress)}</span></div></li>`

/** What is in an iteration, as far as its page shows it. */
export interface IssuesByState {
  readonly open: readonly ListedIssue[]
  readonly closed: readonly ListedIssue[]
}

interface IterationView {
  readonly base: string
  readonly iteration: IterationRow
  /** `YYYY-MM-DD` */
  readonly today: string
  readonly description: Html | undefined
  readonly mayManage: boolean
  readonly progress: Progress
  readonly issues: IssuesByState
}

const DAY = 86_400_000

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY)

const days = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`

/** Where in its days an iteration is. */
function timeWords({ start_date, due_date }: IterationRow, today: string): string {
  if (today < start_date) return `begins in ${days(daysBetween(today, start_date))}`
  if (today > due_date) return `ended ${days(daysBetween(due_date, today))} ago`
  const left = daysBetween(today, due_date)
  return left === 0 ? 'ends today' : `${days(left)} left`
}

/** The page of an iteration. */
export function iterationView(ctx: Context, { base, iteration, today, description, mayManage, progress, issues }: IterationView): Html {
  const { id, title, start_date, due_date } = iteration
  const at = `${base}/-/iterations/${id}`
  const all = `${base}/-/issues?iteration_title=${encodeURIComponent(title)}`
  const [unassigned, ongoing] = [
    issues.open.filter(({ assignees }) => assignees.length === 0),
    issues.open.filter(({ assignees }) => assignees.length > 0),
  ]
  const part = (name: string, rows: readonly ListedIssue[], none: string) =>
    html`<section class="section"><h2>${name}</h2>${rows.length === 0 ? html`<p class="muted">${none}</p>` : issueList(ctx, rows, { isOfProject: false, bulk: undefined, isByHand: false, back: '', base: `${base}/-/issues` })}</section>`
  return html`<div class="heading"><h1>${title}</h1>${mayManage && html`<div class="row"><a class="btn btn-sm" href="${at}/edit" data-hotkey="e">${icon('pencil')} Edit</a>${actionButton(ctx, { to: `${at}/delete`, face: icon('trash'), label: 'Delete the iteration', look: 'bare', asks: `Delete the iteration “${title}”? Its issues stay, without an iteration.` })}</div>`}</div>
<div class="row facts item-facts">${stateChip(stateOf(iteration, today))}<span>${icon('calendar')} ${start_date} to ${due_date}</span><span>${timeWords(iteration, today)}</span></div>
<div class="columns item"><div>
${description && html`<div class="description"><div class="markdown-body">${description}</div></div>`}
${part('Open and not assigned', unassigned, 'Every open issue has an assignee.')}
${part('Open and assigned', ongoing, 'No open issue has an assignee.')}
${part('Closed', issues.closed, 'No issue is closed yet.')}
${progress.open > issues.open.length || progress.closed > issues.closed.length ? html`<p><a href="${all}">All issues of the iteration</a></p>` : undefined}
</div><aside aria-label="About the iteration"><section class="side-part"><h2>Progress</h2><div>${progressBar(closedShare(progress), progressWords(progress))}</div><div>${progressWords(progress)}</div></section>
${progress.weight > 0 && html`<section class="side-part"><h2>Weight</h2><div>${progressBar(progress.closed_weight / progress.weight, `Weight ${progress.closed_weight} of ${progress.weight} closed`)}</div><div>${progress.closed_weight} of ${progress.weight} closed</div></section>`}
<section class="side-part"><h2>Issues</h2><div><a href="${all}&amp;state=all">All issues of the iteration</a></div></section></aside></div>`
}
