/** Sending mutations in tests. */
import assert from 'node:assert/strict'
import type { Person, Scene } from '../../../../test/scene.ts'

/** An answer of the GraphQL API. */
export interface Sent {
  // biome-ignore lint/suspicious/noExplicitAny: each test says which fields it asked for
  readonly data?: any
  readonly errors?: readonly { readonly message: string; readonly path?: readonly unknown[] }[]
}

/** Senders of queries and mutations to the server of a scene. */
export function mutatorsOf(scene: Pick<Scene, 'url'>) {
  async function send(headers: Record<string, string>, body: unknown): Promise<Sent> {
    const answer = await fetch(`${scene.url}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    assert.equal(answer.status, 200)
    return (await answer.json()) as Sent
  }

  const ask = (person: Pick<Person, 'token'>, query: string, variables: object = {}) =>
    send({ 'private-token': person.token }, { query, variables })

  /** The payload of a mutation, sent with its input as a variable. */
  async function mutate(person: Pick<Person, 'token'>, name: string, input: object, fields = '') {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
    const { data, errors } = await ask(person, `mutation($input: ${type}!) { ${name}(input: $input) { errors ${fields} } }`, { input })
    assert.deepEqual(errors, undefined)
    return data[name]
  }

  return { send, ask, mutate }
}

/** The cookie of a session of a person, who signs in with the password. */
export async function sessionCookie({ url }: Pick<Scene, 'url'>, person: Pick<Person, 'username'>, password: string): Promise<string> {
  const signedIn = await fetch(`${url}/users/sign_in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ login: person.username, password }),
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .find(one => one.startsWith('_service_session='))
    ?.split(';')[0]
  assert.ok(cookie)
  return cookie
}
