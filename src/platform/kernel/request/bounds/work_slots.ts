/**
 * How much expensive work is under way at a time, for one caller and in all. A request that finds no slot waits for one, not long; what
 * comes beyond is refused, so that a few callers cannot take the machine from the others.
 */
import { availableParallelism } from 'node:os'
import { Refusal } from '../../errors.ts'
import { isAnonymousHolder } from './holder.ts'

export interface WorkLimits {
  /** Requests of one caller that work at a time. */
  readonly perCaller: number
  /** Requests that work at a time. */
  readonly total: number
  /**
   * Of these the ones that only callers with an account and without any slot get. Those who hold several cannot shut them out, nor can those without an
   * account, who have as many names as addresses.
   */
  readonly reserved: number
  /** Requests of one caller that may wait. */
  readonly waiting: number
  /** Requests that may wait. */
  readonly queue: number
  /** How long a request waits, in milliseconds. */
  readonly patience: number
}

const TOTAL = Math.max(8, 4 * availableParallelism())

/** Limits of expensive work. Most of it is done by git, in one process each. */
const workLimits: WorkLimits = { perCaller: 4, total: TOTAL, reserved: TOTAL / 4, waiting: 32, queue: 200, patience: 10_000 }

/** Limits of exchanges with git clients, over HTTP and SSH together. Build machines fetch in bursts, so some may wait. */
export const gitLimits: WorkLimits = { perCaller: 20, total: 200, reserved: 40, waiting: 40, queue: 200, patience: 10_000 }

/** Limits of work in threads, which take a processor each: of two a caller has one, so that one caller keeps nobody waiting. */
export const threadLimits: WorkLimits = { perCaller: 1, total: 2, reserved: 0, waiting: 32, queue: 200, patience: 10_000 }

/** Limits of open pages that listen to changes. None waits: a page that finds no slot asks again later. */
export const liveLimits: WorkLimits = { perCaller: 30, total: 1_000, reserved: 200, waiting: 0, queue: 0, patience: 0 }

/** Seconds after which a refused request may be sent again. */
const RETRY_AFTER = '5'

interface Waiter {
  readonly caller: string
  readonly enter: () => void
}

/** Slots for work, in this process or in another one. */
export interface Slots {
  /** Slots that one caller may have. */
  readonly perCaller: number
  /**
   * Takes a slot; the returned function gives it back.
   * @param signal ends the wait: the client has gone
   * @throws Refusal 429 where the caller has too much under way, 503 where all have
   */
  enter(caller: string, signal: AbortSignal): Promise<() => void>
}

export class WorkSlots implements Slots {
  readonly #limits: WorkLimits
  readonly #working = new Map<string, number>()
  readonly #queue = new Set<Waiter>()
  /** When callers with work or in the queue had their last slot. */
  readonly #served = new Map<string, number>()
  #serving = 0
  #total = 0
  #anonymous = 0

  constructor(limits: WorkLimits = workLimits) {
    this.#limits = limits
  }

  get perCaller(): number {
    return this.#limits.perCaller
  }

  async enter(caller: string, signal: AbortSignal): Promise<() => void> {
    if (!this.#isFree(caller)) await this.#wait(caller, signal)
    else this.#take(caller)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#giveBack(caller)
    }
  }

  #isFree(caller: string): boolean {
    const { perCaller, total, reserved } = this.#limits
    const own = this.#working.get(caller) ?? 0
    if (isAnonymousHolder(caller) && this.#anonymous >= total - reserved) return false
    return own < perCaller && this.#total < (own === 0 ? total : total - reserved)
  }

  #take(caller: string): void {
    this.#total += 1
    if (isAnonymousHolder(caller)) this.#anonymous += 1
    this.#serving += 1
    this.#served.set(caller, this.#serving)
    this.#working.set(caller, (this.#working.get(caller) ?? 0) + 1)
  }

  /** Is there a place in the queue? Callers without an account, who have as many names as addresses, leave a quarter to the others. */
  #hasRoom(caller: string): boolean {
    const { queue } = this.#limits
    if (this.#queue.size >= queue) return false
    return !isAnonymousHolder(caller) || [...this.#queue].filter(waiter => isAnonymousHolder(waiter.caller)).length < queue * 0.75
  }

  async #wait(caller: string, signal: AbortSignal): Promise<void> {
    const waiting = [...this.#queue].filter(waiter => waiter.caller === caller).length
    if (waiting >= this.#limits.waiting || !this.#hasRoom(caller)) throw this.#refusal(caller)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { caller, enter: resolve }
    const giveUp = () => {
      if (this.#queue.delete(waiter)) reject(this.#refusal(caller))
    }
    this.#queue.add(waiter)
    const timer = setTimeout(giveUp, this.#limits.patience)
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  #giveBack(caller: string): void {
    this.#total -= 1
    if (isAnonymousHolder(caller)) this.#anonymous -= 1
    const left = (this.#working.get(caller) ?? 1) - 1
    if (left === 0) this.#working.delete(caller)
    else this.#working.set(caller, left)
    const next = this.#next()
    if (left === 0 && ![...this.#queue].some(waiter => waiter.caller === caller)) this.#served.delete(caller)
    if (!next) return
    this.#queue.delete(next)
    this.#take(next.caller)
    next.enter()
  }

  /** Of the callers with a slot left the one who had none for the longest time: a caller with many requests does not hold up the others. */
  #next(): Waiter | undefined {
    let next: Waiter | undefined
    const lastOf = (waiter: Waiter) => this.#served.get(waiter.caller) ?? 0
    for (const waiter of this.#queue) if (this.#isFree(waiter.caller) && (!next || lastOf(waiter) < lastOf(next))) next = waiter
    return next
  }

  #refusal(caller: string): Refusal {
    const isOwn = (this.#working.get(caller) ?? 0) >= this.#limits.perCaller
    return workRefusal(isOwn ? 'too_many_requests' : 'unavailable')
  }
}

/** The refusal of work: 429 where the caller has too much under way, 503 where all have. */
export function workRefusal(kind: 'too_many_requests' | 'unavailable'): Refusal {
  const message = kind === 'unavailable' ? '503 Service Unavailable' : '429 Too Many Requests'
  return new Refusal(kind, { message }, { 'retry-after': RETRY_AFTER })
}
