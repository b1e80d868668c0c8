/** Reads of audit events. */
import type { Db } from '../db/connection.ts'
import type { AuditEntity } from './commands.ts'

/** What lists of audit events can be narrowed by. */
export interface AuditEventFilters {
  created_after?: string | undefined
  created_before?: string | undefined
  entity_type?: AuditEntity['type'] | undefined
  entity_id?: number | undefined
}

const auditEvents = (db: Db) => db.selectFrom('audit_events').selectAll('audit_events')

export type AuditEventRow = Awaited<ReturnType<ReturnType<typeof auditEvents>['executeTakeFirstOrThrow']>>

/** Audit events, the latest first; the bounds of time are inclusive (decision 41). */
export function auditEventsMatching(db: Db, { created_after, created_before, entity_type, entity_id }: AuditEventFilters) {
  let query = auditEvents(db)
  if (entity_type !== undefined) query = query.where('audit_events.entity_type', '=', entity_type)
  if (entity_id !== undefined) query = query.where('audit_events.entity_id', '=', entity_id)
  if (created_after !== undefined) query = query.where('audit_events.created_at', '>=', created_after)
  if (created_before !== undefined) query = query.where('audit_events.created_at', '<=', created_before)
  return query.orderBy('audit_events.id', 'desc')
}

/** The audit event with this id, as far as it matches. */
export const auditEventById = (db: Db, id: number, filters: AuditEventFilters = {}) =>
  auditEventsMatching(db, filters).where('audit_events.id', '=', id).executeTakeFirst()
