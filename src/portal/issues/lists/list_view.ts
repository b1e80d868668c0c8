/** Issues in lists. */
import type { Context } from '../../../platform/kernel/context.ts'
import { tierCovers } from '../../../platform/kernel/declaration/types.ts'
import { type Pictured, people } from '../../../platform/pages/components/avatar.ts'
import { chip } from '../../../platform/pages/components/chip.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { pageLink } from '../../../platform/pages/components/page_link.ts'
import { time } from '../../../platform/pages/components/time.ts'
import { csrfField } from '../../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { labelChip, type ShownLabel } from '../../items/labels_view.ts'

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

interface BulkField {
  readonly name: string
  readonly label: string
  readonly placeholder?: string
  readonly choices?: readonly (readonly [value: string, label: string])[]
  readonly type?: 'date' | 'number'
  /** What has it; default: all. */
  readonly tier?: 'premium' | 'ultimate'
}

const bulkFields: readonly BulkField[] = [
  {
    name: 'state_event',
    label: 'State',
    choices: [
      ['close', 'Close'],
      ['reopen', 'Reopen'],
    ],
  },
  { name: 'add_labels', label: 'Add labels', placeholder: 'bug, docs' },
  { name: 'remove_labels', label: 'Remove labels' },
  { name: 'assignee_username', label: 'Assign to', placeholder: 'username, or None' },
  { name: 'milestone_title', label: 'Milestone', placeholder: 'title, or None' },
  { name: 'due_date', label: 'Due date', type: 'date' },
  { name: 'iteration_title', label: 'Iteration', placeholder: 'title, or None', tier: 'premium' },
  { name: 'epic', label: 'Epic', placeholder: 'title, &3, or None', tier: 'premium' },
  { name: 'weight', label: 'Weight', type: 'number', tier: 'premium' },
  {
    name: 'health',
    label: 'Health',
    choices: [
      ['on_track', 'On track'],
      ['needs_attention', 'Needs attention'],
      ['at_risk', 'At risk'],
      ['none', 'None'],
    ],
    tier: 'ultimate',
  },
  {
    name: 'confidential',
    label: 'Confidential',
    choices: [
      ['yes', 'Yes'],
      ['no', 'No'],
    ],
  },
  {
    name: 'subscription',
    label: 'Your notifications',
    choices: [
      ['subscribe', 'Subscribe'],
      ['unsubscribe', 'Unsubscribe'],
    ],
  },
  { name: 'to_project', label: 'Move to project', placeholder: 'group/project' },
]

const bulkBar = (tier: Context['tier']): Html =>
  html`<details class="panel bulk-bar"><summary><span data-bulk-count="Change">Change the chosen issues</span></summary><div class="body"><div class="bulk-fields">${bulkFields
    .filter(field => field.tier === undefined || tierCovers(tier, field.tier))
    .map(
      ({ name, label, placeholder, choices, type = 'text' }) =>
        html`<label>${label} ${
          choices
            ? html`<select class="form-control form-select input-sm" name="${name}"><option value="">as it is</option>${choices.map(([value, words]) => html`<option value="${value}">${words}</option>`)}</select>`
            : html`<input class="form-control input-sm" type="${type}"${type === 'number' && html` min="0"`} name="${name}"${placeholder !== undefined && html` placeholder="${placeholder}"`} autocomplete="off" autocapitalize="none">`
        }</label>`,
    )}</div><button class="btn btn-primary btn-sm">Change</button></div></details>`

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
