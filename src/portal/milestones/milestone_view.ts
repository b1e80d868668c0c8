/** The page of a milestone. Pure. */
import { formatDuration } from '../../collaboration/time_tracking/durations.ts'
import type { MilestoneLabel, MilestoneProgress } from '../../planning/milestones/overview.ts'
import { avatar, type Pictured, people } from '../../platform/pages/components/avatar.ts'
import { type Chart, chart } from '../../platform/pages/components/charts/chart.ts'
import { progressBar } from '../../platform/pages/components/charts/progress.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { ListedIssue } from '../issues/lists/list_view.ts'
import { labelChip } from '../items/labels_view.ts'
import type { Burndown, BurndownMeasure } from './burndown.ts'
import { datesText, dayText, milestoneChip, progressView, type ShownMilestone } from './list_view.ts'

/** Issues of one state, the first of them. */
export interface Column {
  readonly title: string
  /** What it means. */
  readonly says: string
  readonly count: number
  readonly issues: readonly ListedIssue[]
  /** The list of all of them. */
  readonly all: string
}

const issueItem = (
  { title, web_url, references, labels, assignees, weight, confidential }: ListedIssue,
  isOfProject: boolean,
): Html => html`
<li><div class="main"><div class="title">${pageLink(web_url, title)}</div><div class="facts"><span>${isOfProject ? references.relative : references.full}</span>${confidential && icon('lock', 'Confidential')}${weight !== null && html`<span>weight ${weight}</span>`}${people(assignees.map(person => ['Assigned to', person]))}${labels.map(label => labelChip(label))}</div></div></li>`

/** The issues by what is done about them, beside each other where there is room. */
export const columnsView = (columns: readonly Column[], isOfProject: boolean): Html =>
  html`<div class="thirds">${columns.map(
    ({ title, says, count, issues, all }) =>
      html`<section aria-label="${title}"><h3 title="${says}">${title} <span class="counter">${count}</span></h3>${issues.length > 0 ? html`<ul class="list compact" data-list>${issues.map(issue => issueItem(issue, isOfProject))}</ul>` : html`<p class="muted small">${says}: none.</p>`}${count > issues.length && html`<p class="small"><a href="${all}">Show all ${count}</a></p>`}</section>`,
  )}</div>`

/** Charts of a milestone with both days; else what is missing. `edit`: where it can be given, for those who may. */
export function chartsView(
  { start_date, due_date }: Pick<ShownMilestone, 'start_date' | 'due_date'>,
  burndown: Burndown | undefined,
  {
    by,
    page,
    edit,
    today,
  }: { readonly by: BurndownMeasure; readonly page: string; readonly edit: string | undefined; readonly today: string },
): Html {
  if (!burndown) {
    const missing = [start_date === null && 'first day', due_date === null && 'last day'].filter(part => part !== false).join(' and no ')
    return html`<div class="notice">${icon('graph')}<span>It has no ${missing}: with both, a chart shows here how its issues get done. ${edit !== undefined && html`<a href="${edit}">Set the dates</a>`}</span></div>`
  }
  const shared: Pick<Chart, 'along' | 'alongName' | 'mark'> = {
    along: burndown.along,
    alongName: 'Day',
    mark: { at: nearest(burndown, today), label: 'Today' },
  }
  const noun = by === 'count' ? 'issues' : 'weight of the issues'
  return html`<div class="row apart chart-controls"><h2>Progress over time</h2><nav class="subnav" aria-label="What counts">${(['count', 'weight'] as const).map(value => html`<a href="${page}${value === 'weight' ? '?by=weight' : ''}"${value === by && html` aria-current="page"`}>${value === 'count' ? 'Issues' : 'Weight'}</a>`)}</nav></div>
<div class="charts">${chart({ ...shared, id: 'burndown', title: 'Burndown', says: `The ${noun} that remained open at the end of each day, beside a guideline from all that is planned now to none on the last day.`, series: burndown.down })}${chart({ ...shared, id: 'burnup', title: 'Burnup', says: `The ${noun} that were in the milestone, and that were completed, at the end of each day.`, series: burndown.up })}</div>`
}

/** The day of the axis that today is drawn at; none of them before the first and after the last. */
const nearest = ({ along }: Burndown, today: string): string =>
  'days' in along && today >= (along.days[0] ?? '') ? (along.days.find(day => day >= today) ?? '') : ''

/** What the side column shows. */
export interface MilestoneSide {
  readonly milestone: ShownMilestone & { readonly iid: number }
  readonly progress: MilestoneProgress
  /** Merge requests by their state; undefined where the caller may not see them. */
  readonly mergeRequests: { readonly opened: number; readonly merged: number; readonly closed: number } | undefined
  readonly labels: readonly MilestoneLabel[]
  readonly people: readonly (Pictured & { readonly username: string })[]
  /** Of the lists of issues. */
  readonly issuesPath: string
  readonly hasWeights: boolean
}

const part = (title: string, shown: Html | string): Html => html`<section class="side-part"><h2>${title}</h2><div>${shown}</div></section>`

const ratio = (closed: number, total: number): string => `${Math.floor((100 * closed) / total)} %`

/** Progress, dates, time, labels and people. */
export function milestoneSide(side: MilestoneSide): Html {
  const { milestone, progress, mergeRequests, labels, people: persons, issuesPath, hasWeights } = side
  const total = progress.unstarted + progress.ongoing + progress.closed
  const { weight, closedWeight, estimate, spent } = progress
  return html`${part('Progress', progressView({ total, closed: progress.closed }))}
${hasWeights && weight > 0 && part('Weight', html`<div>${closedWeight} of ${weight} done <span class="muted">${ratio(closedWeight, weight)}</span></div>${progressBar(closedWeight / weight, `${ratio(closedWeight, weight)} of the weight`)}`)}
${part('Dates', datesText(milestone) ?? html`<span class="muted">None</span>`)}
${(estimate > 0 || spent > 0) && part('Time', html`${formatDuration(spent) ?? '0h'} spent${estimate > 0 && html` of ${formatDuration(estimate)}`}${estimate > 0 && progressBar(spent / estimate, `${ratio(spent, estimate)} of the estimate`)}`)}
${mergeRequests && part('Merge requests', mergeRequests.opened + mergeRequests.merged + mergeRequests.closed === 0 ? html`<span class="muted">None</span>` : html`${mergeRequests.opened} open, ${mergeRequests.merged} merged, ${mergeRequests.closed} closed`)}
${part('Labels', labels.length === 0 ? html`<span class="muted">None</span>` : labelsView(labels, `${issuesPath}?${new URLSearchParams({ milestone: milestone.title, state: 'all' })}`))}
${part(`${persons.length} ${persons.length === 1 ? 'participant' : 'participants'}`, html`<div class="row">${persons.map(person => html`<a href="/${person.username}" title="${person.name}" aria-label="${person.name}">${avatar(person, 20)}</a>`)}</div>`)}
${part('Reference', html`<div class="row"><span class="mono">${referenceOf(milestone.title)}</span>${copyButton('Copy the reference', referenceOf(milestone.title))}</div>`)}`
}

const referenceOf = (title: string): string => (/^[\w.-]+$/.test(title) ? `%${title}` : `%"${title}"`)

const labelsView = (labels: readonly MilestoneLabel[], all: string): Html =>
  html`<ul class="plain-list small-stack">${labels.map(({ opened, closed, ...label }) => html`<li>${labelChip(label, `${all}&labels=${encodeURIComponent(label.name)}`)} <span class="muted small nowrap">${closed} of ${opened + closed} closed</span></li>`)}</ul>`

/** Title, state and dates. `buttons`: what can be done with it as a whole. */
export const milestoneHead = (milestone: ShownMilestone, today: string, buttons: Html | undefined): Html =>
  html`<div class="heading"><h1>${milestone.title}</h1>${buttons && html`<div class="row">${buttons}</div>`}</div>
<div class="row facts item-facts">${milestoneChip(milestone, today)}${datesText(milestone) !== undefined && html`<span>${icon('calendar')} ${datesText(milestone)}</span>`}${milestone.state === 'active' && milestone.due_date !== null && html`<span${milestone.expired && html` class="late"`}>${leftText(milestone.due_date, today)}</span>`}</div>`

/** How long there is, or has been. */
function leftText(due: string, today: string): string {
  const days = Math.round((Date.parse(due) - Date.parse(today)) / 86_400_000)
  if (days === 0) return 'ends today'
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`
  return days > 0 ? `${count} left` : `ended ${count} ago, on ${dayText(due)}`
}
