/** The pages of boards: the board itself, the rest of a column, and the panel of an issue. */

import { cursorPattern } from '../../planning/boards/columns.ts'
import { boardsOf } from '../../planning/boards/queries.ts'
import { IssueWithLabelDetails } from '../../planning/issues/entity.ts'
import { blockedAmong } from '../../planning/issues/links/queries.ts'
import { isOwnIssue } from '../../planning/issues/scope.ts'
import { allows } from '../../platform/access/abilities.ts'
import { presentAll } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer, Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page, part, redirect } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import type { Topic } from '../../platform/pages/live/topics.ts'
import { projectSubject } from '../../spaces/projects/scope.ts'
import type { ListedIssue } from '../issues/lists/list_view.ts'
import { issueFilterKeys, keysOf } from '../items/filter_text.ts'
import { filterField, listAddress } from '../items/list_frame.ts'
import { filteredAddress, sentParams } from '../items/listing.ts'
import { renderTexts } from '../items/texts.ts'
import { type ColumnFrame, cardIds, columnsView, nameOf, restFrame } from './board_view.ts'
import { cardView, panelView } from './card_view.ts'
import { contentsOf, restOf } from './contents.ts'
import { boardTopicOf } from './live.ts'
import { projectsForNew } from './new_issue.ts'
import { type BoardKind, groupKind, type InBoard, type InBoards, type InCard, type InColumn, projectKind } from './scope.ts'

/** Boards that the menu of a page lists. */
const MOST_BOARDS = 100

const frameBoards = { icon: 'project', title: 'No boards yet' } as const

const pageParams = {
  filter: optional(text('The text of the filter bar', { maxLength: 2_000 })),
  shown: optional(text('How many cards of each column are shown, for a page that is fetched again', { maxLength: 2_000 })),
}

async function frameOf(ctx: Context & InBoard, back: string, query: string): Promise<ColumnFrame> {
  const mayMove = ctx.may(ctx, 'move')
  return {
    board: `${ctx.base}/${ctx.board.id}`,
    back,
    query,
    mayMove,
    mayManage: ctx.may(ctx, 'manage'),
    today: ctx.now.toISOString().slice(0, 10),
    projects: mayMove ? await projectsForNew(ctx) : undefined,
  }
}

/** The menu of the boards of the place. */
async function boardMenu(ctx: Context & InBoard): Promise<Html> {
  const boards = await boardsOf(ctx.db, ctx.place).limit(MOST_BOARDS).execute()
  const mayManage = ctx.may(ctx, 'manage')
  return html`<details class="menu"><summary class="btn" data-hotkey="b">${icon('project')} ${boards.length === 1 ? '1 board' : `${boards.length} boards`} ${icon('triangle-down')}</summary><div class="menu-items">${boards.map(({ id, name }) => html`<a href="${ctx.base}/${id}"${id === ctx.board.id && html` aria-current="page"`}>${name}</a>`)}${mayManage && html`<hr><a href="${ctx.base}/new">${icon('plus')}New board</a>`}</div></details>${mayManage && html`<a class="btn" href="${ctx.base}/${ctx.board.id}/edit">${icon('gear')} Edit board</a><a class="btn btn-primary" href="${ctx.base}/${ctx.board.id}/lists/new">${icon('plus')} Add list</a>`}`
}

/** What the board is narrowed to, in words. */
function scopeInWords({ milestone, assignee, labels, weight }: Awaited<ReturnType<typeof contentsOf>>['shown']): Html | undefined {
  const all = [
    milestone && html`milestone ${milestone.title}`,
    assignee && html`assigned to ${assignee.name}`,
    ...(labels ?? []).map(({ name }) => html`label ${name}`),
    weight != null && html`weight ${weight}`,
  ].filter(part => part !== null && part !== undefined && part !== false)
  return all.length === 0
    ? undefined
    : html`<p class="muted board-scope">Only issues with ${all.map((part, nth) => html`${nth > 0 && ', '}${part}`)}.</p>`
}

async function showBoard(ctx: Context & InBoard, kind: BoardKind): Promise<ByteAnswer> {
  const base = `${ctx.base}/${ctx.board.id}`
  const sent = sentParams(ctx.request.address)
  const keys = keysOf(issueFilterKeys, kind.issues, ctx.tier)
  const asked = filteredAddress(base, keys, sent)
  if (asked !== undefined) return redirect(asked)
  const { shown: _shown, after: _after, ...filters } = sent
  const back = listAddress(base, filters)
  const [contents, menu] = await Promise.all([contentsOf(ctx, kind, sent), boardMenu(ctx)])
  const frame = await frameOf(ctx, back, back.split('?', 2)[1] ?? '')
  const topics = `${ctx.topic} ${boardTopicOf(ctx.board)}` as Topic
  const { shown, wrong, further } = contents
  const body =
    wrong !== undefined
      ? empty({ icon: 'project', title: 'The filter cannot be read', says: 'Change it, or take it away.' })
      : html`${livePart('board-parts', topics, html`${columnsView(ctx, contents.columns, frame)}${further > 0 && html`<p class="muted">${further} further lists are not shown.</p>`}`)}`
  return page(ctx, {
    title: shown.name,
    heading: 'own',
    width: 'full',
    place: ctx.shown(ctx),
    live: [ctx.topic, boardTopicOf(ctx.board)],
    scripts: ['lists.js', ...(frame.mayMove ? ['sortable_list.js'] : []), 'board.js'],
    ...(wrong === undefined ? {} : { status: 422 }),
    body: html`<div class="heading"><h1>${shown.name}</h1><div class="row">${menu}</div></div>
${scopeInWords(shown)}
${filterField({ base, keys, params: filters, wrong, ...(ctx.project ? { completions: `${ctx.pages}/completions` } : {}) })}
<issue-board class="board-and-panel">${body}<aside class="board-panel" aria-label="Issue" hidden><turbo-frame id="board-panel" target="_top"></turbo-frame></aside></issue-board>`,
  })
}

/** The first board of the place, or how to begin. */
async function showFirst(ctx: Context & InBoards): Promise<ByteAnswer> {
  const first = await boardsOf(ctx.db, ctx.place).limit(1).executeTakeFirst()
  const query = ctx.request.address.split('?', 2)[1]
  if (first) return redirect(`${ctx.base}/${first.id}${query ? `?${query}` : ''}`)
  const action = ctx.may(ctx, 'manage') ? html`<a class="btn btn-primary" href="${ctx.base}/new">New board</a>` : undefined
  return page(ctx, {
    title: 'Boards',
    place: ctx.shown(ctx),
    body: empty({
      ...frameBoards,
      says: 'A board shows issues as cards in columns, one for each step of the work: what is moved to a column gets its label, assignee or milestone.',
      action,
    }),
  })
}

async function showRest(ctx: Context & InColumn & { readonly params: { readonly after?: string | undefined } }, kind: BoardKind) {
  const sent = sentParams(ctx.request.address)
  const { shown: _shown, after: _after, ...filters } = sent
  const base = `${ctx.base}/${ctx.board.id}`
  const back = listAddress(base, filters)
  const column = await restOf(ctx, kind, filters, ctx.params.after)
  const frame = await frameOf(ctx, back, back.split('?', 2)[1] ?? '')
  const idOf = cardIds()
  const rest = restFrame(column, frame)
  const cards = html`<ul class="plain-list" data-list>${column.cards.map(card => cardView(card, column.key, idOf(card.id, column.key), frame))}</ul>`
  if (ctx.request.headers['turbo-frame'] !== undefined)
    return part(html`<turbo-frame id="rest-${column.key}">${cards}${rest}</turbo-frame>`)
  return page(ctx, {
    title: nameOf(column),
    place: ctx.shown(ctx),
    body: html`<p><a href="${back}">Back to the board</a></p><div class="column-cards">${cards}${rest}</div>`,
  })
}

async function showPanel(ctx: Context & InCard): Promise<ByteAnswer> {
  const [[json], blocked, [description]] = await Promise.all([
    presentAll(IssueWithLabelDetails, ctx, [ctx.issue]),
    blockedAmong(ctx.db, ctx.actor, [ctx.issue.id]),
    renderTexts(ctx, ctx.home, [ctx.issue.description ?? '']),
  ])
  const issue = { ...(json as unknown as ListedIssue), isBlocked: blocked.has(ctx.issue.id) }
  if (ctx.request.headers['turbo-frame'] === undefined) return redirect(new URL(issue.web_url).pathname)
  const isOwn = isOwnIssue(ctx.issue, ctx.actor.user?.id)
  const mayUpdate = allows(ctx.actor, 'update_issue', { ...projectSubject(ctx.home), own: isOwn }) === 'yes'
  return part(
    html`<turbo-frame id="board-panel">${panelView(issue, ctx.issue.description ? (description as Html) : undefined, mayUpdate)}</turbo-frame>`,
  )
}

function pagesOf(kind: BoardKind): Readonly<Record<string, Endpoint>> {
  const { path, noun } = kind
  return {
    first: pageEndpoint({
      route: `GET ${path}`,
      summary: `Show the first board of a ${noun}`,
      scope: kind.scope,
      can: kind.read,
      run: showFirst,
    }),
    board: pageEndpoint({
      route: `GET ${path}/:board_id`,
      summary: `Show a board of a ${noun}`,
      scope: kind.inBoard,
      can: kind.read,
      params: pageParams,
      run: ctx => showBoard(ctx, kind),
    }),
    rest: pageEndpoint({
      route: `GET ${path}/:board_id/columns/:column`,
      summary: `Show what comes after a card of a board of a ${noun}`,
      scope: kind.inColumn,
      can: kind.read,
      params: { after: optional(text('The place in the column that it comes after', { pattern: cursorPattern })) },
      run: ctx => showRest(ctx, kind),
    }),
    panel: pageEndpoint({
      route: `GET ${path}/:board_id/issues/:issue_id`,
      summary: `Show an issue beside a board of a ${noun}`,
      scope: kind.inCard,
      can: kind.read,
      run: showPanel,
    }),
  }
}

export const projectBoardPages = pagesOf(projectKind)
export const groupBoardPages = pagesOf(groupKind)
