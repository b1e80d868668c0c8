/** Entries of the audit log are written here and nowhere else, of events, in their transaction. */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connection.ts'
import { compiled } from '../../db/statements/compiled.ts'
import type { EventKind, NewEvent } from '../catalog.ts'
import { type AuditEntry, type AuditOrigin, type AuditRule, INSTANCE_ID } from './entry.ts'
import { auditOf } from './rules.ts'

/** Characters of a user agent that are kept. */
const AGENT_LENGTH = 255

const write = compiled(
  (_db, entries: string) => sql`
    insert into audit_events (kind, author_id, author_name, entity_type, entity_id, entity_path, target_type, target_id, target_details,
                              details, ip_address, user_agent, credential, acting_as, request_id, counted_as, created_at)
    select kind, author_id, coalesce(author_name, (select name from users where id = author_id), ''),
           entity_type, entity_id, coalesce(entity_path, ${nameOf('entity_type', 'entity_id')}, ''),
           target_type, target_id, coalesce(target_details, ${nameOf('target_type', 'target_id')}, ''),
           details, ip_address, user_agent, credential, acting_as, request_id, counted_as, created_at
      from rows from (json_to_recordset(${entries}::json)
        as (kind text, author_id bigint, author_name text, entity_type text, entity_id bigint, entity_path text, target_type text,
            target_id bigint, target_details text, details jsonb, ip_address text, user_agent text, credential text, acting_as text,
            request_id text, counted_as text, created_at timestamptz))
      with ordinality as entries(kind, author_id, author_name, entity_type, entity_id, entity_path, target_type, target_id, target_details,
            details, ip_address, user_agent, credential, acting_as, request_id, counted_as, created_at, n)
     order by n
    on conflict (counted_as) do update set occurrences = audit_events.occurrences + 1`,
)

/** The name that a user, project or group has now; null for what is of another type, or gone. */
function nameOf(type: string, id: string): RawBuilder<string | null> {
  return sql`case ${sql.ref(type)}
    when 'User' then (select username from users where users.id = ${sql.ref(id)})
    when 'Project' then (select path from routes where project_id = ${sql.ref(id)})
    when 'Group' then (select path from routes where namespace_id = ${sql.ref(id)})
    when 'Instance' then 'instance' end`
}

/** Writes the entries of these events, if they have any; `db` must be the transaction of the change. */
export async function recordEntries<K extends EventKind>(db: Db, origin: AuditOrigin, events: readonly NewEvent<K>[]): Promise<void> {
  const rows = events.flatMap(event => entriesFor(event, origin).map(entry => rowOf(event, entry, origin)))
  if (rows.length > 0) await write(db, JSON.stringify(rows))
}

function entriesFor<K extends EventKind>(event: NewEvent<K>, origin: AuditOrigin): readonly AuditEntry[] {
  const rule = auditOf[event.kind] as AuditRule<K> | string
  if (typeof rule === 'string') return []
  const entries = rule(event, origin)
  return entries === undefined ? [] : [entries].flat()
}

/** A row as the statement reads it. What is absent is null there, and looked up where it can be. */
function rowOf<K extends EventKind>({ kind, projectId, namespaceId }: NewEvent<K>, entry: AuditEntry, origin: AuditOrigin) {
  const { actor, request, now } = origin
  // By sudo it was the administrator.
  const author = actor.sudoBy ?? actor.user
  const entity = entry.entity ?? placeOf(projectId, namespaceId)
  const target = entry.target ?? { type: entity.type, id: entity.id, name: entity.path }
  return {
    kind,
    author_id: author?.id ?? null,
    author_name: author ? author.name : (entry.authorName ?? nameWithoutUser(origin)),
    entity_type: entity.type,
    entity_id: entity.id,
    entity_path: entity.path,
    target_type: target.type,
    target_id: target.id,
    target_details: target.name,
    details: entry.details,
    ip_address: request.ip,
    user_agent: request.userAgent.slice(0, AGENT_LENGTH),
    credential: actor.credential?.impersonation ? 'impersonation_token' : (actor.credential?.kind ?? ''),
    acting_as: actor.sudoBy ? actor.user?.username : null,
    request_id: request.id,
    counted_as: entry.countedAs,
    created_at: now,
  }
}

/** Who it was where no user did it: a machine by its credential, nobody in particular, or the server by itself. */
function nameWithoutUser({ actor, request }: AuditOrigin): string {
  const kind = actor.credential?.kind
  if (kind !== undefined) return kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')
  return request.id === '' ? 'Ingot' : 'Unauthenticated'
}

const placeOf = (projectId: number | undefined, namespaceId: number | undefined): NonNullable<AuditEntry['entity']> =>
  projectId !== undefined
    ? { type: 'Project', id: projectId }
    : namespaceId !== undefined
      ? { type: 'Group', id: namespaceId }
      : { type: 'Instance', id: INSTANCE_ID }

/** Deletes entries that are older than the instance keeps them; all are kept where it sets no limit. */
export const sweepEntries = async (db: Db, now: Date): Promise<void> => {
  await sql`
    delete from audit_events
     using application_settings
     where audit_events_retention_days > 0 and audit_events.created_at < ${now}::timestamptz - audit_events_retention_days * interval '1 day'`.execute(
    db,
  )
}

/** Does a statement write entries? For tests that look at what a request writes. */
export const isAuditStatement = (statement: string): boolean => /^\s*insert into audit_events\b/.test(statement)
