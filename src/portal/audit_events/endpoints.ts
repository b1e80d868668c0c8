/** The audit logs of projects and groups. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { listGroupAuditEvents, listProjectAuditEvents } from '../../spaces/audit_events/endpoints.ts'
import { groupHome, type Home, projectHome } from '../things/homes.ts'
import { auditLog, auditParams } from './log.ts'
import type { AuditFilter } from './view.ts'

const PATH = '/-/audit_events'

const auditPage = <S extends object>(home: Home<S>, list: Endpoint): Endpoint =>
  pageEndpoint({
    route: `GET ${home.route}${PATH}` as `GET /${string}`,
    summary: `Show the audit log of ${home.noun}`,
    scope: home.inPage(list.scope) as never,
    can: list.can as never,
    ...(list.tier && { tier: list.tier }),
    params: auditParams,
    async run(input) {
      const ctx = input as unknown as Context & S & { readonly params: AuditFilter & { readonly page: number; readonly per_page: number } }
      return page(ctx, {
        title: 'Audit log',
        place: home.placeOf(ctx, 'audit_events'),
        width: 'medium',
        body: await auditLog(ctx, { list, path: `${home.pathOf(ctx)}${PATH}` }),
      })
    },
  })

export const showProjectAudit = auditPage(projectHome, listProjectAuditEvents)
export const showGroupAudit = auditPage(groupHome, listGroupAuditEvents)
