/** Writes of audit events: who changed what, recorded in the transaction of the change itself. */
import type { Context } from '../kernel/context.ts'

/** What an event is about, with the name that it has at the time. */
export interface AuditEntity {
  readonly type: 'User' | 'Group' | 'Project'
  readonly id: number
  /** Full path of a group or project, username of a user. */
  readonly path: string
}

/** What was changed inside the entity. */
export interface AuditTarget {
  readonly type: string
  readonly id: number
  readonly name: string
}

/** What was done: in words, or from which value to which. */
export type AuditDetails =
  | { readonly custom_message: string }
  | { readonly change: string; readonly from: string | null; readonly to: string | null }

/** An event to record. */
export interface NewAuditEvent {
  /** The name of what acted, where no person did. */
  readonly authorName?: string
  readonly entity: AuditEntity
  readonly target: AuditTarget
  readonly details: AuditDetails
}

/** Records events, in this order. */
export async function recordAuditEvents({ db, actor, now, request }: Context, events: readonly NewAuditEvent[]): Promise<void> {
  if (events.length === 0) return
  // Sudo: the administrator did it.
  const author = actor.sudoBy ?? actor.user
  await db
    .insertInto('audit_events')
    .values(
      events.map(({ authorName, entity, target, details }) => ({
        author_id: author?.id ?? null,
        author_name: author?.name ?? authorName ?? '',
        entity_type: entity.type,
        entity_id: entity.id,
        entity_path: entity.path,
        target_type: target.type,
        target_id: target.id,
        target_details: target.name,
        details: JSON.stringify(details),
        ip_address: request.ip,
        created_at: now,
      })),
    )
    .execute()
}
