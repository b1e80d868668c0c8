/** The states of a delivery: an answer ends it, as a success or a failure; without one it is retried a few times. */
import { machine } from '../../../platform/kernel/declaration/machine.ts'

export const deliveryMachine = machine({
  states: ['pending', 'delivered', 'failed'],
  initial: 'pending',
  events: {
    succeed: { pending: 'delivered' },
    postpone: { pending: 'pending' },
    give_up: { pending: 'failed' },
  },
})

export type DeliveryStatus = (typeof deliveryMachine.states)[number]
export type DeliveryEvent = keyof typeof deliveryMachine.events

/** Seconds before the second attempt, the third, and so on; after the last one a delivery fails. */
const pauses = [10, 60, 300, 1800]

/** The result of an attempt: a status, no answer, or a refusal to make the request at all. */
export type Outcome = { readonly status: number } | { readonly refused: boolean }

/** The event that follows from an attempt, and the seconds until the next one. Pure. */
export function verdictOn(outcome: Outcome, attempts: number): { readonly event: DeliveryEvent; readonly pause?: number } {
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) return { event: 'succeed' }
  const mayPass = 'status' in outcome ? outcome.status >= 500 || outcome.status === 429 : !outcome.refused
  const pause = pauses[attempts - 1]
  return mayPass && pause !== undefined ? { event: 'postpone', pause } : { event: 'give_up' }
}
