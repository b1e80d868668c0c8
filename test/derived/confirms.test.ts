/** Which forms of the pages ask for a password that was not given lately. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Unconfirmed } from '../../src/platform/kernel/errors.ts'
import { pages as dialect } from '../../src/platform/pages/dialect.ts'
import { isDangerous } from '../../src/server/confirmed.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { pages } from '../../src/server/pages.ts'

/** Those that need not ask, with the reason. */
const exempt: Readonly<Record<string, string>> = {
  'POST /-/profile/password/edit': 'has a field for the current password, always',
}

/** Forms of a command of their own, without an endpoint of the API; those of OAuth ask by the scopes that are granted. */
const own = [
  'POST /admin/session',
  'POST /oauth/authorize',
  'POST /oauth/device',
  'POST /admin/users/:id/impersonate',
  'POST /-/profile/export',
  'POST /-/profile/export/open',
  'POST /-/profile/identities/:provider/link',
  ...['', '/:id/rotate', '/:id/revoke'].map(rest => `POST /-/profile/personal_access_tokens${rest}`),
]

const writes = [...pages, ...endpoints.filter(one => one.dialect === dialect)].filter(({ method }) => method !== 'GET')
const asking = writes.filter(({ confirms }) => confirms).map(({ route }) => route)

test('what is dangerous asks for a password, and nothing else does', () => {
  const wanted = writes
    .filter(({ route, shows }) => (shows === undefined ? own.includes(route) : isDangerous(shows)))
    .map(({ route }) => route)
    .filter(route => !(route in exempt))
  assert.deepEqual(
    asking.toSorted(),
    wanted.toSorted(),
    'you are here because a form runs an endpoint of the list above without `confirms: true`, or asks for a password without need',
  )
})

test('every exception is needed, and every form of the list exists', () => {
  const routes = new Set<string>(writes.map(({ route }) => route))
  assert.deepEqual(
    [...own, ...Object.keys(exempt)].filter(route => !routes.has(route)),
    [],
  )
})

test('the API refuses to a session what a form would ask the password for', async () => {
  const session = { actor: { credential: { kind: 'session', id: 1, confirmedAt: 0 } }, now: new Date() }
  const refusing = endpoints.filter(({ route, dialect }) => dialect.name === 'rest' && isDangerous(route))
  assert.ok(refusing.length > 40)
  for (const { route, run } of refusing) await assert.rejects(async () => run(session as never), Unconfirmed, route)
})
