/** An issue on a board: its card, and the panel beside the columns. Pure. */
import { avatar, people } from '../../platform/pages/components/avatar.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { time } from '../../platform/pages/components/time.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { stateChip } from '../issues/issue_view.ts'
import { labelChip } from '../items/labels_view.ts'
import type { Card } from './contents.ts'

/** What the cards of a board have in common. */
export interface CardFrame {
  /** The path of the board. */
  readonly board: string
  /** The address of the page, with its filters: labels narrow it, and it is shown again after a move. */
  readonly back: string
  readonly mayMove: boolean
  /** `YYYY-MM-DD` */
  readonly today: string
}

/** A card in a column. `id`: of its element, once on the page. */
export function cardView(card: Card, column: string, id: string, { board, back, mayMove, today }: CardFrame): Html {
  const { references, title, labels, milestone, due_date, weight, assignees } = card
  const reference = references.relative
  const isLate = card.state === 'opened' && due_date !== null && due_date < today
  const to = `${board}/issues/${card.id}`
  const query = new URLSearchParams({ from: column, back }).toString()
  return html`<li class="card" id="${id}" data-panel="${to}"${mayMove && html` data-sort-item="${card.id}" data-sort-to="${to}/move" data-sort-name="${reference} ${title}"`}>
<div class="title">${card.confidential && icon('lock', 'Confidential')}<a href="${new URL(card.web_url).pathname}"${mayMove && html` aria-describedby="sort-help"`}>${title}</a></div>
${labels.length > 0 && html`<div class="row card-labels">${labels.map(label => labelChip(label))}</div>`}
<div class="facts"><span class="mono">${reference}</span>${card.isBlocked && html`<span class="late">${icon('stop')} Blocked</span>`}${due_date !== null && html`<span${isLate && html` class="late"`}>${icon('calendar', 'Due')} ${due_date}</span>`}${weight !== null && html`<span title="Weight">${icon('law', 'Weight')} ${weight}</span>`}${milestone && html`<span>${icon('milestone', 'Milestone')} ${pageLink(milestone.web_url, milestone.title)}</span>`}${assignees.length > 0 && html`<span class="card-end">${people(assignees.map(person => ['Assigned to', person]))}</span>`}</div>${mayMove && html`<a class="bar-button card-move" href="${to}/move?${query}" aria-label="Move ${reference}" title="Move">${icon('arrow-switch')}</a>`}</li>`
}

/** What is known of an issue. @param description undefined where there is none */
export function panelView(issue: Card, description: Html | undefined, mayUpdate: boolean): Html {
  const { title, references, state, author, assignees, labels, milestone, due_date, weight } = issue
  const address = new URL(issue.web_url).pathname
  const none = html`<span class="muted">None</span>`
  const facts: readonly (readonly [string, Html | string])[] = [
    [
      'Assignees',
      assignees.length === 0
        ? none
        : html`${assignees.map(person => html`<div class="row">${avatar(person)} <a class="quiet" href="/${person.username}">${person.name}</a></div>`)}`,
    ],
    ['Labels', labels.length === 0 ? none : html`<div class="row">${labels.map(label => labelChip(label))}</div>`],
    ['Milestone', milestone ? pageLink(milestone.web_url, milestone.title) : none],
    ['Due date', due_date ?? none],
    ['Weight', weight === null ? none : String(weight)],
  ]
  return html`<header class="row apart"><span class="mono muted">${references.full}</span><button type="button" class="bar-button" data-close-panel aria-label="Close" title="Close (Escape)">${icon('x')}</button></header>
<h2 tabindex="-1">${title}</h2>
<div class="row facts">${stateChip(state)}${issue.confidential && html`<span>${icon('lock')} Confidential</span>`}${issue.isBlocked && html`<span class="late">${icon('stop')} Blocked</span>`}<span>opened ${time(issue.created_at)} by ${author.name}</span></div>
<div class="row panel-buttons"><a class="btn btn-primary btn-sm" href="${address}">Open the issue</a>${mayUpdate && html`<a class="btn btn-sm" href="${address}/edit">${icon('pencil')} Edit</a>`}</div>
<dl class="facts-list">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<div class="panel-text">${description ?? html`<p class="muted">No description</p>`}</div>`
}
