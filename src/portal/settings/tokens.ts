/** Pages for a user's own settings, on top of the commands of the API. */
import Type from 'typebox'
import { inSelf } from '../../identity/users/scope.ts'
import { tokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import { Day, described, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { redirect } from '../../platform/pages/frame/document.ts'
import { createToken, revokeToken, rotateToken } from '../../spaces/tokens/commands.ts'
import { personalTokens } from '../../spaces/tokens/queries.ts'
import { inPersonalAccessToken } from '../../spaces/tokens/scope.ts'
import { TOKENS_PAGE, tokensPage } from './tokens_view.ts'

export const showTokens = pageEndpoint({
  route: `GET ${TOKENS_PAGE}`,
  summary: 'Show one’s personal access tokens',
  scope: inSelf,
  can: 'update_own',
  run: async ctx => tokensPage(ctx, await personalTokens(ctx.db, ctx.user.id).where('revoked', '=', false).execute()),
})

export const submitToken = formEndpoint({
  route: `POST ${TOKENS_PAGE}`,
  summary: 'Create a personal access token for oneself',
  scope: inSelf,
  can: 'add_own_credential',
  confirms: true,
  params: {
    name: text('Name', { minLength: 1, maxLength: 255, examples: ['backup'] }),
    scopes: described(
      'What the token may be used for',
      Type.Array(OneOf(tokenScopes), { minItems: 1, maxItems: 20, examples: [['read_api']] }),
    ),
    // A form also sends empty fields.
    expires_at: optional(Type.Union([Type.Literal(''), Day('A day')], { description: 'Last day; empty: never' })),
  },
  async run(ctx) {
    const { name, scopes, expires_at } = ctx.params
    const fresh = await createToken(ctx, ctx.user.id, { name, scopes, expires_at: expires_at || undefined })
    return tokensPage(ctx, await personalTokens(ctx.db, ctx.user.id).where('revoked', '=', false).execute(), fresh)
  },
})

export const submitRotation = formEndpoint({
  route: `POST ${TOKENS_PAGE}/:id/rotate`,
  summary: 'Put a new personal access token in the place of one’s own',
  scope: inPersonalAccessToken,
  can: 'renew_own_credential',
  confirms: true,
  async run(ctx) {
    const fresh = await rotateToken(ctx, ctx.token, undefined)
    return tokensPage(ctx, await personalTokens(ctx.db, ctx.token.user_id).where('revoked', '=', false).execute(), fresh)
  },
})

export const submitRevocation = formEndpoint({
  route: `POST ${TOKENS_PAGE}/:id/revoke`,
  summary: 'Revoke one of one’s personal access tokens',
  scope: inPersonalAccessToken,
  can: 'update_own',
  confirms: true,
  async run(ctx) {
    await revokeToken(ctx, ctx.token)
    return redirect(TOKENS_PAGE)
  },
})
