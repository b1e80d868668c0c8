/** The page of one's to-do items, as HTML. */
import type { TodoOrigin } from '../../collaboration/todos/queries.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { time } from '../../platform/pages/components/time.ts'
import { actionButton } from '../../platform/pages/forms/action.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { addressOf, type Shown, type types } from './filters.ts'

export const PAGE = '/dashboard/todos'

/** The fields of a to-do item that the list shows. */
export interface Todo {
  readonly id: number
  readonly action_name: string
  readonly author: { readonly name: string; readonly avatar_url: string | null }
  readonly project?: { readonly path_with_namespace: string }
  readonly group?: { readonly full_path: string }
  readonly target: { readonly title: string }
  readonly target_type: string
  readonly target_url: string
  readonly body: string
  readonly state: string
  readonly created_at: string
}

/** What the author did, in words. */
const happened: Readonly<Record<string, string>> = {
  assigned: 'assigned you',
  mentioned: 'mentioned you',
  directly_addressed: 'addressed you',
  approval_required: 'asks for your approval',
  review_requested: 'asked for your review',
}

/** What happened without an author of its own. */
const happenedToIt: Readonly<Record<string, string>> = {
  build_failed: 'Its pipeline failed',
  marked: 'You added it',
  unmergeable: 'It cannot be merged',
  merge_train_removed: 'It was taken off the merge train',
}

/** The reasons as choices of the filter. */
const reasons: Readonly<Record<string, string>> = {
  assigned: 'Assigned',
  mentioned: 'Mentioned',
  directly_addressed: 'Addressed',
  review_requested: 'Review requested',
  approval_required: 'Approval required',
  build_failed: 'Pipeline failed',
  unmergeable: 'Cannot be merged',
  marked: 'Added by yourself',
  merge_train_removed: 'Off the merge train',
}

const typeNames: Readonly<Record<(typeof types)[number], string>> = { Issue: 'Issues', MergeRequest: 'Merge requests', Epic: 'Epics' }

/** For how many days items are put off, and what that is called. */
const rests: readonly (readonly [days: number, label: string])[] = [
  [1, 'until tomorrow'],
  [3, 'for three days'],
  [7, 'for a week'],
  [30, 'for a month'],
]

/** Characters of a body that the list shows. */
const SHOWN = 160

/** The states of the list. */
export const statesView = (shown: Shown): Html => {
  const tab = (state: Shown['state'], label: string) =>
    html`<a href="${addressOf(shown, { state })}"${shown.state === state && html` aria-current="page"`}>${label}</a>`
  return html`<nav class="subnav" aria-label="Which to-dos">${tab('pending', 'To do')}${tab('snoozed', 'Snoozed')}${tab('done', 'Done')}</nav>`
}

/** The filter bar; its choices are what the list has. */
export function filtersView(shown: Shown, origins: readonly TodoOrigin[]): Html {
  const select = (name: string, label: string, choices: readonly (readonly [string, string])[], chosen: string | undefined) =>
    html`<label class="sr-only" for="${name}">${label}</label><select class="form-control form-select" id="${name}" name="${name}"><option value="">${label}</option>${choices.map(([value, words]) => html`<option value="${value}"${value === chosen && html` selected`}>${words}</option>`)}</select>`
  const of = (kind: TodoOrigin['kind']) => origins.filter(origin => origin.kind === kind).map(({ id, name }) => [String(id), name] as const)
  return html`<form class="filter-bar" action="${PAGE}"><input type="hidden" name="state" value="${shown.state}">
${select('type', 'Any kind', Object.entries(typeNames), shown.type)}
${select('action', 'Any reason', Object.entries(reasons), shown.action)}
${select('project_id', 'Any project', of('project'), shown.project_id?.toString())}
${select('group_id', 'Any group', of('group'), shown.group_id?.toString())}
${select('author_id', 'Anybody', of('author'), shown.author_id?.toString())}
<button class="btn">${icon('search')} Filter</button>${addressOf(shown) !== addressOf({ state: shown.state }) && html`<a class="btn" href="${addressOf({ state: shown.state })}">Clear</a>`}</form>`
}

/** What can be done with all that match. `count`: how many they are; undefined where they are too many to count. */
export function bulkView(ctx: Context, shown: Shown, count: number | undefined): Html {
  const { state: _state, ...filters } = shown
  const these = count === undefined ? 'all' : count === 1 ? 'this one' : `these ${count}`
  return html`<form method="post" action="${PAGE}/done" class="row todo-bulk">${csrfField(ctx)}${Object.entries(filters).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="btn btn-sm" data-turbo-confirm="Mark ${these} as done?">${icon('check')} Mark ${these} as done</button>
<label class="sr-only" for="days">Snooze for how long</label><select class="form-control form-select input-sm" id="days" name="days">${rests.map(([days, label]) => html`<option value="${days}">${label}</option>`)}</select>
<button class="btn btn-sm" formaction="${PAGE}/snooze">${icon('clock')} Snooze ${these}</button></form>`
}

/** One item with its buttons: `e` and `z` press those of the item that has the focus. */
export const todoItem = (ctx: Context, todo: Todo, state: Shown['state']): Html => {
  const { id, author, action_name, target, target_url, project, group, body, created_at } = todo
  return html`<li>${avatar(author, 32)}<div class="main"><div class="title">${pageLink(target_url, target.title)}</div><div>${happenedToIt[action_name] ?? `${author.name} ${happened[action_name] ?? action_name}`}${body !== target.title && html`: <span class="muted">${body.slice(0, SHOWN)}</span>`}</div><div class="facts"><span>${project?.path_with_namespace ?? group?.full_path}</span>${time(created_at)}</div></div>
<div class="row">${state !== 'pending' && actionButton(ctx, { to: `${PAGE}/${id}/restore`, face: state === 'done' ? 'Undo' : 'Back to the list', label: `Back to the list: ${target.title}`, rowKey: 'u' })}${state === 'pending' && actionButton(ctx, { to: `${PAGE}/${id}/snooze`, face: icon('clock'), label: `Snooze until tomorrow: ${target.title}`, rowKey: 'z' })}${state !== 'done' && actionButton(ctx, { to: `${PAGE}/${id}/done`, face: 'Done', label: `Done: ${target.title}`, rowKey: 'e' })}</div></li>`
}
