/** An audit event as JSON (audit events API of the v4 level 14.0). */
import Type from 'typebox'
import type { AuditDetails } from '../../platform/events/audit/kinds.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, Nullable } from '../../platform/kernel/types.ts'
import type { AuditEventRow } from './queries.ts'

const details = Type.Object({
  custom_message: Type.Optional(Type.String({ description: 'What was done' })),
  change: Type.Optional(Type.String({ description: 'What has another value than before' })),
  from: Type.Optional(Nullable(Type.String())),
  to: Type.Optional(Nullable(Type.String())),
  add: Type.Optional(Type.String({ description: 'What was added or given' })),
  as: Type.Optional(Type.String({ description: 'The role that was given' })),
  remove: Type.Optional(Type.String({ description: 'What was removed or taken' })),
  with: Type.Optional(Type.String({ description: 'Sign-in method' })),
  failed_login: Type.Optional(Type.String({ description: 'Method of the failed sign-in' })),
  author_name: Type.String(),
  target_id: Type.Integer(),
  target_type: Type.String(),
  target_details: Type.String({ description: 'The name that the target had' }),
  ip_address: Type.String(),
  entity_path: Type.String(),
  user_agent: Type.String({ description: 'What the client said that it was' }),
  credential: Type.String({
    description: 'How the author proved who they were: a session, a kind of token or key; empty where nobody did',
  }),
  acting_as: Nullable(Type.String(), { description: 'Username of the account that the author acted as by sudo' }),
  occurrences: Type.Integer({ description: 'Times that it happened within the minute or hour of the entry' }),
})

export const AuditEvent = entity({
  name: 'AuditEvent',
  schema: Type.Object({
    id: Type.Integer(),
    author_id: Nullable(Type.Integer(), { description: 'Null when no person did it; the account may be gone' }),
    entity_id: Type.Integer(),
    entity_type: Type.String(),
    event_name: Type.String({ description: 'Kind of event' }),
    details,
    created_at: DateTime(),
  }),
  present: (row: AuditEventRow) => ({
    id: row.id,
    author_id: row.author_id,
    entity_id: row.entity_id,
    entity_type: row.entity_type,
    event_name: row.kind,
    details: {
      ...(row.details as unknown as AuditDetails),
      author_name: row.author_name,
      target_id: row.target_id,
      target_type: row.target_type,
      target_details: row.target_details,
      ip_address: row.ip_address,
      entity_path: row.entity_path,
      user_agent: row.user_agent,
      credential: row.credential,
      acting_as: row.acting_as,
      occurrences: row.occurrences,
    },
    created_at: row.created_at,
  }),
})
