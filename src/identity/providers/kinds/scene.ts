/** For tests: sign-in providers on this machine, their file, and a browser that goes there and back. */
import assert from 'node:assert/strict'
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import OidcProvider from 'oidc-provider'
import { atEnd } from '../../../../test/at_end.ts'
import type { Answer } from '../../../../test/client.ts'
import { testFolder } from '../../../../test/folder.ts'
import type { Scene } from '../../../../test/scene.ts'

/** A server on a free port until the file ends. */
export async function listening(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Writes the file of providers; the path is what the setting names. */
export async function providersFile(providers: readonly object[]): Promise<string> {
  const path = join(await testFolder(), 'providers.json')
  await writeFile(path, JSON.stringify({ providers }))
  return path
}

/** Claims of a person, by their subject. */
export type People = Record<string, Record<string, unknown>>

export const CLIENT = { client_id: 'ingot', client_secret: 'a secret of the client' } as const

/** A real OpenID Connect provider, which asks for the name of a person on a page. */
export interface OpenidProvider {
  readonly issuer: string
  readonly people: People
  /** The address that browsers are sent back to; known once the server listens. */
  redirectTo(url: string, name: string): void
}

/** Starts one. */
export async function openOpenidProvider(people: People): Promise<OpenidProvider> {
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end()
  const issuer = await listening((request, response) => handle(request, response))
  const redirectTo = (url: string, name: string) => {
    const provider = providerAt(issuer, people, url, name)
    handle = (request, response) =>
      request.url?.startsWith('/interaction/') ? void interact(provider, people, request, response) : provider.callback()(request, response)
  }
  return { issuer, people, redirectTo }
}

function providerAt(issuer: string, people: People, url: string, name: string): OidcProvider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new OidcProvider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [`${url}/users/auth/${name}/callback`],
        post_logout_redirect_uris: [`${url}/users/sign_in`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['for signatures of cookies'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'preferred_username', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_ctx: unknown, sub: string) =>
      people[sub] && { accountId: sub, claims: async () => ({ ...people[sub], sub: people[sub]?.sub ?? sub }) },
    loadExistingGrant: async ({
      oidc,
    }: {
      oidc: { provider: OidcProvider; session: { accountId: string }; client: { clientId: string } }
    }) => {
      const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
}

/** The page on which the provider asks who one is. */
async function interact(provider: OidcProvider, people: People, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const login = new URL(request.url ?? '', 'http://provider').searchParams.get('login')
  if (login !== null && people[login]) {
    await provider.interactionFinished(request, response, { login: { accountId: login } })
    return
  }
  const { uid } = await provider.interactionDetails(request, response)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    `<!doctype html><html lang="en"><title>Company sign-in</title><form action="/interaction/${uid}"><label>Name <input name="login" autofocus></label> <button>Sign in to the company</button></form>`,
  )
}

/** A browser with the cookies of all hosts of this machine together, by their names. */
export class Browser {
  readonly #scene: Scene
  readonly cookies = new Map<string, string>()

  constructor(scene: Scene) {
    this.#scene = scene
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep(headers: readonly string[]): void {
    for (const header of headers) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(header)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }

  #kept(answer: Answer): Answer {
    const header = answer.headers['set-cookie']
    if (header !== undefined) this.#keep([header])
    return answer
  }

  async get(path: string): Promise<Answer> {
    const address = path.startsWith('http') ? path : `${this.#scene.url}${path}`
    return this.#kept(await this.#scene.anonymous.get(address, {}, { cookie: this.cookie }))
  }

  async post(path: string, fields: Record<string, string> = {}): Promise<Answer> {
    return this.#kept(await this.#scene.anonymous.post(`${this.#scene.url}${path}`, new URLSearchParams(fields), { cookie: this.cookie }))
  }

  /** Sends a form of a page of ours, with its token. */
  async send(page: string, path: string, fields: Record<string, string> = {}): Promise<Answer> {
    const token = /<meta name="csrf-token" content="([^"]+)">/.exec((await this.get(page)).body)?.[1]
    return this.post(path, { ...fields, ...(token === undefined ? {} : { authenticity_token: token }) })
  }

  /** Presses the button of a provider, and returns the address that it leads to. */
  async leave(name: string, redirect = '/'): Promise<URL> {
    return departureOf(await this.post(`/users/auth/${name}`, { redirect }))
  }

  /** Follows the redirects of a provider, as this person, to the address that it sends back to. */
  async visit(address: URL, login: string): Promise<string> {
    let at = address
    for (let step = 0; step < 10; step++) {
      if (at.pathname.startsWith('/interaction/')) at.searchParams.set('login', login)
      const answer = await fetch(at, { redirect: 'manual', headers: { cookie: this.cookie } })
      await answer.arrayBuffer()
      this.#keep(answer.headers.getSetCookie())
      const location = answer.headers.get('location')
      assert.ok(location, `${at} answers ${answer.status} and leads on`)
      at = new URL(location, at)
      if (at.origin === this.#scene.url) return at.href
    }
    return assert.fail('the provider leads around in circles')
  }

  /** Signs in by a provider as this person, and returns the last answer. */
  async signIn(name: string, login: string, redirect = '/'): Promise<Answer> {
    return this.get(await this.visit(await this.leave(name, redirect), login))
  }

  /** Who the browser is signed in as. */
  async user(): Promise<Record<string, unknown>> {
    return (await this.#scene.anonymous.get('/user', {}, { cookie: this.cookie })).body
  }
}

/** Where a page that sends the browser to another site sends it. */
export function departureOf(answer: Answer): URL {
  const [, address] = /^0; url=(.+)$/.exec(answer.headers.refresh ?? '') ?? []
  assert.ok(address, `the page leads to another site: ${answer.status} ${answer.body}`)
  return new URL(address)
}

/** What a provider that is wrong in some way does. */
export interface Faults {
  issuer?: string
  audience?: string | readonly string[]
  nonce?: string
  /** `none`: no signature; `other`: by a key that is not the provider's; `public`: HS256 by the text of its public key; `secret`: by the client's. */
  signature?: 'none' | 'other' | 'public' | 'secret'
  /** In the header of the id token, over what is there. */
  header?: Record<string, unknown>
  /** Of userinfo. */
  subject?: string
  claims?: Record<string, unknown>
  /** In place of the answer of the token endpoint. */
  token?: RequestListener
}

/** A provider made by hand, whose faults a test sets. It says who is who by `claims` alone. */
export async function openFaultyProvider() {
  const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
  const other = pair()
  const made = {
    issuer: '',
    faults: {} as Faults,
    /** Signs with another key from now on, and shows it alone. */
    rotate() {
      own = pair()
      kid = 'two'
    },
  }
  let own = pair()
  let kid = 'one'
  const nonces = new Map<string, string>()
  const json = (response: ServerResponse, body: object) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tokenFor = (nonce: string | undefined): string => {
    const { faults, issuer } = made
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: faults.issuer ?? issuer,
      aud: faults.audience ?? CLIENT.client_id,
      sub: 'faulty',
      nonce: faults.nonce ?? nonce,
      iat: now,
      exp: now + 300,
      ...faults.claims,
    }
    if (faults.signature === 'none') return `${part({ alg: 'none', ...faults.header })}.${part(claims)}.`
    if (faults.signature === 'public' || faults.signature === 'secret') {
      const text = `${part({ alg: 'HS256', kid, ...faults.header })}.${part(claims)}`
      const key = faults.signature === 'secret' ? CLIENT.client_secret : own.publicKey.export({ type: 'spki', format: 'pem' })
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
    }
    const text = `${part({ alg: 'RS256', kid, ...faults.header })}.${part(claims)}`
    const key = faults.signature === 'other' ? other.privateKey : own.privateKey
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`
  }
  const issuer = await listening((request, response) => {
    const url = new URL(request.url ?? '', made.issuer)
    if (url.pathname === '/.well-known/openid-configuration')
      return json(response, {
        issuer: made.issuer,
        authorization_endpoint: `${made.issuer}/authorize`,
        token_endpoint: `${made.issuer}/token`,
        jwks_uri: `${made.issuer}/keys`,
        userinfo_endpoint: `${made.issuer}/userinfo`,
        authorization_response_iss_parameter_supported: true,
      })
    if (url.pathname === '/keys')
      return json(response, { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] })
    if (url.pathname === '/userinfo')
      return json(response, { sub: made.faults.subject ?? made.faults.claims?.sub ?? 'faulty', ...made.faults.claims })
    if (url.pathname === '/authorize') {
      const code = `code-${nonces.size}`
      nonces.set(code, url.searchParams.get('nonce') ?? '')
      const back = new URL(url.searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '', iss: made.issuer }).toString()
      return void response.writeHead(302, { location: back.href }).end()
    }
    if (made.faults.token) return made.faults.token(request, response)
    let sent = ''
    request.on('data', chunk => {
      sent += chunk
    })
    request.on('end', () => {
      const code = new URLSearchParams(sent).get('code') ?? ''
      json(response, { access_token: 'access', token_type: 'Bearer', id_token: tokenFor(nonces.get(code)) })
    })
  })
  made.issuer = issuer
  return made
}
