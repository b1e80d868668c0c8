/** One's feed token: shown, and replaced. */
import { feedTokenOf, resetFeedToken } from '../../identity/users/activity/feed_tokens.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { csrfField, formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { settingsPlace } from '../settings/place.ts'

const PAGE = '/-/profile/feed_token'

export const showFeedToken = pageEndpoint({
  route: `GET ${PAGE}`,
  summary: 'Show one’s feed token',
  scope: inSelf,
  can: 'update_own',
  async run(ctx) {
    const token = await feedTokenOf(ctx.db, ctx.deps.secrets, ctx.user.id)
    return page(ctx, {
      title: 'Feed token',
      place: settingsPlace('tokens'),
      width: 'medium',
      body: html`<p>Programs that read feeds cannot sign in. An address such as <code>/dashboard/projects.atom?feed_token=…</code> shows them what you see; the token opens feeds and nothing else.</p>
<p class="row"><code>${token}</code>${copyButton('Copy the feed token', token)}</p>
<form method="post" action="${PAGE}/reset" data-turbo-confirm="Replace the feed token? Addresses that have it stop working.">${csrfField(ctx)}<button class="btn btn-danger">Replace the token</button></form>`,
    })
  },
})

export const replaceFeedToken = formEndpoint({
  route: `POST ${PAGE}/reset`,
  summary: 'Replace one’s feed token',
  scope: inSelf,
  can: 'update_own',
  async run(ctx) {
    await resetFeedToken(ctx, ctx.user.id)
    return done(ctx, PAGE, 'The feed token was replaced.')
  },
})
