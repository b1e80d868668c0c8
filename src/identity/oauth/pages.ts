/** The consent page. */
import { meaningOfScope } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { html } from '../../platform/pages/html.ts'
import type { Proposal } from './authorization.ts'
import type { OAuthParams } from './provider.ts'

/** Asks the user; the form repeats the request, which is validated again when it is submitted. */
export const consentPage = (ctx: Context, { application, redirectUri, scopes }: Proposal, params: OAuthParams): Promise<ByteAnswer> =>
  page(ctx, {
    title: `Authorize ${application.name}?`,
    formLeadsAway: true,
    width: 'medium',
    body: html`<p><strong>${application.name}</strong> wants to use Ingot as <strong>${ctx.actor.user?.username}</strong>. It could then:</p>
<ul>${scopes.map(scope => html`<li>${meaningOfScope[scope]} (<code>${scope}</code>)</li>`)}</ul>
<p>You will be sent to <code>${new URL(redirectUri).origin === 'null' ? redirectUri : new URL(redirectUri).origin}</code>.</p>
<form method="post" action="/oauth/authorize" data-turbo="false">
${csrfField(ctx)}
${Object.entries(params).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="row"><button class="btn btn-primary" name="decision" value="allow">Authorize</button>
<button class="btn" name="decision" value="deny">Deny</button></div>
</form>`,
  })
