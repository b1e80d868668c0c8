/** Milestones in lists. Pure. */
import type { IssueStats } from '../../planning/milestones/queries.ts'
import { progressBar } from '../../platform/pages/components/charts/progress.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { type Html, html } from '../../platform/pages/html.ts'

/** A milestone, as far as pages show it. */
export interface ShownMilestone {
  readonly title: string
  readonly state: string
  readonly expired: boolean
  readonly start_date: string | null
  readonly due_date: string | null
  readonly web_url: string
}

/** A milestone of a list. */
export interface ListedMilestone extends ShownMilestone {
  /** The path of its project or group. */
  readonly place: string
  readonly stats: IssueStats
}

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `2021-05-03` as `3 May 2021`. */
export const dayText = (day: string): string => days.format(Date.parse(day))

/** Open, closed, over, or still to come. `today`: a day. */
export function milestoneChip({ state, expired, start_date }: ShownMilestone, today: string): Html {
  if (state === 'closed') return chip('Closed', 'done')
  if (expired) return chip('Expired', 'danger')
  return start_date !== null && start_date > today ? chip('Upcoming') : chip('Open', 'success')
}

/** `3 May – 4 June 2021`. */
export function datesText({ start_date, due_date }: Pick<ShownMilestone, 'start_date' | 'due_date'>): string | undefined {
  if (start_date !== null && due_date !== null) return `${dayText(start_date)} – ${dayText(due_date)}`
  if (start_date !== null) return `from ${dayText(start_date)}`
  return due_date === null ? undefined : `until ${dayText(due_date)}`
}

const percent = (share: number): string => `${Math.floor(100 * share)} %`

/** How many of the issues are closed, as a bar and in words. */
export function progressView({ total, closed }: IssueStats): Html {
  if (total === 0) return html`<span class="muted">No issues</span>`
  return html`<div>${closed} of ${total} ${total === 1 ? 'issue' : 'issues'} closed <span class="muted">${percent(closed / total)}</span></div>${progressBar(closed / total, `${percent(closed / total)} closed`)}`
}

/** A list of milestones. `isOf`: the path of the place that it is the list of, whose name the rows need not say. */
export const milestoneList = (
  rows: readonly ListedMilestone[],
  { today, isOf }: { readonly today: string; readonly isOf: string | undefined },
): Html =>
  html`<ul class="list" data-list>${rows.map(
    row => html`
<li>${icon('milestone')}<div class="main"><div class="title">${pageLink(row.web_url, row.title)} ${milestoneChip(row, today)}</div>
<div class="facts">${datesText(row)}${row.place !== isOf && html`<span>${row.place}</span>`}</div></div><div class="milestone-progress small">${progressView(row.stats)}</div></li>`,
  )}</ul>`
