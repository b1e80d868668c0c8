/** Queues notifications of integrations about an event: one delivery for each, so that a slow or failing one does not delay others. */
import { protectedBranches } from '../../code/protected_branches/queries.ts'
import type { Db } from '../../platform/db/connection.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { type IntegrationRow, integrationsIn } from '../../spaces/integration_settings/queries.ts'
import type { Whereabouts } from '../hooks/queries.ts'
import type { Trigger } from '../hooks/switches.ts'
import type { Payload } from './payload.ts'
import { isSwitchedTo, isWanted, switchesBehind } from './wanted.ts'

/** The integrations of a project that are switched to this kind of event. */
export async function integrationsWanting(
  db: Db,
  { projectId, groupIds = [] }: Whereabouts,
  trigger: Trigger,
): Promise<readonly IntegrationRow[]> {
  if (projectId === undefined || switchesBehind(trigger).length === 0) return []
  const active = await integrationsIn(db, { project_id: projectId, above: groupIds }).where('active', '=', true).execute()
  return active.filter(row => isSwitchedTo(row, trigger))
}

/** What happened, for the integrations of a project. */
export interface Notification {
  readonly projectId: number
  readonly trigger: Trigger
  readonly payload: object
  /** The event, and the index of the message among those of the event; undefined for a trial. */
  readonly about?: { readonly eventId: number; readonly part: number }
  /** Whose notification it is: deliveries of different owners take turns. */
  readonly turnOf: string | undefined
  readonly now: Date
}

/** Queues the deliveries, once for an event. `db` is a transaction. */
export async function askIntegrations(db: Db, rows: readonly IntegrationRow[], notification: Notification): Promise<void> {
  const { projectId, trigger, payload, about, turnOf, now } = notification
  const isOnProtected = rows.some(({ properties }) =>
    String((properties as Record<string, unknown>).branches_to_be_notified).includes('protected'),
  )
  const protections = isOnProtected ? (await protectedBranches(db, projectId).execute()).map(({ name }) => name) : []
  const wanting = rows.filter(row => isWanted(row, payload as Payload, protections))
  if (wanting.length === 0) return
  const text = JSON.stringify(payload)
  const asked = await db
    .insertInto('integration_deliveries')
    .values(
      wanting.map(({ id }) => ({
        integration_id: id,
        project_id: projectId,
        event_id: about?.eventId ?? null,
        part: about?.part ?? 0,
        trigger,
        payload: text,
        created_at: now,
      })),
    )
    .onConflict(conflict => conflict.columns(['integration_id', 'project_id', 'event_id', 'part']).doNothing())
    .returning('id')
    .execute()
  const mark = turnOf === undefined ? {} : { turn_of: turnOf }
  for (const { id } of asked) await enqueue(db, 'send_to_integration', { delivery_id: id, ...mark }, { turnOf: turnOf ?? null })
}
