/** The page of one's to-do items. */
import { inSelf } from '../../identity/users/scope.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { OneOf } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { avatar } from '../../platform/pages/components/avatar.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { pageLink } from '../../platform/pages/components/page_link.ts'
import { time } from '../../platform/pages/components/time.ts'
import { action, actionButton } from '../../platform/pages/forms/action.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { livePart } from '../../platform/pages/live/part.ts'
import { todosOf } from './live.ts'

const PAGE = '/dashboard/todos'

/** The fields of a to-do item that the list shows. */
interface Todo {
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

/** What happened, in words. */
const happened: Readonly<Record<string, string>> = {
  assigned: 'assigned you',
  mentioned: 'mentioned you',
  directly_addressed: 'addressed you',
  build_failed: 'has a failed pipeline for you',
  marked: 'was added by you',
  approval_required: 'asks for your approval',
  unmergeable: 'cannot be merged',
  review_requested: 'asked for your review',
  merge_train_removed: 'was taken off the merge train',
}

/** Characters of a body that the list shows. */
const SHOWN = 160

const types = ['all', 'Issue', 'MergeRequest', 'Epic'] as const
const typeNames: Readonly<Record<(typeof types)[number], string>> = {
  all: 'All',
  Issue: 'Issues',
  MergeRequest: 'Merge requests',
  Epic: 'Epics',
}

/** The declaration of a route among those of the to-do items. */
function declared(endpoints: readonly Endpoint[], route: string): Endpoint {
  const found = endpoints.find(endpoint => endpoint.route === route)
  if (!found) throw new Error(`no declaration for ${route}`)
  return found
}

/** The pages, for the declarations of the to-do items API. */
export function todoPages(api: readonly Endpoint[]): Readonly<Record<string, Endpoint>> {
  const list = declared(api, 'GET /todos')
  const finishOne = declared(api, 'POST /todos/:id/mark_as_done')
  const finishAll = declared(api, 'POST /todos/mark_as_done')

  const show = pageEndpoint({
    route: `GET ${PAGE}`,
    summary: 'Show one’s to-do items',
    scope: inSelf,
    can: 'update_own',
    params: {
      ...listParams,
      state: OneOf(['pending', 'done'], { description: 'Whether they are done', default: 'pending' }),
      type: OneOf(types, { description: 'What they are about', default: 'all' }),
    },
    async run(ctx) {
      const { state, type, ...params } = ctx.params
      const found = await answerOf(ctx, list, { ...params, state, ...(type === 'all' ? {} : { type }) })
      const to = (changes: Record<string, string>) => `${PAGE}?${new URLSearchParams({ state, type, ...changes }).toString()}`
      const isPending = state === 'pending'
      return page(ctx, {
        title: 'To-dos',
        heading: 'own',
        body: html`<div class="heading"><h1>To-dos</h1>${isPending && found.rows.length > 0 && actionButton(ctx, { to: `${PAGE}/done`, face: 'Mark all as done', asks: 'Mark all as done?' })}</div>
<nav class="subnav" aria-label="Which to-dos"><a href="${to({ state: 'pending' })}"${isPending && html` aria-current="page"`}>To do</a><a href="${to({ state: 'done' })}"${!isPending && html` aria-current="page"`}>Done</a></nav>
<nav class="subnav" aria-label="About what">${types.map(other => html`<a href="${to({ type: other })}"${other === type && html` aria-current="page"`}>${typeNames[other]}</a>`)}</nav>
${livePart('todos', todosOf(ctx.user.id), html`${found.rows.length > 0 ? html`<ul class="list" data-list>${found.rows.map(row => todoItem(ctx, row as Todo))}</ul>` : empty({ icon: 'tasklist', title: isPending ? 'Nothing to do' : 'Nothing done yet', says: 'When a user assigns you, mentions you or asks for your review, it appears here.' })}${found.links}`)}`,
      })
    },
  })
  const done = action({ route: `POST ${PAGE}/:id/done`, of: finishOne, scope: finishOne.scope, next: () => PAGE, notice: 'Done.' })
  const allDone = action({ route: `POST ${PAGE}/done`, of: finishAll, scope: finishAll.scope, next: () => PAGE, notice: 'All done.' })
  return { show, done, allDone }
}

const todoItem = (ctx: Context, { id, author, action_name, target, target_url, project, group, body, state, created_at }: Todo): Html =>
  html`<li>${avatar(author, 32)}<div class="main"><div class="title">${pageLink(target_url, target.title)}</div><div>${author.name} ${happened[action_name] ?? action_name}${body !== target.title && html`: <span class="muted">${body.slice(0, SHOWN)}</span>`}</div><div class="facts"><span>${project?.path_with_namespace ?? group?.full_path}</span>${time(created_at)}</div></div>${state === 'pending' && actionButton(ctx, { to: `${PAGE}/${id}/done`, face: 'Done', label: `Done: ${target.title}` })}</li>`
