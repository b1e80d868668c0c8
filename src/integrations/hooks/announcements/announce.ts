/** Notifies hooks of an event. */

import { fitsName } from '../../../code/protected_branches/branch_rights.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { DeliveredKind } from '../../../platform/events/events.ts'
import type { RecordedEvent } from '../../../platform/events/recorded.ts'
import { type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { askForDelivery } from '../deliveries/commands.ts'
import { hooksWanting } from '../queries.ts'
import { announcements } from './announcements.ts'

/** Queues a delivery of an event to each hook that subscribes to it. Idempotent: a hook gets each message once. */
export async function announce<K extends DeliveredKind>(deps: Deps, event: RecordedEvent<K>): Promise<void> {
  const { db } = deps.database
  const ctx = systemContext(deps, db)
  const messages = (await announcements[event.kind]?.(ctx, event)) ?? []
  for (const [part, { trigger, where, branch, payload }] of messages.entries()) {
    const hooks = (await hooksWanting(db, where, trigger)).filter(
      ({ push_events_branch_filter: filter }) => branch === undefined || filter === null || fitsName(filter, branch),
    )
    const built = hooks.length > 0 ? await payload() : undefined
    if (!built) continue
    const ids = hooks.map(({ id }) => id)
    await transact(db, tx => askForDelivery(tx, ids, { trigger, payload: built, about: { eventId: event.id, part }, now: ctx.now }))
  }
}
