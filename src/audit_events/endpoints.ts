/** Audit events: of a group for its owners, of the instance for administrators (issue "SCIM"; audit events API, 14.0). */
import Type from 'typebox'
import { inGroup } from '../groups/scope.ts'
import { endpoint, one, pageOf } from '../kernel/endpoint.ts'
import type { Rule } from '../kernel/request/params.ts'
import { inInstance } from '../kernel/scope.ts'
import { DateTime, OneOf } from '../kernel/types.ts'
import { AuditEvent } from './entity.ts'
import { auditEventsMatching } from './queries.ts'
import { inAuditEvent, inGroupAuditEvent } from './scope.ts'

const period = {
  created_after: Type.Optional(DateTime({ description: 'This instant and later' })),
  created_before: Type.Optional(DateTime({ description: 'This instant and earlier' })),
}

/** Ids of users, groups and projects are numbers of their own. */
const idWithType: Rule = {
  says: 'entity_id needs entity_type',
  check: params =>
    params.entity_id !== undefined && params.entity_type === undefined ? { entity_id: ['needs entity_type to be given'] } : undefined,
}

export const listAuditEvents = endpoint({
  route: 'GET /audit_events',
  summary: 'List the audit events of the instance',
  scope: inInstance,
  can: 'admin_instance',
  params: {
    ...period,
    entity_type: Type.Optional(OneOf(['User', 'Group', 'Project'])),
    entity_id: Type.Optional(Type.Integer()),
  },
  rules: [idWithType],
  answers: pageOf(AuditEvent),
  run: ({ db, params }) => auditEventsMatching(db, params),
})

export const getAuditEvent = endpoint({
  route: 'GET /audit_events/:audit_event_id',
  summary: 'Get an audit event of the instance',
  scope: inAuditEvent,
  can: 'admin_instance',
  answers: one(AuditEvent),
  run: ({ event }) => event,
})

export const listGroupAuditEvents = endpoint({
  route: 'GET /groups/:id/audit_events',
  summary: 'List the audit events of a group',
  scope: inGroup,
  can: 'read_group_audit_events',
  params: period,
  answers: pageOf(AuditEvent),
  run: ({ db, group, params }) => auditEventsMatching(db, { ...params, entity_type: 'Group', entity_id: group.id }),
})

export const getGroupAuditEvent = endpoint({
  route: 'GET /groups/:id/audit_events/:audit_event_id',
  summary: 'Get an audit event of a group',
  scope: inGroupAuditEvent,
  can: 'read_group_audit_events',
  answers: one(AuditEvent),
  run: ({ event }) => event,
})
