/** Sends messages: one task for each hook and event, so that a slow or failing hook does not delay others. */
import type { Db } from '../../../platform/db/connection.ts'
import { awaitWalFlush } from '../../../platform/db/embedded/wal_flush.ts'
import { transact } from '../../../platform/db/transact.ts'
import { runsAt } from '../../../platform/events/queue_state.ts'
import { enqueue } from '../../../platform/events/worker.ts'
import type { Deps } from '../../../platform/kernel/context.ts'
import { move } from '../../../platform/kernel/declaration/machine.ts'
import { notFound } from '../../../platform/kernel/errors.ts'
import { destinationOf, HostUnresolved, OutboundRefused } from '../../../platform/outbound/addresses.ts'
import { hookDestinations } from '../../../platform/outbound/allowed.ts'
import { OutboundFailed, type Posted, post } from '../../../platform/outbound/post.ts'
import { TOKEN_PURPOSE } from '../commands.ts'
import type { Trigger } from '../switches.ts'
import { headersOf } from './entity.ts'
import { type DeliveryRow, deliveryById } from './queries.ts'
import { deliveryMachine, verdictOn } from './states.ts'

/** Bytes of an answer's body that are stored. */
const MAX_ANSWER = 8 * 1024

/** Timeout of an attempt, in milliseconds. */
const TIMEOUT = 10_000

/** Milliseconds after which an attempt that a request was making counts as given up: longer than any takes. */
const ABANDONED = 60_000

/** Retention of deliveries, in milliseconds. */
const KEPT_FOR = 7 * 24 * 60 * 60 * 1000

/** A message to send. */
export interface Message {
  readonly trigger: Trigger
  readonly payload: object
  /** The event, and the index of the message among those of the event; undefined for a test of a hook. */
  readonly about?: { readonly eventId: number; readonly part: number } | undefined
  /** Whose message it is: deliveries of different owners take turns. */
  readonly turnOf: string | undefined
  readonly now: Date
}

/** Queues a message to each of these hooks, once for an event. `db` is a transaction. */
export async function askForDelivery(db: Db, hookIds: readonly number[], { trigger, payload, about, turnOf, now }: Message): Promise<void> {
  const request_data = JSON.stringify(payload)
  const asked = await db
    .insertInto('hook_deliveries')
    .values(
      hookIds.map(hook_id => ({
        hook_id,
        event_id: about?.eventId ?? null,
        part: about?.part ?? 0,
        trigger,
        request_data,
        created_at: now,
        updated_at: now,
      })),
    )
    .onConflict(conflict => conflict.columns(['hook_id', 'event_id', 'part']).doNothing())
    .returning('id')
    .execute()
  for (const { id } of asked) await enqueue(db, 'send_to_hook', taskOf(id, turnOf), { turnOf: turnOf ?? null })
}

const taskOf = (delivery_id: number, turn_of: string | undefined) => ({ delivery_id, ...(turn_of !== undefined && { turn_of }) })

/** Queues an attempt of a delivery in place of the one that may be queued already. */
const enqueueAttempt = (db: Db, deliveryId: number, runAt: Date, turnOf: string | undefined): Promise<void> =>
  enqueue(db, 'send_to_hook', taskOf(deliveryId, turnOf), { runAt, jobKey: attemptKey(deliveryId), turnOf: turnOf ?? null })

const attemptKey = (deliveryId: number): string => `send_to_hook:${deliveryId}`

/**
 * Sends the body of a delivery once more, as a delivery of its own: with another `X-Gitlab-Event-UUID`, so that a receiver does not take it for what
 * it has, to the address and with the token that the hook has now. Where the attempt fails it is tried again like every other; the task that is queued
 * with it makes the attempt where this process ends before it could.
 */
export async function resend(deps: Deps, former: DeliveryRow, turnOf: string | undefined): Promise<DeliveryRow> {
  const { hook_id, trigger, request_data } = former
  const now = deps.now()
  const id = await transact(deps.database.db, async db => {
    const made = await db
      .insertInto('hook_deliveries')
      .values({ hook_id, trigger, request_data, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueueAttempt(db, made.id, new Date(now.getTime() + ABANDONED), turnOf)
    return made.id
  })
  await sendToHook(deps, taskOf(id, turnOf))
  const delivery = await deliveryById(deps.database.db, id)
  // The hook was deleted meanwhile.
  if (!delivery) throw notFound('Hook')
  if (delivery.status === 'delivered') await giveUp(deps, former)
  return delivery
}

/** Ends the attempts of a delivery that still waits: its receiver has the body by another one. The task that is queued finds it ended. */
async function giveUp({ database, now }: Deps, { id, status }: DeliveryRow): Promise<void> {
  if (status !== 'pending') return
  await database.db
    .updateTable('hook_deliveries')
    .set({ status: move(deliveryMachine, status, 'give_up'), updated_at: now() })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .execute()
}

/** When a delivery that has failed is attempted again; undefined where it is not. */
export async function nextAttemptAt(db: Db, { id, status }: Pick<DeliveryRow, 'id' | 'status'>): Promise<string | undefined> {
  return status === 'pending' ? await runsAt(db, attemptKey(id)) : undefined
}

/**
 * Attempts a delivery, records the result, and queues a retry if one may help. All attempts, including one whose record was lost in a
 * crash, carry the same `X-Gitlab-Event-UUID`, which tells a receiver that it has the message already.
 */
export async function sendToHook(deps: Deps, { delivery_id, turn_of }: { delivery_id: number; turn_of?: string }): Promise<void> {
  const delivery = await deliveryById(deps.database.db, delivery_id)
  // Deleted with its hook, or done: the task ran a second time.
  if (delivery?.status !== 'pending') return
  // The event and the UUID must be durable before an external receiver sees them: a crash could still roll them back.
  await awaitWalFlush(deps.database.db)
  const begun = performance.now()
  const attempt = await attemptAt(deps, delivery)
  const attempts = delivery.attempts + 1
  const { event, pause } = verdictOn(attempt.posted ?? { refused: attempt.refused }, attempts)
  await transact(deps.database.db, async db => {
    const noted = await db
      .updateTable('hook_deliveries')
      .set({
        status: move(deliveryMachine, delivery.status, event),
        attempts,
        response_status: attempt.posted?.status ?? null,
        response_headers: JSON.stringify(attempt.posted?.headers ?? {}),
        // PostgreSQL stores every character but NUL.
        response_body: attempt.posted?.body.replaceAll('\0', '\uFFFD') ?? '',
        error: attempt.posted ? null : attempt.error,
        duration: (performance.now() - begun) / 1000,
        updated_at: deps.now(),
      })
      .where('id', '=', delivery_id)
      .where('attempts', '=', delivery.attempts)
      .returning('id')
      .executeTakeFirst()
    if (noted && pause !== undefined) await enqueueAttempt(db, delivery_id, new Date(deps.now().getTime() + pause * 1000), turn_of)
  })
}

type Attempt = { readonly posted: Posted } | { readonly posted?: undefined; readonly refused: boolean; readonly error: string }

async function attemptAt({ config, database, secrets }: Deps, delivery: DeliveryRow): Promise<Attempt> {
  const url = new URL(delivery.url)
  const token: Record<string, string> =
    delivery.token === null ? {} : { 'X-Gitlab-Token': secrets.decrypt(delivery.token, TOKEN_PURPOSE).reveal() }
  try {
    const allowed = await hookDestinations(database.db, config, { isOfInstance: delivery.kind === 'system' })
    const destination = await destinationOf(url, allowed)
    const posted = await post(url, destination, {
      headers: { ...headersOf(delivery), ...token },
      body: delivery.request_data,
      verify: delivery.enable_ssl_verification,
      timeout: TIMEOUT,
      limit: MAX_ANSWER,
    })
    return { posted }
  } catch (error) {
    if (error instanceof OutboundFailed || error instanceof HostUnresolved) return { refused: false, error: error.message }
    if (error instanceof OutboundRefused) return { refused: true, error: error.message }
    throw error
  }
}

/** Deletes deliveries that are a week old. */
export async function sweepDeliveries({ database, now }: Deps): Promise<void> {
  await database.db
    .deleteFrom('hook_deliveries')
    .where('created_at', '<', new Date(now().getTime() - KEPT_FOR).toISOString())
    .execute()
}
