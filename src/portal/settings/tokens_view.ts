/** The HTML of a user's own settings: personal access tokens. */
import type { TProperties, TSchema } from 'typebox'
import { meaningOfScope, tokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { ByteAnswer } from '../../platform/kernel/declaration/endpoint.ts'
import { empty } from '../../platform/pages/components/empty.ts'
import { icon } from '../../platform/pages/components/icon.ts'
import { dataTable } from '../../platform/pages/components/table.ts'
import { csrfField } from '../../platform/pages/forms/declare.ts'
import { type FieldSpec, field } from '../../platform/pages/forms/fields.ts'
import type { messagesOf, Values } from '../../platform/pages/forms/form.ts'
import { page } from '../../platform/pages/frame/document.ts'
import { type Html, html } from '../../platform/pages/html.ts'
import type { FreshToken } from '../../spaces/tokens/commands.ts'
import type { TokenRow } from '../../spaces/tokens/queries.ts'
import { secretNotice } from '../things/secret_once.ts'
import { settingsPlace } from './place.ts'

/** The address of the page; its forms are sent to addresses below it. */
export const TOKENS_PAGE = '/-/profile/personal_access_tokens'

/** What is asked for a new token. */
export const tokenFields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', hint: 'What the token is for.', required: true },
  { name: 'expires_at', label: 'Last day before it expires', hint: 'Empty: it does not end.' },
  {
    name: 'scopes',
    label: 'What it may do',
    control: 'checkboxes',
    choices: tokenScopes.map(scope => [scope, html`<code>${scope}</code>`, meaningOfScope[scope]] as const),
    hint: '',
  },
]

/** What the page shows. */
interface Shown {
  readonly tokens: readonly TokenRow[]
  /** A new token, which is shown only this once. */
  readonly fresh?: FreshToken
  /** What the form for a new token begins with: programs link to it with the scopes that they need. */
  readonly proposed?: Values
  /** What was typed for a token that was not made, and what is wrong with it. */
  readonly refused?: { readonly values: Values } & ReturnType<typeof messagesOf>
}

/** A user's tokens and the form for a new one, which has these parameters. */
export const tokensPage = (ctx: Context, params: TProperties, { tokens, fresh, proposed, refused }: Shown): Promise<ByteAnswer> =>
  page(ctx, {
    title: 'Personal access tokens',
    place: settingsPlace('tokens'),
    width: 'medium',
    ...(refused && { status: 422 }),
    body: html`${refused && html`<div class="notice danger" role="alert">${icon('alert')}<span>${refused.alert ?? html`No token was made. <a href="#new-token">See what is wrong</a>.`}</span></div>`}
${fresh && secretNotice(fresh)}
${tokens.length === 0 ? empty({ icon: 'key', title: 'You have no tokens', says: 'A token lets a program act for you, within its scopes.' }) : tokenTable(ctx, tokens)}
<p class="small">Programs that read feeds take <a href="/-/profile/feed_token">your feed token</a>. Issues are made by mail with <a href="/-/profile/incoming_email_token">your incoming email token</a>.</p>
<section class="section" id="new-token"><h2>New token</h2>
<form method="post" action="${TOKENS_PAGE}" data-turbo="false">
${csrfField(ctx)}
${tokenFields.map(spec => field(spec, params[spec.name] as TSchema, { value: (refused?.values ?? proposed)?.[spec.name], wrong: refused?.wrong[spec.name] ?? [] }))}
<div class="row"><button class="btn btn-primary">Create token</button></div>
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
