/**
 * What another site can make the browser of a signed-in user do: nothing. A write by cookie is refused without the token that only our pages can
 * read, and no address that is read changes anything.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordStatements } from '../../src/platform/db/statements/statements.ts'
import { csrfTokenFor } from '../../src/platform/kernel/csrf.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { openWorld, requestFor } from './world.ts'

/** Forms that are sent without a session: browsers say that another site sent them, and those are refused. */
const withoutSession: readonly string[] = [
  'POST /users/sign_in',
  'POST /users/auth/:provider',
  'POST /users/two_factor',
  'POST /users/two_factor/key',
  'POST /users/passkeys',
  // Without the token the caller is nobody (src/portal/graphql/graphql.test.ts).
  'POST /graphql',
]

/** What reading may write: nothing that anybody but its caller would notice. May only shrink. */
const noted: Readonly<Record<string, RegExp>> = {
  // When the caller was here: by a session, and by the token that the world knows callers by.
  'a session': /^update (sessions set expires_at|personal_access_tokens set last_used_at)/,
  // What was computed is kept.
  'GET /projects/:id/languages': /^update "projects" set "languages_commit"/,
  ...Object.fromEntries(
    ['projects/:id', 'groups/:id/-'].flatMap(place =>
      ['Release', 'Release.gpg', 'InRelease', '*index_path'].map(file => [
        `GET /${place}/packages/debian/dists/:distribution/${file}`,
        /^(delete from|insert into) "debian_(releases|indexes)"/,
      ]),
    ),
  ),
  // Up to which version the caller has seen the changes.
  'GET /:project_path/-/merge_requests/:merge_request_iid/diffs': /^insert into "seen_versions"/,
  // The instance ID is made when it is first asked for.
  'GET /projects/:id/feature_flags_client': /^insert into "flag_clients"/,
  'GET /:project_path/-/feature_flags_client/instance_id': /^insert into "flag_clients"/,
  // What was begun in this browser ends.
  'GET /users/auth/:provider/callback': /^delete from "provider_attempts"/,
  // A typed address signs out; one in a page, of whatever site, asks (src/identity/sessions/endpoints.ts).
  'GET /users/sign_out': /^\s*(delete from "sessions"|insert into audit_events)/,
}

const world = await openWorld()
const bySession = endpoints.filter(({ dialect }) => dialect.name === 'rest' || dialect.credentials?.includes('session'))

test('a write by cookie is refused without the token of its session', async () => {
  const headers = { cookie: '_service_session=session-of-admin', 'x-csrf-token': csrfTokenFor('another', world.scene.deps.secrets) }
  const writes = bySession.filter(({ method, route }) => method !== 'GET' && !withoutSession.includes(route))
  assert.ok(writes.length > 500)
  const done: string[] = []
  for (const endpoint of writes) {
    const request = requestFor(world, endpoint, 'admin', 'private')
    const { status } = await world.send('anonymous', { ...request, headers: { ...request.headers, ...headers } })
    if (status < 400) done.push(`${endpoint.route}: ${status}`)
  }
  assert.deepEqual(done, [], 'you are here because a page takes a form of any site: declare it by formEndpoint, form or action')
})

test('reading writes nothing', async () => {
  const writing: string[] = []
  for (const endpoint of bySession.filter(({ method }) => method === 'GET')) {
    const { statements } = await recordStatements(() => world.send('admin', requestFor(world, endpoint, 'admin', 'private')))
    const allowed = [noted['a session'], noted[endpoint.route]]
    const writes = statements.filter(text => /\b(insert into|update|delete from) /i.test(text) && !allowed.some(one => one?.test(text)))
    if (writes.length > 0) writing.push(`${endpoint.route}: ${writes.join('; ')}`)
  }
  assert.deepEqual(writing, [], 'you are here because an address that links and pictures lead to changes something: make it a form')
})
