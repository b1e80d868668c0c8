/** The HTML of a user's own settings: personal access tokens. */
import { meaningOfScope, tokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { FreshToken } from '../../spaces/tokens/commands.ts'
import type { TokenRow } from '../../spaces/tokens/queries.ts'

/** The address of the page; its forms are sent to addresses below it. */
export const TOKENS_PAGE = '/-/profile/personal_access_tokens'

/** A user's tokens and the form for a new one; a new token is shown only this once. */
export const tokensPage = (ctx: Context, tokens: readonly TokenRow[], fresh?: FreshToken): Promise<ByteAnswer> =>
  page(ctx, {
    title: 'Personal access tokens',
    body: html`${fresh && freshToken(fresh)}
${tokens.length === 0 ? html`<p>You have no tokens.</p>` : tokenTable(ctx, tokens)}
<h2>New token</h2>
<form method="post" action="${TOKENS_PAGE}">
${csrfField(ctx)}
<label for="name">Name</label>
<input id="name" name="name" maxlength="255" required>
<label for="expires_at">Last day before it expires (never when empty)</label>
<input id="expires_at" name="expires_at" type="date">
<fieldset>
<legend>What it may do</legend>
${tokenScopes.map(
  scope => html`<label class="choice"><input type="checkbox" name="scopes[]" value="${scope}"> <code>${scope}</code> ${meaningOfScope[scope]}</label>
`,
)}</fieldset>
<button>Create</button>
</form>`,
  })

const freshToken = ({ name, token }: FreshToken): Html =>
  html`<p role="status">Your new token “${name}” is <code>${token.reveal()}</code>. Copy it now: it is not shown again.</p>`

const tokenTable = (ctx: Context, tokens: readonly TokenRow[]): Html => html`<table>
<thead><tr><th scope="col">Name</th><th scope="col">Scopes</th><th scope="col">Expires</th><th scope="col">Last used</th><th scope="col">Revoke</th></tr></thead>
<tbody>${tokens.map(
  token => html`
<tr><td>${token.name}</td><td>${token.scopes.join(', ')}</td><td>${token.expires_at ?? 'never'}</td><td>${token.last_used_at?.slice(0, 10) ?? 'never'}</td>
<td><form method="post" action="${TOKENS_PAGE}/${token.id}/revoke">${csrfField(ctx)}<button class="quiet" aria-label="Revoke ${token.name}">Revoke</button></form></td></tr>`,
)}
</tbody>
</table>`
