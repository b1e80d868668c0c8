/** Grants: exchange a code, a refresh token, a password or a client secret for an access token (RFC 6749 sections 4 and 6). */

import OAuth2Server from '@node-oauth/oauth2-server'
import type { ApplicationScope } from '../../../platform/access/credentials/token_scopes.ts'
import { applicationSettings } from '../../../platform/application_settings/queries.ts'
import { transactOnce } from '../../../platform/db/transact.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { whyInactive } from '../../../platform/kernel/request/authenticate.ts'
import { digestOf } from '../../../platform/kernel/secrets.ts'
import type { Secret } from '../../../platform/secret.ts'
import { accountByPassword, recordSignIn, whyNoSignIn } from '../../sessions/passwords.ts'
import { mayUsePassword } from '../../sessions/ways_in.ts'
import { whyPasswordIsNotEnough } from '../../two_factor/required.ts'
import type { UserRow } from '../../users/queries.ts'
import { type Client, clientOfRequest, DEVICE_GRANT } from '../clients.ts'
import { consumeCode, createToken, endToken, type FreshToken } from '../commands.ts'
import { exchangeDeviceCode } from '../devices/commands.ts'
import { idTokenOf } from '../openid/id_token.ts'
import { grantedScopes, type OAuthParams, protocolError, refusalOf, requestOf } from '../provider.ts'
import { lockedCode, lockedPerson, lockedRefreshToken } from '../queries.ts'
import { type OAuthLifetimes, refreshEnd } from './lifetimes.ts'
import { recordGrant, revokeReusedFamily } from './revocation.ts'

/**
 * Issues the requested token to a client. Opens its own transactions: a refused request still consumes its code, and a code or refresh
 * token that is used twice revokes the tokens that came from it.
 * @throws Refusal in the form of OAuth; 429 after too many passwords
 */
export async function issueToken(ctx: Context, params: OAuthParams & { grant_type: string }): Promise<FreshToken> {
  const client = await clientOfRequest(ctx, params)
  if (params.grant_type === DEVICE_GRANT) return exchangeDeviceCode(ctx, client, params.device_code ?? '')
  const user = await userOfRequest(ctx, params)
  const outcome = await transactOnce(ctx.deps.database.db, async db => {
    const settings = await applicationSettings(db)
    const grant = new Grant({ ...ctx, db }, client, user, settings)
    const server = new OAuth2Server({
      model: grant.model as unknown as OAuth2Server.ServerOptions['model'],
      accessTokenLifetime: settings.oauth_access_token_lifetime,
      // The client was authenticated above.
      requireClientAuthentication: { [params.grant_type]: false },
      ...plainChallenges,
    })
    const request = requestOf({ ...params, client_id: client.application?.uid ?? 'none', client_secret: undefined })
    const answer = await server.token(request, new OAuth2Server.Response()).then(() => grant.issued, protocolError)
    // A password grant is a sign-in.
    if (user && grant.issued) await recordSignIn({ ...ctx, db }, user, 'oauth')
    return answer
  })
  if (outcome instanceof OAuth2Server.OAuthError) throw refusalOf(outcome)
  if (!outcome) throw new Error('the library granted a token without saving it')
  return outcome
}

/** Enables PKCE's method `plain`; the library's types lack the option. */
export const plainChallenges: object = { enablePlainPKCE: true }

/** The user of a password grant. Outside of the transaction, because verifying the password takes time. */
async function userOfRequest(ctx: Context, { grant_type, username, password }: OAuthParams): Promise<UserRow | undefined> {
  if (grant_type !== 'password' || !username || !password) return undefined
  const account = await accountByPassword(ctx, username, password, 'oauth')
  if (!account || whyNoSignIn(account.user)) return undefined
  const { user, isKeptHere } = account
  // A token opens more than the page does: the setting for the page holds here too.
  if (isKeptHere && !(await mayUsePassword(ctx, user)))
    throw refusalOf(new OAuth2Server.InvalidGrantError('This server takes no passwords'))
  const reason = await whyPasswordIsNotEnough(ctx.db, user, ctx.now)
  if (reason !== undefined) throw refusalOf(new OAuth2Server.InvalidGrantError(reason))
  return user
}

/** The user of a token, null for a client that acts for itself; the library requires an object. */
interface Subject {
  readonly id: number | null
}

/** One token request: the storage model for the library, and its results. */
class Grant {
  /** The token, once it is stored. */
  issued: FreshToken | undefined
  readonly #ctx: Context
  readonly #client: Client
  readonly #user: UserRow | undefined
  readonly #settings: OAuthLifetimes
  /** The family of the new token. */
  #familyId: string | undefined
  #grantedAt: string | undefined
  #refreshedId: number | undefined
  #nonce: string | null = null
  /** When the user proved who they are: now, by their password, unless a code or refresh token says otherwise. */
  #authTime: string | Date | null

  constructor(ctx: Context, client: Client, user: UserRow | undefined, settings: OAuthLifetimes) {
    this.#ctx = ctx
    this.#client = client
    this.#user = user
    this.#settings = settings
    this.#authTime = user ? ctx.now : null
  }

  /** The model for the library, which calls the methods on an object of its own. */
  get model() {
    return {
      getClient: async () => this.#libraryClient(this.#client.application?.id ?? null),
      getAuthorizationCode: (code: string) => this.#code(code),
      revokeAuthorizationCode: async (code: { id: number }) => {
        await consumeCode(this.#ctx, code.id)
        return true
      },
      getRefreshToken: (token: string) => this.#refreshToken(token),
      // `saveToken` revokes the old token together with creating the new one: a refused request costs nothing.
      revokeToken: async () => true,
      getUser: async () => this.#person(),
      getUserFromClient: async (): Promise<Subject> => ({ id: null }),
      validateScope: async (_user: Subject, _client: unknown, scope: string[] | undefined) => grantedScopes(scope, this.#client.scopes),
      saveToken: (token: { refreshToken?: string; scope: ApplicationScope[] }, client: object, user: Subject) =>
        this.#save(token, client, user),
    }
  }

  /** The library compares clients by id: that of this request with that of a code or refresh token. */
  #libraryClient(applicationId: number | null) {
    return { id: String(applicationId), grants: [...this.#client.grants] }
  }

  /** The user of a password grant, unless the password was changed or the account blocked since it was checked. */
  async #person(): Promise<Subject | undefined> {
    const person = this.#user && (await lockedPerson(this.#ctx.db, this.#user))
    return person && !whyInactive(person) ? { id: person.id } : undefined
  }

  /** The id token of a user for an application; refreshed ones have no nonce (OpenID Connect Core 1.0 section 12.2). */
  async #idToken(userId: number | null, scopes: readonly ApplicationScope[]): Promise<Secret | undefined> {
    const audience = this.#client.application?.uid
    if (userId === null || audience === undefined) return undefined
    return idTokenOf(this.#ctx, { audience, userId, scopes, nonce: this.#nonce, authTime: this.#authTime })
  }

  async #code(secret: string) {
    const row = await lockedCode(this.#ctx.db, digestOf(secret))
    if (!row) return undefined
    if (row.used_at !== null) {
      await revokeReusedFamily(this.#ctx, row)
      return undefined
    }
    if (Date.parse(row.expires_at) <= this.#ctx.now.getTime() || whyInactive(row)) return undefined
    this.#familyId = row.family_id
    this.#nonce = row.nonce
    this.#authTime = row.auth_time
    return {
      id: row.id,
      authorizationCode: secret,
      expiresAt: new Date(row.expires_at),
      redirectUri: row.redirect_uri,
      scope: row.scopes,
      client: this.#libraryClient(row.application_id),
      user: { id: row.user_id } satisfies Subject,
      ...(row.code_challenge === null ? {} : { codeChallenge: row.code_challenge, codeChallengeMethod: row.code_challenge_method }),
    }
  }

  async #refreshToken(secret: string) {
    const row = await lockedRefreshToken(this.#ctx.db, digestOf(secret))
    if (!row) return undefined
    if (row.revoked_at !== null) {
      await revokeReusedFamily(this.#ctx, row)
      return undefined
    }
    if (refreshEnd(row, this.#settings) <= this.#ctx.now.getTime() || whyInactive(row)) return undefined
    this.#familyId = row.family_id
    this.#grantedAt = row.granted_at
    this.#refreshedId = row.id
    this.#authTime = row.auth_time
    return {
      refreshToken: secret,
      scope: row.scopes,
      client: this.#libraryClient(row.application_id),
      user: { id: row.user_id } satisfies Subject,
    }
  }

  /** The library's secrets are not used: only whether it generated a refresh token matters. */
  async #save({ refreshToken, scope }: { refreshToken?: string; scope: ApplicationScope[] }, client: object, user: Subject) {
    if (this.#refreshedId !== undefined) await endToken(this.#ctx, this.#refreshedId)
    const application_id = this.#client.application?.id ?? null
    const issued = await createToken(
      this.#ctx,
      {
        application_id,
        user_id: user.id,
        scopes: scope,
        refreshable: refreshToken !== undefined,
        family_id: this.#familyId,
        granted_at: this.#grantedAt,
        auth_time: this.#authTime,
      },
      this.#settings,
    )
    this.issued = { ...issued, id_token: await this.#idToken(user.id, scope) }
    if (user.id !== null && this.#refreshedId === undefined) await recordGrant(this.#ctx, this.#client.application, user.id, scope)
    return { accessToken: this.issued.access_token.reveal(), scope, client, user }
  }
}
