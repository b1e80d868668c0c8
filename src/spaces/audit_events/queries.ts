/** Reads of the audit log. */
import type { Db } from '../../platform/db/connection.ts'
import type { AuditEntityType } from '../../platform/events/audit/entry.ts'

/** Filters of lists of audit events. */
export interface AuditEventFilters {
  created_after?: string | undefined
  created_before?: string | undefined
  author_id?: number | undefined
  event_name?: string | undefined
  id_after?: number | undefined
  id_before?: number | undefined
  entity_type?: AuditEntityType | undefined
  entity_id?: number | undefined
}

const auditEvents = (db: Db) => db.selectFrom('audit_events').selectAll('audit_events')

export type AuditEventRow = Awaited<ReturnType<ReturnType<typeof auditEvents>['executeTakeFirstOrThrow']>>

/** Audit events; the time bounds are inclusive (decision 41). */
export function auditEventsMatching(
  db: Db,
  { created_after, created_before, author_id, event_name, id_after, id_before, entity_type, entity_id }: AuditEventFilters,
  order: 'asc' | 'desc' = 'desc',
) {
  let query = auditEvents(db)
  if (entity_type !== undefined) query = query.where('audit_events.entity_type', '=', entity_type)
  if (entity_id !== undefined) query = query.where('audit_events.entity_id', '=', entity_id)
  if (author_id !== undefined) query = query.where('audit_events.author_id', '=', author_id)
  if (event_name !== undefined) query = query.where('audit_events.kind', '=', event_name)
  if (id_after !== undefined) query = query.where('audit_events.id', '>', id_after)
  if (id_before !== undefined) query = query.where('audit_events.id', '<', id_before)
  if (created_after !== undefined) query = query.where('audit_events.created_at', '>=', created_after)
  if (created_before !== undefined) query = query.where('audit_events.created_at', '<=', created_before)
  return query.orderBy('audit_events.id', order)
}

/** The audit event with this id, if it matches the filters. */
export const auditEventById = (db: Db, id: number, filters: AuditEventFilters = {}) =>
  auditEventsMatching(db, filters).where('audit_events.id', '=', id).executeTakeFirst()
