/** An audit event as JSON (audit events API of the v4 level 14.0). */
import Type from 'typebox'
import type { AuditDetails } from '../../platform/events/audit/kinds.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, described, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { AuditEventRow } from './queries.ts'

const details = Type.Object({
  custom_message: optional(text('What was done')),
  change: optional(text('What has another value than before')),
  from: optional(Nullable(text('Value before; null where there was none'))),
  to: optional(Nullable(text('Value after; null where there is none'))),
  add: optional(text('What was added or given')),
  as: optional(text('The role that was given')),
  remove: optional(text('What was removed or taken')),
  with: optional(text('Sign-in method')),
  failed_login: optional(text('Method of the failed sign-in')),
  author_name: text('Name of the author'),
  target_id: integer('ID of the target'),
  target_type: text('Kind of the target'),
  target_details: text('The name that the target had'),
  ip_address: text('IP address; null where unknown'),
  entity_path: text('Full path of what the entry is about'),
  user_agent: text('What the client said that it was'),
  credential: text('How the author proved who they were: a session, a kind of token or key; empty where nobody did'),
  acting_as: Nullable(Type.String(), {
    description: 'Username of the account that the author acted as by sudo; null where they acted for themselves',
  }),
  occurrences: integer('Times that it happened within the minute or hour of the entry'),
})

export const AuditEvent = entity({
  name: 'AuditEvent',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    author_id: Nullable(Type.Integer(), { description: 'Null when no person did it; the account may be gone' }),
    entity_id: integer('ID of what the entry is about'),
    entity_type: text('Kind of what the entry is about: `User`, `Group` or `Project`'),
    event_name: text('Kind of event'),
    details: described('Details of the entry', details),
    created_at: DateTime('When it was created'),
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
