/** A board: its columns side by side, with what can be done with each. Pure. */
import type { Context } from '../../platform/kernel/context.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { labelDot } from '../items/labels_view.ts'
import { type CardFrame, cardView } from './card_view.ts'
import { countInWords, type ShownColumn } from './contents.ts'
import { titleOfList, titlesOfEnds } from './titles.ts'

/** What the columns of a board have in common. */
export interface ColumnFrame extends CardFrame {
  readonly mayManage: boolean
  /** The filters of the address, as a query. */
  readonly query: string
  /** A new issue of a group's board needs a project. */
  readonly projects: readonly { readonly id: number; readonly name: string }[] | undefined
}

/** What a column is called. */
export const nameOf = ({ key, list }: Pick<ShownColumn, 'key' | 'list'>): string =>
  list ? titleOfList(list) : key === 'open' ? titlesOfEnds.open : titlesOfEnds.closed

/** Its name with what it stands for, which leads to its page. */
function faceOf(column: ShownColumn): Html {
  const { key, list } = column
  const face = (mark: Html, name: string | Html) => html`${mark}<span class="column-name">${name}</span>`
  if (list === undefined) return face(icon(key === 'open' ? 'issue-opened' : 'issue-closed'), nameOf(column))
  if (list.label) return face(labelDot(list.label.color), list.label.name)
  if (list.assignee) return face(avatar(list.assignee), html`<a class="quiet" href="/${list.assignee.username}">${list.assignee.name}</a>`)
  if (list.milestone) return face(icon('milestone'), pageLink(list.milestone.web_url, list.milestone.title))
  return face(icon('calendar'), nameOf(column))
}

/** The limits of work in progress: what they are, and which of them are exceeded. */
function limitsOf({ list, total, weight }: ShownColumn): { readonly words: string; readonly isOver: boolean } | undefined {
  if (!list) return undefined
  const { max_issue_count: count, max_issue_weight: most, limit_metric: metric } = list
  const byCount = count > 0 && metric !== 'issue_weights'
  const byWeight = most > 0 && metric !== 'issue_count'
  if (!byCount && !byWeight) return undefined
  const words = [byCount && `${count} ${count === 1 ? 'issue' : 'issues'}`, byWeight && `weight ${most}`].filter(Boolean).join(', ')
  return { words, isOver: (byCount && total > count) || (byWeight && (weight ?? most + 1) > most) }
}

/** The first appearance of an issue has its plain id: a card that is dragged keeps it in its new column. */
export function cardIds(): (issue: number, column: string) => string {
  const used = new Set<number>()
  return (issue, column) => {
    if (used.has(issue)) return `card-${issue}-${column}`
    used.add(issue)
    return `card-${issue}`
  }
}

/** The frame in which what comes after the cards of a column loads when it is scrolled to; without a script, a link. */
export const restFrame = (
  { key, end }: Pick<ShownColumn, 'key' | 'end'>,
  { board, query }: Pick<ColumnFrame, 'board' | 'query'>,
): Html | undefined => {
  if (end === undefined) return undefined
  const address = `${board}/columns/${key}?${query === '' ? '' : `${query}&`}after=${end}`
  return html`<turbo-frame id="rest-${key}" class="board-rest" data-rest loading="lazy" src="${address}" target="_top"><a href="${address}">More</a></turbo-frame>`
}

/** The form of a new issue at the head of a column. */
function newIssueForm(ctx: Context, column: ShownColumn, { board, back, projects }: ColumnFrame): Html {
  const name = nameOf(column)
  return html`<details class="column-new"><summary class="bar-button" aria-label="New issue in ${name}" title="New issue">${icon('plus')}</summary><form method="post" action="${board}/columns/${column.key}/issues">${csrfField(ctx)}<input type="hidden" name="back" value="${back}"><input class="form-control input-sm" name="title" required maxlength="255" aria-label="Title of a new issue in ${name}" placeholder="Title" autocomplete="off">${projects && html`<select class="form-control form-select input-sm" name="project_id" aria-label="Project of the new issue" required>${projects.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select>`}<button class="btn btn-sm btn-primary">Add</button></form></details>`
}

/** The menu of a list. */
const listMenu = (ctx: Context, { key, ...column }: ShownColumn, board: string): Html => {
  const name = nameOf({ key, ...column })
  return html`<details class="menu"><summary class="bar-button" aria-label="List ${name}" title="List">${icon('kebab-horizontal')}</summary><div class="menu-items"><a href="${board}/lists/${key}/edit">${icon('pencil')}Position and limits</a><hr>${actionButton(ctx, { to: `${board}/lists/${key}/remove`, face: html`${icon('trash')}Remove the list`, look: 'menu', asks: `Remove the list ${name}? Its issues stay as they are.` })}</div></details>`
}

function columnView(ctx: Context, column: ShownColumn, frame: ColumnFrame, idOf: ReturnType<typeof cardIds>): Html {
  const { key, list, total, weight, cards } = column
  const name = nameOf(column)
  const limits = limitsOf(column)
  const isMovable = frame.mayManage && list !== undefined
  const count = html`<span>${countInWords(total)} ${total === 1 ? 'issue' : 'issues'}</span>`
  return html`<section class="board-column${limits?.isOver ? ' over' : ''}" id="column-${key}" aria-labelledby="column-${key}-name" data-sort-area${isMovable && html` data-sort-item="${key}" data-sort-to="${frame.board}/lists/${key}/move" data-sort-name="List ${name}"`}>
<header><div class="column-head">${isMovable && html`<button type="button" class="bar-button column-handle" data-sort-handle aria-label="Move the list ${name}" aria-describedby="sort-help">${icon('grabber')}</button>`}<h2 id="column-${key}-name">${faceOf(column)}</h2>${frame.mayMove && key !== 'closed' && newIssueForm(ctx, column, frame)}${isMovable && listMenu(ctx, column, frame.board)}</div>
<div class="column-facts small muted">${count}${weight !== undefined && weight > 0 && html`<span title="Weight">${icon('law', 'Weight')} ${weight.toLocaleString('en')}</span>`}${limits && html`<span${limits.isOver && html` class="late"`}>${limits.isOver && icon('alert')} limit: ${limits.words}${limits.isOver && ', exceeded'}</span>`}</div></header>
<div class="column-cards" tabindex="0" role="group" aria-label="Issues in ${name}"><ul class="plain-list" data-sort-list="issue" data-sort-value="${key}" aria-label="${name}" data-list>${cards.map(card => cardView(card, key, idOf(card.id, key), frame))}</ul>${restFrame(column, frame)}</div></section>`
}

/** All columns of a board. */
export function columnsView(ctx: Context, columns: readonly ShownColumn[], frame: ColumnFrame): Html {
  const idOf = cardIds()
  const all = html`<div class="board-columns" data-sort-list="list" data-sort-axis="x" aria-label="Lists">${columns.map(column => columnView(ctx, column, frame, idOf))}</div>`
  if (!frame.mayMove) return all
  return html`<sortable-list class="board">${all}</sortable-list><p id="sort-help" class="sr-only">Press Space to pick it up and move it with the arrow keys.</p>`
}
