/** One's token of incoming mail: shown, and replaced. */
import { incomingTokenOf, resetIncomingToken } from '../../identity/users/activity/incoming_email_tokens.ts'
import { inSelf } from '../../identity/users/scope.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { csrfField, formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { settingsPlace } from './place.ts'

export const INCOMING_TOKEN_PAGE = '/-/profile/incoming_email_token'

export const showIncomingToken = pageEndpoint({
  route: `GET ${INCOMING_TOKEN_PAGE}`,
  summary: 'Show one’s token of incoming mail',
  scope: inSelf,
  can: 'update_own',
  async run(ctx) {
    const token = await incomingTokenOf(ctx.db, ctx.deps.secrets, ctx.user.id)
    return page(ctx, {
      title: 'Incoming email token',
      place: settingsPlace('tokens'),
      width: 'medium',
      body: html`<p>It is a part of the addresses by which you make issues by mail, which the page of issues of a project shows (More, New issue by mail). It opens nothing else, and only mails from your confirmed addresses are taken.</p>
<p class="row"><code class="break">${token}</code>${copyButton('Copy the incoming email token', token)}</p>
<form method="post" action="${INCOMING_TOKEN_PAGE}/reset" data-turbo-confirm="Replace the token? Addresses that have it stop working.">${csrfField(ctx)}<button class="btn btn-danger">Replace the token</button></form>`,
    })
  },
})

export const replaceIncomingToken = formEndpoint({
  route: `POST ${INCOMING_TOKEN_PAGE}/reset`,
  summary: 'Replace one’s token of incoming mail',
  scope: inSelf,
  can: 'update_own',
  async run(ctx) {
    await resetIncomingToken(ctx, ctx.user.id)
    return done(ctx, INCOMING_TOKEN_PAGE, 'The incoming email token was replaced.')
  },
})
