/** Attempts notifications of integrations: with growing pauses while a server does not answer or fails, as for hooks. */
import type { Db } from '../../platform/db/connection.ts'
import { awaitWalFlush } from '../../platform/db/embedded/wal_flush.ts'
import { transact } from '../../platform/db/transact.ts'
import { enqueue } from '../../platform/events/worker.ts'
import { type Deps, systemContext } from '../../platform/kernel/context.ts'
import { move } from '../../platform/kernel/declaration/machine.ts'
import { HostUnresolved, OutboundRefused } from '../../platform/outbound/addresses.ts'
import { OutboundFailed } from '../../platform/outbound/exchange.ts'
import { deliveryMachine, type Outcome, verdictOn } from '../hooks/deliveries/states.ts'
import type { Payload } from './payload.ts'
import { type IntegrationDelivery, integrationDelivery } from './queries.ts'
import { AnsweredBadly, Misconfigured, type Sender, Sending } from './senders/sender.ts'
import { senders } from './senders/senders.ts'

/** Retention of deliveries, in milliseconds. */
const KEPT_FOR = 7 * 24 * 60 * 60 * 1000

/** What came of an attempt. */
interface Attempt {
  readonly outcome: Outcome
  readonly error: string | null
}

/** A delivery, and whose it is: another attempt has its turn with theirs. */
interface SendTask {
  readonly delivery_id: number
  readonly turn_of?: string
}

/** Attempts a delivery, records the result, and queues another attempt if one may help. */
export async function sendToIntegration(deps: Deps, { delivery_id, turn_of }: SendTask): Promise<void> {
  const { db } = deps.database
  const delivery = await integrationDelivery(db, delivery_id)
  // Deleted with its integration, or done: the task ran a second time.
  if (delivery?.status !== 'pending') return
  const sender = delivery.active ? senders[delivery.slug] : undefined
  if (!sender)
    return record(db, delivery, { outcome: { refused: true }, error: 'The integration was turned off' }, undefined, { now: deps.now() })
  // The event must be durable before an external receiver sees it: a crash could still roll it back.
  await awaitWalFlush(db)
  const sending = new Sending({
    ctx: systemContext(deps, db),
    row: delivery,
    trigger: delivery.trigger,
    payload: JSON.parse(delivery.payload) as Payload,
    done: delivery.done,
  })
  await record(db, delivery, await attempt(sender, sending), sending, { now: deps.now(), turnOf: turn_of })
}

/** Runs a sender; what servers and settings refuse is a result. */
export async function attempt(sender: Sender, sending: Sending): Promise<Attempt> {
  try {
    await sender(sending)
    return { outcome: { status: 200 }, error: null }
  } catch (error) {
    if (error instanceof AnsweredBadly) return { outcome: { status: error.status }, error: error.message }
    if (error instanceof OutboundFailed || error instanceof HostUnresolved) return { outcome: { refused: false }, error: error.message }
    if (error instanceof OutboundRefused || error instanceof Misconfigured) return { outcome: { refused: true }, error: error.message }
    throw error
  }
}

async function record(
  db: Db,
  delivery: IntegrationDelivery,
  { outcome, error }: Attempt,
  sending: Sending | undefined,
  { now, turnOf }: { readonly now: Date; readonly turnOf?: string | undefined },
): Promise<void> {
  const attempts = delivery.attempts + 1
  const { event, pause } = verdictOn(outcome, attempts)
  await transact(db, async tx => {
    const noted = await tx
      .updateTable('integration_deliveries')
      .set({
        status: move(deliveryMachine, delivery.status, event),
        attempts,
        done: sending?.done ?? delivery.done,
        exchanges: JSON.stringify(sending?.exchanges ?? []),
        error,
      })
      .where('id', '=', delivery.id)
      .where('attempts', '=', delivery.attempts)
      .returning('id')
      .executeTakeFirst()
    if (!noted || pause === undefined) return
    const runAt = new Date(now.getTime() + pause * 1000)
    const task = { delivery_id: delivery.id, ...(turnOf !== undefined && { turn_of: turnOf }) }
    await enqueue(tx, 'send_to_integration', task, { runAt, jobKey: `send_to_integration:${delivery.id}`, turnOf: turnOf ?? null })
  })
}

/** Deletes what is a week old. */
export async function sweepIntegrationDeliveries({ database, now }: Deps): Promise<void> {
  await database.db
    .deleteFrom('integration_deliveries')
    .where('created_at', '<', new Date(now().getTime() - KEPT_FOR).toISOString())
    .execute()
}
