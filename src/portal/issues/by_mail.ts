/** The address by which one makes issues of a project by mail. */
import { mailedItemAddress } from '../../integrations/mailed_items/addresses.ts'
import { Refusal, unauthenticated } from '../../platform/kernel/errors.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { INCOMING_TOKEN_PAGE } from '../settings/incoming_email_token.ts'

export const showIssueAddress = pageEndpoint({
  route: 'GET /:project_path/-/issues/by_mail',
  summary: 'Show one’s address for new issues by mail',
  scope: inProjectPage,
  can: 'create_issue',
  errors: ['not_found'],
  async run(ctx) {
    const { user } = ctx.actor
    if (!user) throw unauthenticated()
    const address = await mailedItemAddress(ctx, ctx.project, user.id)
    if (address === undefined) throw new Refusal('not_found', { message: '404 Not found: this instance takes no mail' })
    return page(ctx, {
      title: 'New issue by mail',
      place: projectPlace(ctx.actor, ctx.project, 'issues'),
      width: 'medium',
      body: html`<p>A mail to this address becomes an issue of this project, written by you. The subject is its title, the text its description (with Markdown and quick actions), and attached files are uploaded.</p>
<p class="row"><code class="break">${address}</code>${copyButton('Copy the address', address)}</p>
<p class="muted">Send it from an address that is confirmed in your settings: mails of others to it are not taken. Keep it to yourself all the same, or <a href="${INCOMING_TOKEN_PAGE}">replace it</a>.</p>`,
    })
  },
})
