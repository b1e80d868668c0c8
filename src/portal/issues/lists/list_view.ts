/** Issues in lists. */
import type { Context } from '../../../platform/kernel/context.ts'
import { type Pictured, people } from '../../../platform/pages/components/avatar.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageLink } from '../../../platform/pages/components/page_link.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { csrfField } from '../../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { labelChip, type ShownLabel } from '../../items/labels_view.ts'
import { bulkBar } from './bulk_view.ts'

/** The JSON of an issue, as far as a list shows it. */
export interface ListedIssue {
  readonly id: number
  readonly iid: number
  readonly title: string
  readonly web_url: string
  readonly state: string
  readonly created_at: string
  readonly updated_at: string
  readonly due_date: string | null
  readonly confidential: boolean
  readonly issue_type: string
  readonly weight: number | null
  readonly user_notes_count: number
  readonly merge_requests_count: number
  readonly upvotes: number
  readonly references: { readonly relative: string; readonly full: string }
  readonly author: Pictured & { readonly username: string }
  readonly assignees: readonly (Pictured & { readonly username: string })[]
  readonly milestone: { readonly title: string; readonly web_url: string } | null
  readonly labels: readonly ShownLabel[]
  readonly task_completion_status: { readonly count: number; readonly completed_count: number }
}

export interface ListView {
  /** Rows of several projects name theirs. */
  readonly isOfProject: boolean
  /** Where changes of several are sent to; undefined where the caller may not. */
  readonly bulk: { readonly action: string } | undefined
  /** The list is in the order that people give it by hand. */
  readonly isByHand: boolean
  /** The address of the list: it is shown again after a change. */
  readonly back: string
  /** The path of the list: labels lead to it. */
  readonly base: string
}

/** A list of issues; those who may change several together get a box for each, and move them where the order is by hand. */
export function issueList(ctx: Pick<Context, 'actor' | 'deps' | 'now' | 'tier'>, rows: readonly ListedIssue[], view: ListView): Html {
  if (!view.bulk) return html`<ul class="list" data-list>${rows.map(row => issueItem(row, view, ctx.now))}</ul>`
  const isMoved = view.isByHand && rows.length > 1
  const items = rows.map((row, index) =>
    issueItem(row, view, ctx.now, isMoved ? { before: rows[index - 1], after: rows[index + 1], first: rows[0] } : undefined),
  )
  const list = isMoved
    ? html`<p class="muted small">Drag an issue, or press Space on its title and move it with the arrows.</p><sortable-list><ul class="list" data-list data-sort-list="issue" aria-label="Issues in their order">${items}</ul></sortable-list>`
    : html`<ul class="list" data-list>${items}</ul>`
  return html`<form method="post" action="${view.bulk.action}" class="bulk">${csrfField(ctx)}<input type="hidden" name="back" value="${view.back}">${list}
${bulkBar(ctx.tier)}</form>`
}

/** What stands around an issue in the order by hand. */
interface Around {
  readonly before: ListedIssue | undefined
  readonly after: ListedIssue | undefined
  readonly first: ListedIssue | undefined
}

/** The buttons that move an issue without a script; they stand in the form around the list. */
function moveButtons({ web_url, references }: ListedIssue, { before, after, first }: Around): Html {
  const to = `${pathOf(web_url)}/reorder`
  const button = (name: 'move_before_id' | 'move_after_id', other: ListedIssue, face: string) =>
    html`<button class="bar-button" formaction="${to}" name="${name}" value="${other.id}" formnovalidate>${face}</button>`
  return html`<details class="menu start"><summary class="bar-button" aria-label="Move ${references.relative}" title="Move">${icon('grabber')}</summary><div class="menu-items">${before && html`${first && first !== before && button('move_before_id', first, 'To the top of the page')}${button('move_before_id', before, 'Up')}`}${after && button('move_after_id', after, 'Down')}</div></details>`
}

const pathOf = (address: string): string => new URL(address).pathname

function issueItem(row: ListedIssue, { isOfProject, bulk, base }: ListView, now: Date, around?: Around): Html {
  const { title, web_url, state, references, author, labels, milestone, due_date, task_completion_status: tasks } = row
  const isOpen = state === 'opened'
  const isLate = isOpen && due_date !== null && due_date < now.toISOString().slice(0, 10)
  return html`
<li${around && html` data-sort-item="${row.id}" data-sort-to="${pathOf(web_url)}/reorder" data-sort-name="${references.relative} ${title}"`}>${around && moveButtons(row, around)}${bulk && html`<input type="checkbox" name="iids[]" value="${row.iid}" aria-label="Choose ${references.relative}" data-choose>`}${isOpen ? icon('issue-opened', 'Open') : icon('issue-closed', 'Closed')}<div class="main"><div class="title">${pageLink(web_url, title)} ${labels.map(label => html`${labelChip(label, `${base}?labels=${encodeURIComponent(label.name)}`)} `)}${row.confidential && chip('Confidential', 'attention', 'lock')}${row.issue_type !== 'issue' && chip(row.issue_type.replaceAll('_', ' '), 'danger')}</div>
<div class="facts"><span>${isOfProject ? references.relative : references.full}</span><span>opened ${time(row.created_at)} by ${author.name}</span>${milestone && html`<span>${icon('milestone', 'Milestone')} ${milestone.title}</span>`}${due_date !== null && html`<span${isLate && html` class="late"`}>${icon('calendar', 'Due')} ${due_date}</span>`}${row.weight !== null && html`<span title="Weight">weight ${row.weight}</span>`}${tasks.count > 0 && html`<span>${icon('tasklist', 'Tasks')} ${tasks.completed_count} of ${tasks.count}</span>`}</div></div>
<div class="facts">${people(row.assignees.map(person => ['Assigned to', person]))}${row.merge_requests_count > 0 && html`<span title="Merge requests">${icon('git-pull-request', 'Merge requests')} ${row.merge_requests_count}</span>`}${row.upvotes > 0 && html`<span title="Thumbs up">+${row.upvotes}</span>`}${row.user_notes_count > 0 && html`<span title="Comments">${icon('comment', 'Comments')} ${row.user_notes_count}</span>`}</div></li>`
}
