/** What becomes of a delivery: an answer in time ends it, well or not; without one it is tried again, a few times. */
import { machine } from '../../../platform/kernel/machine.ts'

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

/** Seconds before the second attempt, the third, and so on; after the last one a delivery is given up. */
const pauses = [10, 60, 300, 1800]

/** How an attempt ended: with a status, without an answer, or it was not to be made at all. */
export type Outcome = { readonly status: number } | { readonly refused: boolean }

/** What follows from an attempt, and how long until the next one. Pure. */
export function verdictOn(outcome: Outcome, attempts: number): { readonly event: DeliveryEvent; readonly pause?: number } {
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) return { event: 'succeed' }
  const mayPass = 'status' in outcome ? outcome.status >= 500 || outcome.status === 429 : !outcome.refused
  const pause = pauses[attempts - 1]
  return mayPass && pause !== undefined ? { event: 'postpone', pause } : { event: 'give_up' }
}
