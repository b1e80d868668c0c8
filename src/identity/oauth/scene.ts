/** Test scenes for OAuth: applications, users with a browser, and codes. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { Answer, Client, Person, Scene } from '../../../test/scene.ts'

export const password = 'a very long pass phrase'
export const callback = 'https://client.example.com/callback'

export interface App {
  readonly id: number
  readonly client_id: string
  readonly secret: string
}

/** A user with a signed-in browser; paths are relative to the server's root. */
export interface Surfer {
  readonly person: Person
  get(path: string, query?: Record<string, string>): Promise<Answer>
  /** Submits a form with this page's CSRF token. */
  submit(
    path: string,
    fields: Record<string, string> | readonly (readonly [name: string, value: string])[],
    headers?: Record<string, string>,
  ): Promise<Answer>
  readonly client: Client
}

export interface OAuthScene {
  /** Registers an application. */
  app(attributes?: Record<string, unknown>): Promise<App>
  /** Signs in a new user. */
  surfer(options?: { admin?: boolean }): Promise<Surfer>
  /** Grants access to the application; returns the query of the redirect URI. */
  authorize(surfer: Surfer, app: App, request?: Record<string, string>): Promise<URLSearchParams>
  /** Requests a token. */
  token(fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  /** An API client that sends the token as a bearer token. */
  bearer(token: string): Client
}

/** The `Authorization` header of a client. */
export const basic = ({ client_id, secret }: App) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`,
})

/** A PKCE verifier and its S256 challenge. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** The `Location` of a redirect. */
export function locationOf(answer: Answer): URL {
  assert.equal(answer.status, 303, `a redirect, not ${answer.status} ${JSON.stringify(answer.body)}`)
  return new URL(String(answer.headers.location))
}

/** OAuth in a scene. */
export function oauthScene(scene: Scene): OAuthScene {
  const address = (path: string) => `${scene.url}${path}`
  return {
    async app(attributes = {}) {
      const { status, body } = await scene.root.post('/applications', {
        name: 'Time sheet',
        redirect_uri: callback,
        scopes: 'api read_user sudo',
        ...attributes,
      })
      assert.equal(status, 201)
      return { id: body.id, client_id: body.application_id, secret: body.secret }
    },
    async surfer(options = {}) {
      const person = await scene.user({ password, ...options })
      const answer = await scene.anonymous.post(address('/users/sign_in'), new URLSearchParams({ login: person.username, password }))
      const cookie = String(answer.headers['set-cookie']).split(';')[0] as string
      const client = scene.as({ cookie })
      const home = await client.get(address('/'))
      const authenticity_token = /<meta name="csrf-token" content="([^"]+)">/.exec(home.body)?.[1] as string
      return {
        person,
        client,
        get: (path, query = {}) => client.get(address(path), query),
        submit(path, fields, headers) {
          const entries = Array.isArray(fields) ? fields : Object.entries(fields)
          return client.post(address(path), new URLSearchParams([['authenticity_token', authenticity_token], ...entries]), headers)
        },
      }
    },
    async authorize(surfer, app, request = {}) {
      const answer = await surfer.submit('/oauth/authorize', {
        client_id: app.client_id,
        redirect_uri: callback,
        response_type: 'code',
        decision: 'allow',
        ...request,
      })
      return locationOf(answer).searchParams
    },
    token: (fields, headers) => scene.anonymous.post(address('/oauth/token'), new URLSearchParams(fields), headers),
    bearer: token => scene.as({ authorization: `Bearer ${token}` }),
  }
}
