/** Who listens to which event. The worker hands events over after their transaction; listeners must be idempotent. */
import type { DeliveredKind, Events } from './events/events.ts'
import type { Deps } from './kernel/context.ts'
import { alignHead } from './repository/head.ts'
import { removeRepository } from './repository/removal.ts'

/** What follows an event. */
export type Listener<K extends DeliveredKind> = (deps: Deps, payload: Events[K]) => Promise<void>

/** The listeners of every event that is delivered. */
export const listeners: { readonly [K in DeliveredKind]: readonly Listener<K>[] } = {
  'project.deleted': [removeRepository],
  'project.default_branch_changed': [alignHead],
}

/** Hands one event to all that listen to it. */
export async function deliver<K extends DeliveredKind>(deps: Deps, kind: K, payload: Events[K]): Promise<void> {
  for (const listener of listeners[kind]) await listener(deps, payload)
}
