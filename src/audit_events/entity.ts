/** An audit event as JSON (audit events API of the v4 level 14.0). */
import Type from 'typebox'
import { entity } from '../kernel/answer/entity.ts'
import { DateTime, Nullable } from '../kernel/types.ts'
import type { AuditDetails } from './commands.ts'
import type { AuditEventRow } from './queries.ts'

const details = Type.Object({
  custom_message: Type.Optional(Type.String({ description: 'What was done' })),
  change: Type.Optional(Type.String({ description: 'What has another value than before' })),
  from: Type.Optional(Nullable(Type.String())),
  to: Type.Optional(Nullable(Type.String())),
  author_name: Type.String(),
  target_id: Type.Integer(),
  target_type: Type.String(),
  target_details: Type.String({ description: 'The name that the target had' }),
  ip_address: Type.String(),
  entity_path: Type.String(),
})

export const AuditEvent = entity({
  name: 'AuditEvent',
  schema: Type.Object({
    id: Type.Integer(),
    author_id: Nullable(Type.Integer(), { description: 'Null when no person did it, or an account that is gone' }),
    entity_id: Type.Integer(),
    entity_type: Type.String(),
    details,
    created_at: DateTime(),
  }),
  present: (row: AuditEventRow) => ({
    id: row.id,
    author_id: row.author_id,
    entity_id: row.entity_id,
    entity_type: row.entity_type,
    details: {
      ...(row.details as unknown as AuditDetails),
      author_name: row.author_name,
      target_id: row.target_id,
      target_type: row.target_type,
      target_details: row.target_details,
      ip_address: row.ip_address,
      entity_path: row.entity_path,
    },
    created_at: row.created_at,
  }),
})
