/** One place for the limits of all processes of a port: the first process counts, and the others ask it. */

import type { Slots } from '../../platform/kernel/request/bounds/work_slots.ts'
import { type Count, type Counter, countHere, type NewCounter } from '../../platform/kernel/request/counts/counters.ts'
import type { RefusedCaller } from '../../platform/kernel/request/counts/refused_callers.ts'
import { type LimiterParts, partsHere } from '../../platform/kernel/request/rate_limit.ts'
import type { Callable, Calls } from './calls.ts'

type Kind = 'heavy' | 'git' | 'live'

/** What a counter is asked for from elsewhere. */
const questions = ['consume', 'reward', 'penalty', 'get', 'set', 'block', 'delete'] as const satisfies readonly (keyof Counter)[]
type Asked = (typeof questions)[number]

/** What is kept for another process: it ends with it. */
interface Held {
  readonly callable: Callable
  /** The process has ended: its slots are free. */
  end(): void
}

/** The limits of the first process. */
export interface SharedLimits {
  readonly parts: LimiterParts
  /** What one other process may call. */
  forProcess(): Held
}

/** A count without what is not JSON. */
const plain = ({ consumedPoints, remainingPoints, msBeforeNext }: Count): Count => ({ consumedPoints, remainingPoints, msBeforeNext })

/** Counts here, for this process and others. */
export function sharedLimits(): SharedLimits {
  const counters = new Map<string, Counter>()
  const newCounter: NewCounter = (name, options) => {
    const counter = counters.get(name) ?? countHere(name, options)
    counters.set(name, counter)
    return counter
  }
  const parts: LimiterParts = { ...partsHere(), newCounter }
  return { parts, forProcess: () => heldFor(parts, counters) }
}

function heldFor(parts: LimiterParts, counters: ReadonlyMap<string, Counter>): Held {
  const slots = new Map<number, { readonly gone: AbortController; release?: () => void }>()
  const leave = (ticket: number) => {
    const slot = slots.get(ticket)
    slots.delete(ticket)
    slot?.gone.abort()
    slot?.release?.()
  }
  return {
    callable: {
      async count(name: string, asked: Asked, given: readonly never[]) {
        const counter = counters.get(name)
        if (!counter || !questions.includes(asked)) throw new Error(`there is no count ${name} that could be asked to ${asked}`)
        const answer = await (counter[asked] as (...given: readonly never[]) => Promise<Count | boolean | null>)(...given).catch(error => {
          throw error instanceof Error ? error : plain(error)
        })
        return typeof answer === 'object' && answer !== null ? plain(answer) : answer
      },
      keepRefused: (refused: RefusedCaller) => parts.refused.keep(refused),
      listRefused: (now: number) => parts.refused.list(now),
      async enter(kind: Kind, caller: string, ticket: number) {
        const slot: { readonly gone: AbortController; release?: () => void } = { gone: new AbortController() }
        slots.set(ticket, slot)
        try {
          const release = await parts[kind].enter(caller, slot.gone.signal)
          // Its client went in the moment in which the slot was free.
          if (slots.has(ticket)) slot.release = release
          else release()
        } catch (error) {
          slots.delete(ticket)
          throw error
        }
      },
      leave,
    },
    end() {
      for (const ticket of slots.keys()) leave(ticket)
    },
  }
}

/** The limits of the first process, as another one sees them. */
export function limitsThere(calls: Calls): LimiterParts {
  let tickets = 0
  const here = partsHere()
  /** Without an answer: the process that would give it may have ended. */
  const say = (name: string, ...given: readonly unknown[]) => void calls.call(name, ...given).catch(() => {})
  const slotsOf = (kind: Kind): Slots => ({
    perCaller: here[kind].perCaller,
    async enter(caller, signal) {
      const ticket = ++tickets
      const leave = () => say('leave', ticket)
      signal.addEventListener('abort', leave, { once: true })
      try {
        await calls.call('enter', kind, caller, ticket)
      } finally {
        signal.removeEventListener('abort', leave)
      }
      return leave
    },
  })
  const counterOf = (name: string): Counter => {
    const ask =
      <T>(asked: Asked) =>
      (...given: readonly unknown[]): Promise<T> =>
        calls.call<T>('count', name, asked, given)
    return {
      consume: ask('consume'),
      reward: ask('reward'),
      penalty: ask('penalty'),
      get: ask('get'),
      set: ask('set'),
      block: ask('block'),
      delete: ask('delete'),
    }
  }
  return {
    heavy: slotsOf('heavy'),
    git: slotsOf('git'),
    live: slotsOf('live'),
    newCounter: counterOf,
    refused: {
      keep: refused => say('keepRefused', refused),
      list: now => calls.call('listRefused', now),
      clear: () => {},
    },
  }
}
