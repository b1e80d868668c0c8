/** Events as they were recorded, for what follows on them. */
import type { Db } from '../db/connection.ts'
import type { DeliveredKind, Events } from './events.ts'

/** An event that is handed to its listeners. The ids are null where it has none, and where what they named is gone. */
export interface RecordedEvent<K extends DeliveredKind = DeliveredKind> {
  readonly id: number
  readonly kind: K
  readonly payload: Events[K]
  readonly actor_id: number | null
  readonly project_id: number | null
  readonly namespace_id: number | null
}

/** The event with this id, of a kind that is delivered; undefined when it is gone with what it was about. */
export async function recordedEvent(db: Db, id: number): Promise<RecordedEvent | undefined> {
  const event = await db
    .selectFrom('events')
    .select(['id', 'kind', 'payload', 'actor_id', 'project_id', 'namespace_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  return event as RecordedEvent | undefined
}
