/** The audit log of projects and groups. `auditPage` serves any place whose API has the list. */

import Type from 'typebox'
import { userByUsername } from '../../identity/users/queries.ts'
import { auditedKinds } from '../../platform/events/audit/rules.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { Day, optional, text } from '../../platform/kernel/declaration/types.ts'
import { answerOf } from '../../platform/pages/answers.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { listParams } from '../../platform/pages/lists.ts'
import { listGroupAuditEvents, listProjectAuditEvents } from '../../spaces/audit_events/endpoints.ts'
import { groupHome, type Home, projectHome } from '../things/homes.ts'
import { auditLog } from './view.ts'

const empty = Type.Literal('')
const filters = {
  author: optional(text('Username of who did it', { maxLength: 255 })),
  event_name: Type.Optional(Type.Enum(['', ...auditedKinds], { description: 'Kind of event' })),
  from: optional(Type.Union([empty, Day('A day')], { description: 'From this day on' })),
  until: optional(Type.Union([empty, Day('A day')], { description: 'Until this day, with it' })),
}

/** The page of an audit log. */
export const auditPage = <S extends object>(home: Home<S>, path: `/${string}`, list: Endpoint): Endpoint =>
  pageEndpoint({
    route: `GET ${home.route}${path}` as `GET /${string}`,
    summary: `Show the audit log of ${home.noun}`,
    scope: home.inPage(list.scope) as never,
    can: list.can as never,
    ...(list.tier && { tier: list.tier }),
    params: { ...listParams, ...filters },
    async run(input) {
      const ctx = input as unknown as Context &
        S & { readonly params: { page: number; per_page: number; author?: string; event_name?: string; from?: string; until?: string } }
      const { author = '', event_name = '', from = '', until = '', page: number, per_page } = ctx.params
      const user = author === '' ? undefined : await userByUsername(ctx.db, author)
      const found = await answerOf(ctx, list, {
        page: number,
        per_page,
        // No user has the id 0: an unknown name finds nothing.
        ...(author && { author_id: user?.id ?? 0 }),
        ...(event_name && { event_name }),
        ...(from && { created_after: `${from}T00:00:00Z` }),
        ...(until && { created_before: `${until}T23:59:59.999Z` }),
      })
      return page(ctx, {
        title: 'Audit log',
        place: home.placeOf(ctx, 'audit_events'),
        width: 'medium',
        body: auditLog(found, { author, event_name, from, until }, `${home.pathOf(ctx)}${path}`),
      })
    },
  })

export const showProjectAudit = auditPage(projectHome, '/-/audit_events', listProjectAuditEvents)
export const showGroupAudit = auditPage(groupHome, '/-/audit_events', listGroupAuditEvents)
