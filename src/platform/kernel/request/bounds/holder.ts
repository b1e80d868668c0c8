/** Whom the work under way is for, where no context is passed: threads are shared by all callers, and a few must not take them from the others. */
import { AsyncLocalStorage } from 'node:async_hooks'

const holders = new AsyncLocalStorage<string>()

/** Does work for the holder of its slots (rate_limit.ts). */
export const workFor = <T>(holder: string, work: () => T): T => holders.run(holder, work)

/** The holder of the slots of the work under way; `server` for work without a request. */
export const currentHolder = (): string => holders.getStore() ?? 'server'

/** The holder of the slots of callers without an account, of whom only the network is known. */
export const anonymousHolder = (network: string): string => `ip:${network}`

/** Are these slots held by a caller without an account? */
export const isAnonymousHolder = (holder: string): boolean => holder.startsWith('ip:')
