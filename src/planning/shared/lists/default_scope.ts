/** The default `scope` of lists of the whole instance. */
import type { Context } from '../../../platform/kernel/context.ts'
import { unauthenticated } from '../../../platform/kernel/errors.ts'

/** Contract: the caller's own items unless `scope` says otherwise; anonymous callers must pass `all` (decision 10). */
export function scopeFor({ actor }: Pick<Context, 'actor'>, scope = 'created_by_me'): string {
  if (!actor.user && scope !== 'all') throw unauthenticated()
  return scope
}
