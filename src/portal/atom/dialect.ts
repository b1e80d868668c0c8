/** How feeds are asked for: with a feed token in the address, or any other credential. */
import { holderOfFeedToken } from '../../identity/users/activity/feed_tokens.ts'
import { actingAs } from '../../platform/access/credentials/credentials.ts'
import { type Dialect, root } from '../../platform/kernel/declaration/dialect.ts'
import { unauthenticated } from '../../platform/kernel/errors.ts'
import { authenticate } from '../../platform/kernel/request/authenticate.ts'
import { encodeFeedPath } from './address.ts'

export const atomFeeds: Dialect = {
  ...root,
  name: 'atom_feeds',
  rewrite: encodeFeedPath,
  async authenticate(request, deps) {
    const { feed_token: token } = request.query as { readonly feed_token?: unknown }
    if (typeof token !== 'string' || token === '') return authenticate(request, deps)
    const userId = await holderOfFeedToken(deps.database.db, deps.secrets, token)
    const actor = userId === undefined ? undefined : await actingAs(deps.database.db, userId)
    if (!actor) throw unauthenticated()
    return actor
  },
}
