/** How many issues and comments a user may make in a minute, as the settings of the instance say. */
import type { Context } from '../kernel/context.ts'

/**
 * Counts an issue, or so many comments, that a user is about to make. Those who make one by mail act without a credential, and are not counted here.
 * @throws Refusal 429
 */
export async function countCreation(
  { deps, actor }: Context,
  limit: 'issues_create_limit' | 'notes_create_limit',
  count = 1,
): Promise<void> {
  const { user, credential } = actor
  // Contract: per user and minute (application settings at 14.0).
  const most = user?.creation_limits?.[limit] ?? 0
  if (user && credential && most > 0 && count > 0) await deps.limiter.upTo(most, limit, user, count)
}
