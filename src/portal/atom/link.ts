/** The feed of a page, as its address is given to programs that read feeds. */
import { feedTokenOf } from '../../identity/users/activity/feed_tokens.ts'
import type { Context } from '../../platform/kernel/context.ts'

/**
 * With the feed token of a signed-in caller, so that a program that reads feeds sees what they do. At most one statement.
 * @param path of the feed
 */
export async function feedLink({ db, actor, deps }: Context, title: string, path: string): Promise<{ title: string; href: string }> {
  if (!actor.user) return { title, href: path }
  return { title, href: `${path}?${new URLSearchParams({ feed_token: await feedTokenOf(db, deps.secrets, actor.user.id) }).toString()}` }
}
