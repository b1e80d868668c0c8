/** Pages for a user's own settings, on top of the commands of the API. */
import Type from 'typebox'
import { inSelf } from '../../identity/users/scope.ts'
import { tokenScopes } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { Day, described, OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { Wire } from '../../platform/kernel/request/wire.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { messagesOf, valuesOf, withoutEmpty } from '../../platform/pages/forms/form.ts'
import { done } from '../../platform/pages/frame/document.ts'
import { createToken, revokeToken, rotateToken } from '../../spaces/tokens/commands.ts'
import { personalTokens } from '../../spaces/tokens/queries.ts'
import { inPersonalAccessToken } from '../../spaces/tokens/scope.ts'
import { TOKENS_PAGE, tokenFields, tokensPage } from './tokens_view.ts'

const params = {
  name: text('Name', { minLength: 1, maxLength: 255, examples: ['backup'] }),
  scopes: described(
    'What the token may be used for',
    Type.Array(OneOf(tokenScopes), { minItems: 1, maxItems: 20, examples: [['read_api']] }),
  ),
  expires_at: optional(Day('Last day')),
}

/** Boxes send an empty scope before those that are ticked. */
function withoutEmptyScopes(sent: Wire): Wire {
  const { scopes, ...others } = withoutEmpty(sent)
  const ticked = Array.isArray(scopes) ? scopes.filter(scope => scope !== '') : scopes
  return ticked === undefined || (Array.isArray(ticked) && ticked.length === 0) ? others : { ...others, scopes: ticked }
}

/** The tokens of a user that are not revoked. */
const tokensOf = (ctx: Pick<Context, 'db'>, userId: number) => personalTokens(ctx.db, userId).where('revoked', '=', false).execute()

export const showTokens = pageEndpoint({
  route: `GET ${TOKENS_PAGE}`,
  summary: 'Show one’s personal access tokens',
  scope: inSelf,
  can: 'update_own',
  params: {
    name: optional(text('Name that the form for a new token proposes', { maxLength: 255, examples: ['backup'] })),
    scopes: optional(
      text('Scopes that the form ticks, separated by commas; those that do not exist are left out', { maxLength: 1024, examples: ['api'] }),
    ),
  },
  async run(ctx) {
    const { name = '', scopes = '' } = ctx.params
    const ticked = scopes.split(',').map(scope => scope.trim())
    const proposed = { name, scopes: tokenScopes.filter(scope => ticked.includes(scope)) }
    return tokensPage(ctx, params, { tokens: await tokensOf(ctx, ctx.user.id), proposed })
  },
})

export const submitToken = formEndpoint({
  route: `POST ${TOKENS_PAGE}`,
  summary: 'Create a personal access token for oneself',
  scope: inSelf,
  can: 'add_own_credential',
  confirms: true,
  params,
  sent: withoutEmptyScopes,
  async run(ctx) {
    const { name, scopes, expires_at } = ctx.params
    const fresh = await createToken(ctx, ctx.user.id, { name, scopes, expires_at })
    return tokensPage(ctx, params, { tokens: await tokensOf(ctx, ctx.user.id), fresh })
  },
  refused: async (ctx, refusal, sent) =>
    tokensPage(ctx, params, {
      tokens: await tokensOf(ctx, ctx.user.id),
      refused: { values: valuesOf(sent), ...messagesOf(refusal, tokenFields) },
    }),
})

export const submitRotation = formEndpoint({
  route: `POST ${TOKENS_PAGE}/:id/rotate`,
  summary: 'Put a new personal access token in the place of one’s own',
  scope: inPersonalAccessToken,
  can: 'renew_own_credential',
  confirms: true,
  async run(ctx) {
    const fresh = await rotateToken(ctx, ctx.token, undefined)
    return tokensPage(ctx, params, { tokens: await tokensOf(ctx, ctx.token.user_id), fresh })
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
    return done(ctx, TOKENS_PAGE, 'The token was revoked: it opens nothing any more.')
  },
})
