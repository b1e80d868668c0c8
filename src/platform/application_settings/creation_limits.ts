/** How many issues and comments a user may make in a minute, as the settings of the instance say. */
import type { Context } from '../kernel/context.ts'
import { applicationSettings } from './queries.ts'

/**
 * Counts an issue or a comment that a user is about to make. Those who make one by mail act without a credential, and are not counted here.
 * Contract: per user and minute (application settings at 14.0).
 * @throws Refusal 429
 */
export async function countCreation({ db, deps, actor }: Context, limit: 'issues_create_limit' | 'notes_create_limit'): Promise<void> {
  if (!actor.user || !actor.credential) return
  const { [limit]: most } = await applicationSettings(db)
  if (most > 0) await deps.limiter.upTo(most, limit, actor.user)
}
