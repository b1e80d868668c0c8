/**
 * The audit log: of a project for its Maintainers, of a group for its owners, of the instance for administrators (audit events API, 14.0).
 * Its entries are made from events, see `platform/events/audit/rules.ts`.
 */
import Type from 'typebox'
import { auditEntityTypes } from '../../platform/events/audit/entry.ts'
import { auditedKinds } from '../../platform/events/audit/rules.ts'
import { endpoint, one, pageOf } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { DateTime, integer, OneOf, optional } from '../../platform/kernel/declaration/types.ts'
import type { Rule } from '../../platform/kernel/request/params.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import { AuditEvent } from './entity.ts'
import { auditEventsMatching } from './queries.ts'
import { inAuditEvent, inGroupAuditEvent, inProjectAuditEvent } from './scope.ts'

const filters = {
  created_after: optional(DateTime('This instant and later')),
  created_before: optional(DateTime('This instant and earlier')),
  author_id: optional(integer('ID of the user who did it')),
  event_name: Type.Optional(OneOf(auditedKinds, { description: 'Kind of event' })),
  // For keyset pages, which name their order, and the links between them.
  order_by: OneOf(['id'], { description: 'What the list is ordered by', default: 'id' }),
  sort: OneOf(['asc', 'desc'], { default: 'desc', description: 'Latest first unless given' }),
  id_after: optional(integer('Only those with a greater ID')),
  id_before: optional(integer('Only those with a smaller ID')),
}

const pages = { keyset: 'audit_events.id' }

/** Users, groups and projects have separate id spaces. */
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
  tier: 'premium',
  params: {
    ...filters,
    entity_type: optional(OneOf(auditEntityTypes, { description: 'Kind of what the entry is about: `User`, `Group` or `Project`' })),
    entity_id: optional(integer('ID of what the entry is about')),
  },
  rules: [idWithType],
  answers: pageOf(AuditEvent, pages),
  run: ({ db, params }) => auditEventsMatching(db, params, params.sort),
})

export const getAuditEvent = endpoint({
  route: 'GET /audit_events/:audit_event_id',
  summary: 'Get an audit event of the instance',
  scope: inAuditEvent,
  can: 'admin_instance',
  tier: 'premium',
  answers: one(AuditEvent),
  run: ({ event }) => event,
})

export const listGroupAuditEvents = endpoint({
  route: 'GET /groups/:id/audit_events',
  summary: 'List the audit events of a group',
  scope: inGroup,
  can: 'read_group_audit_events',
  tier: 'premium',
  params: filters,
  answers: pageOf(AuditEvent, pages),
  run: ({ db, group, params }) => auditEventsMatching(db, { ...params, entity_type: 'Group', entity_id: group.id }, params.sort),
})

export const getGroupAuditEvent = endpoint({
  route: 'GET /groups/:id/audit_events/:audit_event_id',
  summary: 'Get an audit event of a group',
  scope: inGroupAuditEvent,
  can: 'read_group_audit_events',
  tier: 'premium',
  answers: one(AuditEvent),
  run: ({ event }) => event,
})

export const listProjectAuditEvents = endpoint({
  route: 'GET /projects/:id/audit_events',
  summary: 'List the audit events of a project',
  scope: inProject,
  can: 'read_project_audit_events',
  tier: 'premium',
  params: filters,
  answers: pageOf(AuditEvent, pages),
  run: ({ db, project, params }) => auditEventsMatching(db, { ...params, entity_type: 'Project', entity_id: project.id }, params.sort),
})

export const getProjectAuditEvent = endpoint({
  route: 'GET /projects/:id/audit_events/:audit_event_id',
  summary: 'Get an audit event of a project',
  scope: inProjectAuditEvent,
  can: 'read_project_audit_events',
  tier: 'premium',
  answers: one(AuditEvent),
  run: ({ event }) => event,
})
