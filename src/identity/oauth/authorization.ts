/**
 * The authorization endpoint: a user lets an application act for them, and the application gets a code (RFC 6749 section 4.1, RFC 7636).
 */
import OAuth2Server from '@node-oauth/oauth2-server'
import { isImpersonated } from '../../platform/access/actor.ts'
import { type ApplicationScope, opensWork } from '../../platform/access/credentials/token_scopes.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { badRequest, forbidden, Unconfirmed, unauthenticated } from '../../platform/kernel/errors.ts'
import { newLongToken } from '../../platform/kernel/secrets.ts'
import { assertConfirmed } from '../../platform/pages/forms/confirm.ts'
import { type ApplicationRow, applicationByUid } from '../applications/queries.ts'
import { isRegistered, redirectUrisOf } from '../applications/redirect_uris.ts'
import { clientOf } from './clients.ts'
import { CODE_LIFETIME, saveCode } from './commands.ts'
import { plainChallenges } from './grants/grants.ts'
import { authTimeOf, type Demand, demandOf, isTooLongAgo } from './openid/demand.ts'
import { grantedScopes, type OAuthParams, protocolError, requestOf } from './provider.ts'
import { hasConsented } from './queries.ts'

/** The content of the consent page. */
export interface Proposal {
  readonly application: ApplicationRow
  readonly redirectUri: string
  readonly scopes: readonly ApplicationScope[]
}

/** The result of an authorization request: a consent page, or a redirect to the application. */
export type Outcome = { readonly proposal: Proposal } | { readonly returnTo: string }

/** The form of a code challenge (RFC 7636 section 4.2). */
const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * Validates an authorization request without granting anything: a dry run with a model that stores nothing, so that the proposal and the
 * grant pass the same checks. A trusted application gets its code immediately, and so does one that keeps a secret and has a valid grant
 * with the same scopes.
 * @throws Refusal 400 when the application or its redirect URI is wrong: then no redirect is allowed
 */
export async function propose(ctx: Context, params: OAuthParams): Promise<Outcome> {
  const isSilent = params.prompt?.split(' ').includes('none') === true
  if (!ctx.actor.user && !isSilent) throw unauthenticated()
  const authorization = new Authorization(ctx, params)
  const returnTo = await authorization.run(async () => {})
  const { proposal } = authorization
  if (returnTo !== undefined || !proposal) return { returnTo: returnTo as string }
  const missing = await missingFor(ctx, proposal, demandOf(params))
  if (!missing) return { returnTo: await issue(ctx, params, { agreed: true, isAsked: false }) }
  return isSilent ? { returnTo: authorization.back(missing) } : { proposal }
}

/** What the user has to do before the application gets a code, as the error of a request that must not ask them; undefined: nothing. */
async function missingFor(ctx: Context, { application, scopes }: Proposal, demand: Demand) {
  const { actor, now } = ctx
  if (!actor.user || isImpersonated(actor) || isTooLongAgo(demand, actor, now))
    return { error: 'login_required', error_description: 'The user has to sign in' }
  const isAgreed =
    application.trusted || (application.confidential && (await hasConsented(ctx.db, actor.user.id, application.id, scopes, now)))
  if (isAgreed && !demand.consent) return undefined
  return { error: 'consent_required', error_description: 'The user has to agree' }
}

/**
 * Issues a code to the application, or returns the denial of the user to it.
 * @returns where the browser goes: the application's redirect URI with `code` or `error`
 * @throws Unconfirmed where what is granted needs a confirmation that was not given lately
 */
export const decide = (ctx: Context, params: OAuthParams, agreed: boolean): Promise<string> => issue(ctx, params, { agreed, isAsked: true })

interface Decision {
  readonly agreed: boolean
  /** Did the user just decide, on the page? Else the application is trusted, or they agreed to the same before. */
  readonly isAsked: boolean
}

async function issue(ctx: Context, params: OAuthParams, { agreed, isAsked }: Decision): Promise<string> {
  // What is granted would go on when the administrator has stopped.
  if (isImpersonated(ctx.actor)) throw forbidden('Only the user themselves gives access to an application.')
  const authorization = new Authorization(ctx, { ...params, allowed: String(agreed) })
  const { actor, now } = ctx
  const code = newLongToken()
  const refused = await authorization.run(({ application, redirectUri, scopes }, challenge) => {
    if (isTooLongAgo(demandOf(params), actor, now)) throw new Unconfirmed()
    // What is granted lasts, as a token does that one makes oneself. To sign in with an application nobody is asked.
    if (isAsked && !application.trusted && opensWork(scopes)) assertConfirmed(ctx)
    return saveCode(ctx, {
      code,
      application_id: application.id,
      user_id: personOf(ctx).id,
      redirect_uri: redirectUri,
      scopes,
      code_challenge: challenge?.value ?? null,
      code_challenge_method: challenge?.method ?? null,
      nonce: params.nonce || null,
      auth_time: authTimeOf(actor, now),
    })
  })
  return refused ?? authorization.back({ code: code.reveal() })
}

function personOf({ actor }: Context) {
  if (!actor.user) throw unauthenticated()
  return actor.user
}

interface Challenge {
  readonly value: string
  readonly method: string
}

/** One authorization request: the storage model for the library, and its results. */
class Authorization {
  /** The requested access, once it has passed every check. */
  proposal: Proposal | undefined
  readonly #ctx: Context
  readonly #params: OAuthParams
  #application: ApplicationRow | undefined

  constructor(ctx: Context, params: OAuthParams) {
    this.#ctx = ctx
    this.#params = params
  }

  /**
   * Runs the library's checks and then `save`.
   * @returns the redirect with the error, for an error that the application receives; undefined if all is well
   */
  async run(save: (proposal: Proposal, challenge: Challenge | undefined) => Promise<void>): Promise<string | undefined> {
    const server = new OAuth2Server({ model: this.#model(save) as unknown as OAuth2Server.ServerOptions['model'] })
    const response = new OAuth2Server.Response()
    const options = {
      allowEmptyState: true,
      authorizationCodeLifetime: CODE_LIFETIME,
      // Without a user nothing is granted: `propose` only looks, and `decide` asks for them.
      authenticateHandler: { handle: () => this.#ctx.actor.user ?? {} },
      ...plainChallenges,
    }
    const error = await server.authorize(requestOf(this.#params), response, options).then(() => undefined, protocolError)
    if (!error) return undefined
    // The library redirects if and only if application and redirect URI are right (RFC 6749 section 4.1.2.1).
    if (response.status !== 302) throw badRequest(error.message)
    return this.back({ error: error.name, error_description: error.message })
  }

  /** The redirect URI with these parameters, the client's `state`, and who answers (RFC 9207); the library's own method drops an existing query. */
  back(answer: Readonly<Record<string, string>>): string {
    const url = new URL(this.#redirectUri())
    const { state } = this.#params
    for (const [name, value] of Object.entries({ ...answer, ...(state ? { state } : {}), iss: this.#ctx.url }))
      url.searchParams.set(name, value)
    return url.href
  }

  #redirectUri(): string {
    return this.#params.redirect_uri || (redirectUrisOf(this.#application?.redirect_uri ?? '')[0] as string)
  }

  #model(save: (proposal: Proposal, challenge: Challenge | undefined) => Promise<void>) {
    return {
      getClient: (uid: string) => this.#client(uid),
      validateRedirectUri: async (uri: string, client: { redirectUris: string[] }) => isRegistered(uri, client.redirectUris),
      validateScope: async (_user: unknown, { scopes }: { scopes: readonly ApplicationScope[] }, scope: string[] | undefined) =>
        grantedScopes(scope, scopes),
      saveAuthorizationCode: async (
        code: { scope: ApplicationScope[]; codeChallenge?: string; codeChallengeMethod?: string },
        client: object,
      ) => {
        demandOf(this.#params)
        const challenge = this.#challengeOf(code)
        this.proposal = { application: this.#application as ApplicationRow, redirectUri: this.#redirectUri(), scopes: code.scope }
        await save(this.proposal, challenge)
        return { ...code, client }
      },
    }
  }

  async #client(uid: string) {
    const application = await applicationByUid(this.#ctx.db, uid)
    if (!application) return undefined
    this.#application = application
    const redirectUris = redirectUrisOf(application.redirect_uri)
    if (!this.#params.redirect_uri && redirectUris.length > 1)
      throw new OAuth2Server.InvalidRequestError('Missing parameter: `redirect_uri`, since the application has several')
    const { grants, scopes } = clientOf(application)
    return { id: uid, grants: [...grants], scopes, redirectUris }
  }

  /** The PKCE challenge; a client that cannot keep a secret must send one (RFC 9700 section 2.1.1). */
  #challengeOf({ codeChallenge, codeChallengeMethod = 'plain' }: { codeChallenge?: string; codeChallengeMethod?: string }) {
    if (codeChallenge === undefined) {
      if (this.#application?.confidential) return undefined
      throw new OAuth2Server.InvalidRequestError('Missing parameter: `code_challenge`, which public clients need')
    }
    // Without a secret only the challenge protects the code, and a plain one can be read wherever the code can (RFC 9700 section 2.1.1).
    if (codeChallengeMethod === 'plain' && !this.#application?.confidential)
      throw new OAuth2Server.InvalidRequestError('Invalid parameter: `code_challenge_method` must be `S256` for public clients')
    if (!CHALLENGE.test(codeChallenge)) throw new OAuth2Server.InvalidRequestError('Invalid parameter: `code_challenge`')
    return { value: codeChallenge, method: codeChallengeMethod }
  }
}
