/** Whose things the lists of the whole instance show. */
import type { Context } from '../../platform/kernel/context.ts'
import { unauthenticated } from '../../platform/kernel/errors.ts'

/** Contract: one's own unless `scope` says otherwise; whoever is nobody has none, so must ask for all (decision 10). */
export function scopeFor({ actor }: Pick<Context, 'actor'>, scope = 'created_by_me'): string {
  if (!actor.user && scope !== 'all') throw unauthenticated()
  return scope
}
