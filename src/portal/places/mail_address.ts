/** The address by which one makes something in a project by mail, as a page. */
import { type MailedKind, mailedItemAddress } from '../../integrations/mailed_items/addresses.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Refusal, unauthenticated } from '../../platform/kernel/errors.ts'
import { copyButton } from '../../platform/pages/components/copy.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import { projectPlace } from '../../spaces/projects/pages/place.ts'
import type { ProjectWithRole } from '../../spaces/projects/scope.ts'
import { INCOMING_TOKEN_PAGE } from '../settings/incoming_email_token.ts'

interface Mailed {
  readonly kind: MailedKind
  readonly title: string
  readonly tab: 'issues' | 'merge_requests'
  /** What becomes of a mail. */
  readonly says: Html
}

/** The page with the address. @throws Refusal 404 where the instance takes no mail */
export async function mailAddressPage(ctx: Context & { readonly project: ProjectWithRole }, { kind, title, tab, says }: Mailed) {
  const { user } = ctx.actor
  if (!user) throw unauthenticated()
  const address = await mailedItemAddress(ctx, ctx.project, user.id, kind)
  if (address === undefined) throw new Refusal('not_found', { message: '404 Not found: this instance takes no mail' })
  return page(ctx, {
    title,
    place: projectPlace(ctx.actor, ctx.project, tab),
    width: 'medium',
    body: html`${says}
<p class="row"><code class="break">${address}</code>${copyButton('Copy the address', address)}</p>
<p class="muted">Send it from an address that is confirmed in your settings: mails of others to it are not taken. Keep it to yourself all the same, or <a href="${INCOMING_TOKEN_PAGE}">replace it</a>.</p>`,
  })
}
