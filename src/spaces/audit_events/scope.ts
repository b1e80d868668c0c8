/** Audit events of the instance, of one group and of one project. */

import { inInstance, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { inGroup } from '../groups/scope.ts'
import { inProject } from '../projects/scope.ts'
import { auditEventById } from './queries.ts'

const path = { audit_event_id: integer('ID of an audit event') }

/** `:audit_event_id` becomes any audit event, or 404. */
export const inAuditEvent = within(inInstance, {
  name: 'inAuditEvent',
  path,
  async load({ db }, { audit_event_id }) {
    const event = await auditEventById(db, audit_event_id)
    if (!event) throw notFound('Audit Event')
    return { event }
  },
})

/** `:audit_event_id` becomes an audit event about the group, or 404. */
export const inGroupAuditEvent = within(inGroup, {
  name: 'inGroupAuditEvent',
  path,
  async load({ db, group }, { audit_event_id }) {
    const event = await auditEventById(db, audit_event_id, { entity_type: 'Group', entity_id: group.id })
    if (!event) throw notFound('Audit Event')
    return { event }
  },
})

/** `:audit_event_id` becomes an audit event about the project, or 404. */
export const inProjectAuditEvent = within(inProject, {
  name: 'inProjectAuditEvent',
  path,
  async load({ db, project }, { audit_event_id }) {
    const event = await auditEventById(db, audit_event_id, { entity_type: 'Project', entity_id: project.id })
    if (!event) throw notFound('Audit Event')
    return { event }
  },
})
