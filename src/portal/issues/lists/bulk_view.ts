/** What changes several issues together: below their list, and alone where it was refused. Pure. */
import type { Context } from '../../../platform/kernel/context.ts'
import { tierCovers } from '../../../platform/kernel/declaration/types.ts'
import { icon } from '../../../platform/pages/components/icon.ts'
import { csrfField } from '../../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../../platform/pages/html.ts'

interface BulkField {
  readonly name: string
  readonly label: string
  readonly placeholder?: string
  readonly choices?: readonly (readonly [value: string, label: string])[]
  readonly type?: 'date' | 'number'
  /** What has it; default: all. */
  readonly tier?: 'premium' | 'ultimate'
}

/** The fields, by the names of the parameters. */
export const bulkFields: readonly BulkField[] = [
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

/** What was sent, by field, and what is wrong with it. */
interface Sent {
  readonly values: Readonly<Record<string, unknown>>
  readonly wrong: Readonly<Record<string, readonly string[]>>
}

const nothingSent: Sent = { values: {}, wrong: {} }

function bulkField({ name, label, placeholder, choices, type }: BulkField, { values, wrong }: Sent): Html {
  const value = typeof values[name] === 'string' ? (values[name] as string) : ''
  const said = wrong[name] ?? []
  const marks = said.length > 0 && html` aria-invalid="true" aria-describedby="bulk-${name}-wrong"`
  const control = choices
    ? html`<select class="form-control form-select input-sm" name="${name}"${marks}><option value="">as it is</option>${choices.map(([choice, words]) => html`<option value="${choice}"${choice === value && html` selected`}>${words}</option>`)}</select>`
    : html`<input class="form-control input-sm" type="${type ?? 'text'}"${type === 'number' && html` min="0"`} name="${name}" value="${value}"${placeholder !== undefined && html` placeholder="${placeholder}"`} autocomplete="off" autocapitalize="none"${marks}>`
  return html`<label>${label} ${control}${said.length > 0 && html`<span class="wrong" id="bulk-${name}-wrong">${label} ${said.join(', ')}</span>`}</label>`
}

const fieldsOf = (tier: Context['tier'], sent: Sent): Html =>
  html`<div class="bulk-fields">${bulkFields.filter(field => field.tier === undefined || tierCovers(tier, field.tier)).map(field => bulkField(field, sent))}</div>`

/** Below a list. */
export const bulkBar = (tier: Context['tier']): Html =>
  html`<details class="panel bulk-bar"><summary><span data-bulk-count="Change">Change the chosen issues</span></summary><div class="body">${fieldsOf(tier, nothingSent)}<button class="btn btn-primary btn-sm">Change</button></div></details>`

export interface RefusedBulk extends Sent {
  /** Where it is sent. */
  readonly action: string
  /** The numbers of the issues. */
  readonly iids: readonly number[]
  /** The list that is shown again afterwards. */
  readonly back: string
  /** The list of the project. */
  readonly list: string
  /** What is wrong with none of the fields. */
  readonly alert: string | undefined
}

/** What was refused, with what was chosen and typed. */
export function refusedBulkView(ctx: Context, { action, iids, back, list, alert, ...sent }: RefusedBulk): Html {
  const says = alert ?? 'Nothing was changed. Please check what you entered.'
  return html`<div class="heading"><h1>Change ${iids.length === 1 ? 'one issue' : `${iids.length} issues`}</h1></div>
<div class="notice danger" role="alert">${icon('alert')}<span>${says}</span></div>
<p>${iids.map(iid => html`<a href="${list}/${iid}">#${iid}</a> `)}</p>
<form method="post" action="${action}" data-refused>${csrfField(ctx)}<input type="hidden" name="back" value="${back}">${iids.map(iid => html`<input type="hidden" name="iids[]" value="${iid}">`)}
${fieldsOf(ctx.tier, sent)}<div class="row"><button class="btn btn-primary">Change</button><a class="btn" href="${back}">Cancel</a></div></form>`
}
