/** The page of an epic: its head, and the side column with all that is known of it. Pure. */
import { closedShare, type Progress } from '../../planning/shared/progress.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { avatar, type Pictured } from '../../platform/pages/components/avatar.ts'
import { progressBar } from '../../platform/pages/components/charts/progress.ts'
import { chip } from '../../platform/pages/components/chip.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { none, sidePart } from '../issues/issue_view.ts'
import { labelChip, type ShownLabel } from '../items/labels_view.ts'
import { progressWords } from '../iterations/iterations_view.ts'
import { datesText } from './list_view.ts'

type Person = Pictured & { readonly id: number; readonly username: string }

/** The JSON of an epic, as far as its page shows it. */
export interface ShownEpic {
  readonly iid: number
  readonly title: string
  readonly state: string
  readonly confidential: boolean
  readonly author: Person
  readonly created_at: string
  readonly closed_at: string | null
  readonly start_date: string | null
  readonly due_date: string | null
  /** For those who may change them. */
  readonly start_date_is_fixed?: boolean
  readonly due_date_is_fixed?: boolean
  readonly references: { readonly full: string }
}

/** What the caller may do. */
export interface Mays {
  /** Change it, and what is in it. */
  readonly plan: boolean
  readonly delete: boolean
  readonly subscribe: boolean
}

/** Title, state, and what can be done with the epic as a whole. `page`: the path of its page. */
export function epicHead(ctx: Context, epic: ShownEpic, may: Mays, page: string): Html {
  const { title, iid, state, author, created_at, closed_at, confidential } = epic
  const isOpen = state === 'opened'
  return html`<div class="heading"><h1><bdi>${title}</bdi> <span class="muted light">&amp;${iid}</span></h1><div class="row">${
    may.plan &&
    html`<a class="btn btn-sm" href="${page}/edit" data-hotkey="e">${icon('pencil')} Edit</a>${actionButton(ctx, { to: `${page}/change`, face: isOpen ? 'Close epic' : 'Reopen epic', sends: { state_event: isOpen ? 'close' : 'reopen' } })}`
  }${may.delete && actionButton(ctx, { to: `${page}/delete`, face: icon('trash'), label: 'Delete the epic', look: 'bare', asks: `Delete epic &${iid} with all that was said? What is in it stays.` })}</div></div>
<div class="row facts item-facts">${isOpen ? chip('Open', 'success', 'goal') : chip('Closed', 'done', 'issue-closed')}${confidential && chip('Confidential', 'attention', 'lock')}<span><a class="quiet strong" href="/${author.username}">${author.name}</a> opened it ${time(created_at)}</span>${closed_at !== null && html`<span>closed ${time(closed_at)}</span>`}</div>`
}

export interface Side {
  readonly epic: ShownEpic
  readonly may: Mays
  readonly labels: readonly ShownLabel[]
  readonly participants: readonly Person[]
  readonly subscribed: boolean
  readonly parent: { readonly title: string; readonly href: string } | undefined
  /** Has the tier parents and children? */
  readonly hasTree: boolean
  readonly progress: Progress
  readonly page: string
  /** Of the list of epics. */
  readonly list: string
}

const fromWhere = (isFixed: boolean | undefined): Html | undefined =>
  isFixed === undefined ? undefined : html` <span class="muted small">${isFixed ? 'fixed' : 'from what is in it'}</span>`

/** The side column. */
export function epicSide(ctx: Context, { epic, may, labels, participants, subscribed, parent, hasTree, progress, page, list }: Side): Html {
  const part = (name: string, title: string, shown: Html | string, hotkey?: string) => sidePart(page, name, title, shown, may.plan, hotkey)
  const days = html`<div>Begins ${epic.start_date ?? none('not set')}${epic.start_date !== null && fromWhere(epic.start_date_is_fixed)}</div><div>Ends ${epic.due_date ?? none('not set')}${epic.due_date !== null && fromWhere(epic.due_date_is_fixed)}</div>`
  return html`<section class="side-part"><h2>Progress</h2><div>${progressBar(closedShare(progress), progressWords(progress))}</div><div>${progressWords(progress)}${progress.weight > 0 && html`, weight ${progress.closed_weight} of ${progress.weight}`}</div></section>
${part('labels', 'Labels', labels.length === 0 ? none('None') : html`<div class="row">${labels.map(label => labelChip(label, `${list}?labels=${encodeURIComponent(label.name)}`))}</div>`, 'l')}
${part('dates', 'Days', datesText(epic) === undefined ? none('None') : days)}
${hasTree && part('parent', 'Parent', parent ? html`<a href="${parent.href}">${parent.title}</a>` : none('None'))}
${part('visibility', 'Confidential', epic.confidential ? 'For members with the Reporter role or higher' : 'No')}
${may.subscribe && html`<section class="side-part"><h2>Notifications</h2>${actionButton(ctx, subscribed ? { to: `${page}/unsubscribe`, face: 'Unsubscribe' } : { to: `${page}/subscribe`, face: 'Subscribe' })}</section>`}
<section class="side-part"><h2>${participants.length} ${participants.length === 1 ? 'participant' : 'participants'}</h2><div class="row">${participants.map(person => html`<a href="/${person.username}" title="${person.name}" aria-label="${person.name}">${avatar(person, 20)}</a>`)}</div></section>
<section class="side-part"><h2>Reference</h2><div class="row"><span class="mono">${epic.references.full}</span>${copyButton('Copy the reference', epic.references.full)}</div></section>`
}
