/** Tells hooks and integrations of an event. */

import { fitsName } from '../../../code/protected_branches/branch_rights.ts'
import { transact } from '../../../platform/db/transact.ts'
import type { DeliveredKind } from '../../../platform/events/events.ts'
import type { RecordedEvent } from '../../../platform/events/recorded.ts'
import { ownerName } from '../../../platform/events/worker.ts'
import { type Deps, systemContext } from '../../../platform/kernel/context.ts'
import { askIntegrations, integrationsWanting } from '../../integration_deliveries/ask.ts'
import { askForDelivery } from '../deliveries/commands.ts'
import { hooksWanting } from '../queries.ts'
import { announcements } from './announcements.ts'

/** Queues a delivery of an event to each hook and each integration that is switched to it. Idempotent: each gets each message once. */
export async function announce<K extends DeliveredKind>(deps: Deps, event: RecordedEvent<K>): Promise<void> {
  const { db } = deps.database
  const ctx = systemContext(deps, db)
  const messages = (await announcements[event.kind]?.(ctx, event)) ?? []
  const owner = event.actor_id ?? (event.project_id === null ? undefined : `project ${event.project_id}`)
  const turnOf = owner === undefined ? undefined : ownerName(owner)
  for (const [part, { trigger, where, branch, payload }] of messages.entries()) {
    const hooks = (await hooksWanting(db, where, trigger)).filter(
      ({ push_events_branch_filter: filter }) => branch === undefined || filter === null || fitsName(filter, branch),
    )
    const integrations = await integrationsWanting(db, where, trigger)
    const built = hooks.length > 0 || integrations.length > 0 ? await payload() : undefined
    if (!built) continue
    const ids = hooks.map(({ id }) => id)
    const message = { trigger, payload: built, about: { eventId: event.id, part }, turnOf, now: ctx.now }
    await transact(db, async tx => {
      if (ids.length > 0) await askForDelivery(tx, ids, message)
      if (integrations.length > 0) await askIntegrations(tx, integrations, { ...message, projectId: where.projectId as number })
    })
  }
}
