/** The OAuth 2.0 provider: RFC 6749 with PKCE (RFC 7636), revocation (RFC 7009) and introspection (RFC 7662). */
import { endpoint, one } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { OneOf, optional, text } from '../../platform/kernel/declaration/types.ts'
import { bearerToken } from '../../platform/kernel/request/authenticate.ts'
import { digestOf } from '../../platform/kernel/secrets.ts'
import { pairsOf } from '../../platform/pages/forms/confirm.ts'
import { formEndpoint, pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { redirect } from '../../platform/pages/frame/document.ts'
import { decide, propose } from './authorization.ts'
import { authenticateClient, grantTypes, invalidClient } from './clients.ts'
import { revokeToken } from './commands.ts'
import { invalidToken, oauth } from './dialect.ts'
import { Introspection, isAlive, Revoked, TokenAnswer, TokenInfo } from './entity.ts'
import { issueToken } from './grants/grants.ts'
import { consentPage } from './pages.ts'
import { tokenByAccess } from './queries.ts'

const optionalText = (description: string) => optional(text(description, { maxLength: 4096 }))

const client = {
  client_id: optionalText('The application; or by Basic authentication'),
  client_secret: optionalText('Its secret, when it is confidential'),
}

/**
 * The parameters of an authorization request. Only `client_id` is required here: errors in the others are sent to the application by
 * redirect.
 */
const request = {
  client_id: text('The application', { maxLength: 4096, examples: ['unknown'] }),
  redirect_uri: optionalText('Where to send the browser afterwards; needed when the application has several'),
  response_type: optionalText('`code`'),
  scope: optionalText('Scopes with spaces between'),
  state: optionalText('Comes back as it is'),
  code_challenge: optionalText('PKCE; needed by public clients'),
  code_challenge_method: optionalText('`S256`, or `plain` (default), which public clients may not use'),
  nonce: optionalText('Comes back in the id token'),
  prompt: optionalText('`none`: never ask; `login`: ask who it is; `consent`: ask again; several with spaces between'),
  max_age: optionalText('Seconds since the person proved who they are; longer ago they do it again'),
  request: optionalText('Not supported'),
  request_uri: optionalText('Not supported'),
}

/** The request parameters among all fields of a form. */
const requestIn = (params: { readonly [name in keyof typeof request]?: string | undefined }) =>
  Object.fromEntries(Object.keys(request).map(name => [name, params[name as keyof typeof request]]))

export const showAuthorization = pageEndpoint({
  route: 'GET /oauth/authorize',
  summary: 'Ask the person whether an application may act for them',
  scope: inInstance,
  // Without a session too: an application may ask for an error in place of the sign-in page (`prompt=none`).
  can: 'read_instance',
  params: request,
  async run(ctx) {
    const params = requestIn(ctx.params)
    const outcome = await propose(ctx, params)
    return 'proposal' in outcome ? consentPage(ctx, outcome.proposal, params) : redirect(outcome.returnTo)
  },
})

export const decideAuthorization = formEndpoint({
  route: 'POST /oauth/authorize',
  summary: 'Let an application act for oneself, or not',
  scope: inInstance,
  can: 'use_instance',
  params: { ...request, decision: OneOf(['allow', 'deny'], { description: '`allow` or `deny`', examples: ['deny'] }) },
  confirms: {
    formAt(sent) {
      const asked = pairsOf(sent).filter(([name]) => name in request)
      return `/oauth/authorize?${new URLSearchParams(asked.map(pair => [...pair]))}`
    },
  },
  run: async ctx => redirect(await decide(ctx, requestIn(ctx.params), ctx.params.decision === 'allow')),
})

export const createAccessToken = endpoint({
  route: 'POST /oauth/token',
  summary: 'Get an access token',
  scope: inInstance,
  can: 'read_instance',
  anonymous: true,
  dialect: oauth,
  writes: 'own',
  params: {
    grant_type: text(grantTypes.join(', '), { maxLength: 255, examples: ['client_credentials'] }),
    ...client,
    code: optionalText('Of the authorization'),
    device_code: optionalText('Of a device'),
    redirect_uri: optionalText('The same as in the authorization request'),
    code_verifier: optionalText('Of PKCE'),
    refresh_token: optionalText('Of the token to replace'),
    username: optionalText('Username or email'),
    password: optionalText('Of the person'),
    scope: optionalText('Scopes with spaces between'),
  },
  answers: one(TokenAnswer, 200),
  run: ctx => issueToken(ctx, ctx.params),
})

export const revokeAccessToken = endpoint({
  route: 'POST /oauth/revoke',
  summary: 'Revoke a token',
  scope: inInstance,
  can: 'read_instance',
  anonymous: true,
  dialect: oauth,
  params: {
    token: text('Access or refresh token; the other one ends with it', { maxLength: 4096, examples: ['unknown'] }),
    token_type_hint: optionalText('Not needed'),
    ...client,
  },
  answers: one(Revoked, 200),
  async run(ctx) {
    await revokeToken(ctx, ctx.params)
    return {}
  },
})

export const introspectToken = endpoint({
  route: 'POST /oauth/introspect',
  summary: 'Tell a confidential client about one of its access tokens',
  scope: inInstance,
  can: 'read_instance',
  anonymous: true,
  dialect: oauth,
  params: {
    token: text('Access token', { maxLength: 4096, examples: ['unknown'] }),
    token_type_hint: optionalText('Not needed'),
    ...client,
  },
  answers: one(Introspection, 200),
  async run(ctx) {
    const application = await authenticateClient(ctx, ctx.params)
    if (!application?.confidential) throw invalidClient(ctx)
    const row = await tokenByAccess(ctx.db, digestOf(ctx.params.token))
    return { row: row && row.application_id === application.id && isAlive(row, ctx.now) ? row : undefined }
  },
})

export const getTokenInfo = endpoint({
  route: 'GET /oauth/token/info',
  summary: 'Get what the token of this request is',
  scope: inInstance,
  can: 'read_instance',
  dialect: oauth,
  params: { access_token: optionalText('The token; or by `Authorization: Bearer`') },
  answers: one(TokenInfo),
  async run(ctx) {
    const token = bearerToken(ctx.request.headers) ?? ctx.params.access_token ?? ''
    const row = await tokenByAccess(ctx.db, digestOf(token))
    if (!row || !isAlive(row, ctx.now)) throw invalidToken()
    return row
  },
})
