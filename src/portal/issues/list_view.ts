/** Issues in lists. */
import type { Context } from '../../platform/kernel/context.ts'
import { type Pictured, people } from '../../platform/pages/components/avatar.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { time } from '../../platform/pages/components/time.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { labelChip, type ShownLabel } from '../items/labels_view.ts'

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
  /** The address of the list: it is shown again after a change. */
  readonly back: string
  /** The path of the list: labels lead to it. */
  readonly base: string
}

/** A list of issues; those who may change several together get a box for each. */
export function issueList(ctx: Pick<Context, 'actor' | 'deps' | 'now'>, rows: readonly ListedIssue[], view: ListView): Html {
  const list = html`<ul class="list" data-list>${rows.map(row => issueItem(row, view, ctx.now))}</ul>`
  if (!view.bulk) return list
  return html`<form method="post" action="${view.bulk.action}" class="bulk">${csrfField(ctx)}<input type="hidden" name="back" value="${view.back}">${list}
<details class="panel bulk-bar"><summary><span data-bulk-count>Change the chosen issues</span></summary><div class="body"><div class="bulk-fields"><label>State <select class="form-control form-select input-sm" name="state_event"><option value="">as it is</option><option value="close">Close</option><option value="reopen">Reopen</option></select></label><label>Add labels <input class="form-control input-sm" name="add_labels" maxlength="1000" placeholder="bug, docs"></label><label>Remove labels <input class="form-control input-sm" name="remove_labels" maxlength="1000"></label><label>Assign to <input class="form-control input-sm" name="assignee_username" maxlength="255" placeholder="username, or None"></label><label>Milestone <input class="form-control input-sm" name="milestone_title" maxlength="255" placeholder="title, or None"></label></div><button class="btn btn-primary btn-sm">Change</button></div></details></form>`
}

function issueItem(row: ListedIssue, { isOfProject, bulk, base }: ListView, now: Date): Html {
  const { title, web_url, state, references, author, labels, milestone, due_date, task_completion_status: tasks } = row
  const isOpen = state === 'opened'
  const isLate = isOpen && due_date !== null && due_date < now.toISOString().slice(0, 10)
  return html`
<li>${bulk && html`<input type="checkbox" name="iids[]" value="${row.iid}" aria-label="Choose ${references.relative}" data-choose>`}${isOpen ? icon('issue-opened', 'Open') : icon('issue-closed', 'Closed')}<div class="main"><div class="title">${pageLink(web_url, title)} ${labels.map(label => html`${labelChip(label, `${base}?labels=${encodeURIComponent(label.name)}`)} `)}${row.confidential && chip('Confidential', 'attention', 'lock')}${row.issue_type !== 'issue' && chip(row.issue_type.replaceAll('_', ' '), 'danger')}</div>
<div class="facts"><span>${isOfProject ? references.relative : references.full}</span><span>opened ${time(row.created_at)} by ${author.name}</span>${milestone && html`<span>${icon('milestone', 'Milestone')} ${milestone.title}</span>`}${due_date !== null && html`<span${isLate && html` class="late"`}>${icon('calendar', 'Due')} ${due_date}</span>`}${row.weight !== null && html`<span title="Weight">weight ${row.weight}</span>`}${tasks.count > 0 && html`<span>${icon('tasklist', 'Tasks')} ${tasks.completed_count} of ${tasks.count}</span>`}</div></div>
<div class="facts">${people(row.assignees.map(person => ['Assigned to', person]))}${row.merge_requests_count > 0 && html`<span title="Merge requests">${icon('git-pull-request', 'Merge requests')} ${row.merge_requests_count}</span>`}${row.upvotes > 0 && html`<span title="Thumbs up">+${row.upvotes}</span>`}${row.user_notes_count > 0 && html`<span title="Comments">${icon('comment', 'Comments')} ${row.user_notes_count}</span>`}</div></li>`
}
