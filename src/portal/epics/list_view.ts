/** Epics in lists. Pure. */
import { closedShare, type Progress } from '../../planning/shared/progress.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { progressBar } from '../../platform/pages/components/charts/progress.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { labelChip, type ShownLabel } from '../items/labels_view.ts'
import { progressWords } from '../iterations/iterations_view.ts'

/** The JSON of an epic, as far as a list shows it. */
export interface ListedEpic {
  readonly id: number
  readonly iid: number
  readonly title: string
  readonly web_url: string
  readonly state: string
  readonly confidential: boolean
  readonly start_date: string | null
  readonly due_date: string | null
  readonly created_at: string
  readonly upvotes: number
  readonly references: { readonly relative: string }
  readonly author: { readonly name: string }
  readonly labels: readonly ShownLabel[]
}

/** The state of an epic, as an icon. */
export const epicIcon = (state: string): Html => (state === 'opened' ? icon('goal', 'Open') : icon('issue-closed', 'Closed'))

/** The days of an epic; undefined where it has none. */
export function datesText({ start_date: start, due_date: due }: Pick<ListedEpic, 'start_date' | 'due_date'>): string | undefined {
  if (start !== null && due !== null) return `${start} to ${due}`
  if (start !== null) return `from ${start}`
  return due === null ? undefined : `until ${due}`
}

interface ListView {
  readonly base: string
  /** The address of the list: it is shown again after a change. */
  readonly back: string
  /** Where changes of several are sent to; undefined where the caller may not. */
  readonly bulk: string | undefined
  readonly progress: ReadonlyMap<number, Progress>
}

/** A list of epics; those who may change several together get a box for each. */
export function epicList(ctx: Pick<Context, 'actor' | 'deps' | 'now'>, rows: readonly ListedEpic[], view: ListView): Html {
  const list = html`<ul class="list" data-list>${rows.map(row => epicItem(row, view, ctx.now))}</ul>`
  if (view.bulk === undefined) return list
  return html`<form method="post" action="${view.bulk}" class="bulk">${csrfField(ctx)}<input type="hidden" name="back" value="${view.back}">${list}
<details class="panel bulk-bar"><summary><span data-bulk-count="Change">Change the chosen epics</span></summary><div class="body"><div class="bulk-fields"><label>State <select class="form-control form-select input-sm" name="state_event"><option value="">as it is</option><option value="close">Close</option><option value="reopen">Reopen</option></select></label><label>Add labels <input class="form-control input-sm" name="add_labels" maxlength="1000" placeholder="harbour, urgent"></label><label>Remove labels <input class="form-control input-sm" name="remove_labels" maxlength="1000"></label></div><button class="btn btn-primary btn-sm">Change</button></div></details></form>`
}

/** How far an epic is, beside its title. */
export const progressCell = (progress: Progress): Html =>
  html`<div class="list-progress small muted">${progressBar(closedShare(progress), progressWords(progress))}<span aria-hidden="true">${progressWords(progress)}</span></div>`

function epicItem(row: ListedEpic, { base, bulk, progress }: ListView, now: Date): Html {
  const { id, title, web_url, state, labels, due_date } = row
  const days = datesText(row)
  const isLate = state === 'opened' && due_date !== null && due_date < now.toISOString().slice(0, 10)
  const done = progress.get(id)
  return html`
<li>${bulk !== undefined && html`<input type="checkbox" name="ids[]" value="${id}" aria-label="Choose ${row.references.relative}" data-choose>`}${epicIcon(state)}<div class="main"><div class="title"><a href="${web_url}">${title}</a> ${labels.map(label => html`${labelChip(label, `${base}?labels=${encodeURIComponent(label.name)}`)} `)}${row.confidential && chip('Confidential', 'attention', 'lock')}</div>
<div class="facts"><span>${row.references.relative}</span><span>opened ${time(row.created_at)} by ${row.author.name}</span>${days !== undefined && html`<span${isLate && html` class="late"`}>${icon('calendar', 'Days')} ${days}</span>`}${row.upvotes > 0 && html`<span title="Thumbs up">+${row.upvotes}</span>`}</div></div>${done && progressCell(done)}</li>`
}
