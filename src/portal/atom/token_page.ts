/** One's feed token. */
import { feedTokenOf, resetFeedToken } from '../../identity/users/activity/feed_tokens.ts'
import { html } from '../../platform/pages/html.ts'
import { ownTokenPage } from '../settings/own_token.ts'

const pages = ownTokenPage({
  name: 'feed_token',
  called: 'feed token',
  says: html`Programs that read feeds cannot sign in. An address such as <code>/dashboard/projects.atom?feed_token=…</code> shows them what you see; the token opens feeds and nothing else.`,
  tokenOf: feedTokenOf,
  reset: resetFeedToken,
})

export const showFeedToken = pages.show
export const replaceFeedToken = pages.replace
