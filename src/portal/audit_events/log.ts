/** The page of an audit log, wherever it stands: its bar, the API's own list, and what was named that is not there. */
import Type from 'typebox'
import { userByUsername } from '../../identity/users/queries.ts'
import { auditedKinds } from '../../platform/events/audit/rules.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { Day, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { type Filter, filterBar } from '../../platform/pages/forms/filter_bar.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { type AuditFilter, auditEntries, auditFilters, type EntryLook } from './view.ts'

/** A form also sends what was left empty. */
export const orEmpty = (values: readonly string[]) => ['', ...values] as [string, ...string[]]

const dayOrEmpty = (says: string) => optional(Type.Union([Type.Literal(''), Day(says)], { description: says }))

/** The parameters of every audit log. */
export const auditParams = {
  ...listParams,
  author: optional(text('Username of who did it', { maxLength: 255 })),
  event_name: optional(OneOf(orEmpty(auditedKinds), { description: 'Kind of event' })),
  from: dayOrEmpty('This day and later'),
  until: dayOrEmpty('This day and earlier'),
}

/** Where a log stands, and what it has besides. */
export interface AuditLog extends EntryLook {
  readonly list: Endpoint
  /** The address of the page. */
  readonly path: string
  /** Further controls of the bar, and what they ask the list for; `undefined` where what one names is not there. */
  readonly more?: { readonly filters: readonly Filter[]; readonly asks: object | undefined; readonly missing: string }
}

/** The bar and the entries. */
export async function auditLog(
  ctx: Context & { readonly params: AuditFilter & { readonly page: number; readonly per_page: number } },
  { list, path, more, ...shown }: AuditLog,
): Promise<Html> {
  const { author = '', event_name, from, until, page, per_page } = ctx.params
  const user = author === '' ? undefined : await userByUsername(ctx.db, author.replace(/^@/, ''))
  const missing = author !== '' && !user ? `account ${author}` : more && more.asks === undefined ? more.missing : undefined
  const asked = {
    page,
    per_page,
    ...(user && { author_id: user.id }),
    ...(event_name && { event_name }),
    ...(from && { created_after: `${from}T00:00:00Z` }),
    ...(until && { created_before: `${until}T23:59:59.999Z` }),
    ...more?.asks,
  }
  const found = missing === undefined ? await answerOf(ctx, list, asked) : undefined
  return html`${filterBar(path, auditFilters(ctx.params, more?.filters))}
${missing !== undefined && html`<div class="notice attention" role="alert">${icon('alert')}<span>There is no ${missing}.</span></div>`}
${found && found.rows.length > 0 ? html`${auditEntries(found.rows, shown)}${found.links}` : empty({ icon: 'log', title: 'No entries', says: 'Who changes a setting, a member or a credential here leaves an entry.' })}`
}
