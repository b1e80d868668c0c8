/** Events as they were recorded, for what follows on them. */

import type { Db } from '../db/connection.ts'
import { anyOf } from '../db/statements/any.ts'
import type { Events } from './catalog.ts'
import type { DeliveredKind } from './events.ts'

/** An event that is handed to its listeners. The ids are null where it has none, and where what they named is gone. */
export interface RecordedEvent<K extends DeliveredKind = DeliveredKind> {
  readonly id: number
  readonly kind: K
  readonly payload: Events[K]
  readonly actor_id: number | null
  readonly project_id: number | null
  readonly namespace_id: number | null
}

/** The events with these ids, of kinds that are delivered, in their order; without those that are gone with what they were about. */
export async function recordedEvents(db: Db, ids: readonly number[]): Promise<RecordedEvent[]> {
  const events = await db
    .selectFrom('events')
    .select(['id', 'kind', 'payload', 'actor_id', 'project_id', 'namespace_id'])
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .execute()
  return events as RecordedEvent[]
}
