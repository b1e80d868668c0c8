/** Sign-in by OAuth 2 at a service that has no id tokens: the code with PKCE, and then its API, which says whose token it is. */
import * as client from 'openid-client'
import Type, { type Static, type TObject } from 'typebox'
import { Value } from 'typebox/value'
import type { Context } from '../../../platform/kernel/context.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { type Claims, type Provider, ProviderFailed, type ProviderKind, secretSetting } from '../provider.ts'
import { asking, assertReachable, fetchFor } from './asking.ts'

/** The settings that all such services have. */
export const oauthSettings = {
  client_id: text('What it knows this server by', { minLength: 1 }),
  client_secret: secretSetting('Its secret'),
}

interface OauthSettings {
  readonly client_id: string
  readonly client_secret: { reveal(): string }
}

/** Reads an address of the service's API as the person. @throws ProviderFailed where the answer has another form */
export type AskApi = <S extends Type.TSchema>(path: string, form: S) => Promise<Static<S>>

interface Service<S> {
  /** Where its pages are, in `issuer` and the two endpoints, and where its API is. */
  places(settings: S): { readonly issuer: string; readonly authorize: string; readonly token: string; readonly api: string }
  scope(settings: S): string
  /** Who the person is. */
  person(ask: AskApi, settings: S): Promise<Claims>
}

/** Makes a kind of such a service. */
export function oauthKind<S extends TObject>(name: string, settings: S, service: Service<Static<S> & OauthSettings>): ProviderKind<S> {
  type Own = Provider<Static<S>>
  const own = (provider: Own) => provider.settings as Static<S> & OauthSettings
  const configured = ({ deps }: Context, provider: Own): client.Configuration => {
    const { client_id, client_secret } = own(provider)
    const { issuer, authorize, token } = service.places(own(provider))
    const server = { issuer, authorization_endpoint: authorize, token_endpoint: token }
    // It goes to the service that gave it.
    const configuration = new client.Configuration(server, client_id, {}, client.ClientSecretPost(client_secret.reveal()))
    configuration[client.customFetch] = fetchFor(deps.config, provider)
    if (provider.private_address) client.allowInsecureRequests(configuration)
    return configuration
  }
  return {
    name,
    settings,
    addresses: ['url'],
    async check({ config }, provider) {
      const { api } = service.places(own(provider))
      await assertReachable(config, provider, api)
      return { says: `${api} answers` }
    },
    byVisit: {
      begin: (ctx, provider, attempt) =>
        asking(provider, async () => ({
          location: client.buildAuthorizationUrl(configured(ctx, provider), {
            redirect_uri: attempt.callback,
            scope: service.scope(own(provider)),
            state: attempt.state,
            code_challenge: await client.calculatePKCECodeChallenge(attempt.derived('verifier')),
            code_challenge_method: 'S256',
          }).href,
        })),
      finish: (ctx, provider, attempt, answer) =>
        asking(provider, async () => {
          const configuration = configured(ctx, provider)
          const { access_token } = await client.authorizationCodeGrant(configuration, new URL(`${attempt.callback}?${answer}`), {
            pkceCodeVerifier: attempt.derived('verifier'),
            expectedState: attempt.state,
          })
          const { api } = service.places(own(provider))
          const ask: AskApi = async (path, form) => {
            const headers = new Headers({ accept: 'application/json' })
            const answered = await client.fetchProtectedResource(
              configuration,
              access_token,
              new URL(`${api}${path}`),
              'GET',
              null,
              headers,
            )
            const said: unknown = answered.status === 200 ? await answered.json().catch(() => undefined) : undefined
            if (Value.Check(form, said)) return said
            throw new ProviderFailed(`${provider.label} gave an answer that cannot be used. Try again later, or sign in another way.`, {
              cause: new Error(`${path} answered ${answered.status}`),
            })
          }
          return service.person(ask, own(provider))
        }),
    },
  }
}

/** Entries of a page of a list, and pages that are read of one at most. */
export const PER_PAGE = 100
const PAGES = 10

/** All entries of a list of the API, up to a thousand. */
export async function allOf<S extends Type.TSchema>(ask: AskApi, path: string, form: S): Promise<Static<S>[]> {
  const all: Static<S>[] = []
  for (let page = 1; page <= PAGES; page++) {
    const some = await ask(`${path}${path.includes('?') ? '&' : '?'}per_page=${PER_PAGE}&page=${page}`, Type.Array(form))
    all.push(...(some as Static<S>[]))
    if (some.length < PER_PAGE) break
  }
  return all
}
