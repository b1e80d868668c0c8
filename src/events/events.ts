/**
 * The typed list of events, and how one is recorded: in the transaction of the change itself, so that what follows
 * happens if and only if the change did (house rule 8).
 */
import type { Db } from '../db/connection.ts'
import { enqueue } from './worker.ts'

/** Every event and what it carries. */
export interface Events {
  'user.created': { user_id: number }
  'user.deleted': { user_id: number; username: string }
  'group.created': { group_id: number }
  'group.deleted': { group_id: number; full_path: string }
  'project.created': { project_id: number }
  'project.deleted': { project_id: number; repository_storage: string }
  'project.updated': { project_id: number }
  'project.default_branch_changed': { project_id: number }
  'member.added': { user_id: number; access_level: number }
  'member.updated': { user_id: number; access_level: number }
  'member.removed': { user_id: number }
  /** One reference of a repository has moved; all-zero ids stand for "did not exist". */
  'reference.moved': { ref: string; old: string; new: string }
}

export type EventKind = keyof Events

/** The events that background work follows on; the worker hands each to its listeners (listeners.ts). */
export const delivered = ['project.deleted', 'project.default_branch_changed'] as const satisfies readonly EventKind[]
export type DeliveredKind = (typeof delivered)[number]

const isDelivered = (kind: string): kind is DeliveredKind => (delivered as readonly string[]).includes(kind)

/** An event to record. The ids say whom and what it is about, for lists of events. */
export interface NewEvent<K extends EventKind> {
  readonly kind: K
  readonly payload: Events[K]
  readonly actorId?: number | undefined
  readonly projectId?: number | undefined
  readonly namespaceId?: number | undefined
}

/** Rows of one insert: far below the limit of bound parameters. */
const CHUNK = 2_000

/** Records an event; `db` must be the transaction of the change. */
export const recordEvent = <K extends EventKind>(db: Db, event: NewEvent<K>): Promise<void> => recordEvents(db, [event])

/** Records events in this order; `db` must be the transaction of the change. */
export async function recordEvents<K extends EventKind>(db: Db, events: readonly NewEvent<K>[]): Promise<void> {
  for (let at = 0; at < events.length; at += CHUNK) {
    const rows = await db
      .insertInto('events')
      .values(
        events.slice(at, at + CHUNK).map(event => ({
          kind: event.kind,
          payload: JSON.stringify(event.payload),
          actor_id: event.actorId ?? null,
          project_id: event.projectId ?? null,
          namespace_id: event.namespaceId ?? null,
        })),
      )
      .returning(['id', 'kind'])
      .execute()
    for (const { id, kind } of rows) if (isDelivered(kind)) await enqueue(db, 'deliver_event', { event_id: id })
  }
}
