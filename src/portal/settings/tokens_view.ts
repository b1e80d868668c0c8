/** The HTML of a user's own settings: personal access tokens. */
import { meaningOfScope, tokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { FreshToken } from '../../spaces/tokens/commands.ts'
import type { TokenRow } from '../../spaces/tokens/queries.ts'
import { secretNotice } from '../things/secret_once.ts'
import { settingsPlace } from './place.ts'

/** The address of the page; its forms are sent to addresses below it. */
export const TOKENS_PAGE = '/-/profile/personal_access_tokens'

/** A user's tokens and the form for a new one; a new token is shown only this once. */
export const tokensPage = (ctx: Context, tokens: readonly TokenRow[], fresh?: FreshToken): Promise<ByteAnswer> =>
  page(ctx, {
    title: 'Personal access tokens',
    place: settingsPlace('tokens'),
    width: 'medium',
    body: html`${fresh && secretNotice(fresh)}
${tokens.length === 0 ? empty({ icon: 'key', title: 'You have no tokens', says: 'A token lets a program act for you, within its scopes.' }) : tokenTable(ctx, tokens)}
<p class="small">Programs that read feeds take <a href="/-/profile/feed_token">your feed token</a>. Issues are made by mail with <a href="/-/profile/incoming_email_token">your incoming email token</a>.</p>
<section class="section"><h2>New token</h2>
<form method="post" action="${TOKENS_PAGE}" data-turbo="false">
${csrfField(ctx)}
<div class="field"><label for="name">Name</label><input class="form-control" id="name" name="name" maxlength="255" required></div>
<div class="field"><label for="expires_at">Last day before it expires <span class="muted small">(optional)</span></label><input class="form-control" id="expires_at" name="expires_at" type="date"></div>
<fieldset><legend>What it may do</legend>
${tokenScopes.map(scope => html`<label class="choice"><input type="checkbox" name="scopes[]" value="${scope}"> <code>${scope}</code> ${meaningOfScope[scope]}</label>`)}</fieldset>
<button class="btn btn-primary">Create token</button>
</form></section>`,
  })

const tokenTable = (ctx: Context, tokens: readonly TokenRow[]): Html =>
  dataTable({
    label: 'Your tokens',
    rows: tokens,
    columns: [
      { title: 'Name', cell: ({ name }) => name },
      { title: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
      { title: 'Expires', cell: ({ expires_at }) => expires_at ?? 'never' },
      { title: 'Last used', cell: ({ last_used_at }) => last_used_at?.slice(0, 10) ?? 'never' },
      {
        title: 'Change',
        cell: token =>
          html`<div class="row"><form method="post" action="${TOKENS_PAGE}/${token.id}/rotate" data-turbo="false">${csrfField(ctx)}<button class="btn btn-sm" aria-label="Rotate ${token.name}" title="A new token in its place, which ends in a week">Rotate</button></form><form method="post" action="${TOKENS_PAGE}/${token.id}/revoke" data-turbo-confirm="Revoke ${token.name}?">${csrfField(ctx)}<button class="btn btn-sm btn-danger" aria-label="Revoke ${token.name}">Revoke</button></form></div>`,
      },
    ],
  })
