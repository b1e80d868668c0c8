import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { startFailureLog } from '../../../test/failures.ts'
import { openScene, type Scene } from '../../../test/scene.ts'
import { buildApp } from '../../server/app.ts'
import { resources } from '../../server/endpoints.ts'
import { examples } from '../../server/examples.ts'
import { openDatabase } from '../db/connection.ts'
import { describeApi } from '../kernel/openapi/openapi.ts'
import { describingApi } from './endpoints.ts'
import { apiVersion, version } from './version.ts'

const scene = await openScene()

test('the version is shown to signed-in users only', async () => {
  const person = await scene.user({ scopes: ['read_user'] })

  assert.deepEqual(await person.get('/version'), { status: 200, body: { version: '14.0.0-ee', revision: version } })
  assert.deepEqual(await scene.anonymous.get('/version'), { status: 401, body: { message: '401 Unauthorized' } })
})

test('the suffix of the version distinguishes the community edition from the others (clients.md b.5)', () => {
  assert.deepEqual([apiVersion('free'), apiVersion('premium'), apiVersion('ultimate')], ['14.0.0', '14.0.0-ee', '14.0.0-ee'])
})

test('metadata shows the edition', async () => {
  const person = await scene.user()

  assert.deepEqual(await person.get('/metadata'), {
    status: 200,
    body: { version: '14.0.0-ee', revision: version, kas: { enabled: false, externalUrl: null, version: null }, enterprise: true },
  })
})

test('the address of the API says where it is described, with and without a slash', async () => {
  for (const address of [`${scene.url}/api/v4`, `${scene.url}/api/v4/`]) {
    const { status, body } = await scene.anonymous.get(address)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      version: (await scene.root.get('/version')).body.version,
      documentation_url: `${scene.url}/-/docs`,
      description_url: `${scene.url}/api/v4/openapi.json`,
    })
    for (const described of [body.documentation_url, body.description_url]) assert.equal((await scene.anonymous.get(described)).status, 200)
  }
})

test('health, liveness and readiness are public', async () => {
  assert.deepEqual(await scene.anonymous.get(`${scene.url}/-/health`), { status: 200, body: 'Ingot OK' })
  assert.deepEqual(await scene.anonymous.get(`${scene.url}/-/liveness`), { status: 200, body: { status: 'ok' } })
  assert.deepEqual(await scene.anonymous.get(`${scene.url}/-/readiness`), {
    status: 200,
    body: { status: 'ok', db_check: [{ status: 'ok' }] },
  })
})

test('without its database an instance is alive and not ready', async () => {
  const database = await openDatabase({ url: scene.deps.database.url, poolSize: 2, log: scene.deps.log })
  await database.close()
  // What fails is expected.
  const { log, lines } = startFailureLog()
  const app = await buildApp({ ...scene.deps, database, log })

  const get = (path: string) => app.inject(path)
  const [alive, ready, list, page] = await Promise.all([get('/-/liveness'), get('/-/readiness'), get('/api/v4/projects'), get('/explore')])
  await app.close()

  assert.equal(alive.statusCode, 200)
  for (const refused of [ready, list, page]) {
    assert.equal(refused.statusCode, 503)
    assert.equal(refused.headers['retry-after'], '10')
  }
  assert.equal(lines.length, 2)
  assert.deepEqual(ready.json(), { status: 'failed', db_check: [{ status: 'failed', message: 'the database does not answer' }] })
})

test('metrics count requests by route and status, connections, and git processes', async () => {
  assert.equal((await scene.anonymous.get('/projects/0')).status, 404)

  const answer = await scene.root.get(`${scene.url}/-/metrics`)

  assert.equal(answer.status, 200)
  assert.match(answer.headers['content-type'] ?? '', /^text\/plain; version=0\.0\.4/)
  assert.match(answer.body, /^http_request_duration_seconds_count\{method="GET",route="\/api\/v4\/projects\/:id",status="404"\} \d+$/m)
  assert.match(answer.body, /^database_pool_connections\{state="idle"\} \d+$/m)
  assert.match(answer.body, /^git_processes_started_total \d+$/m)
  assert.match(answer.body, /^process_resident_memory_bytes \d+$/m)
})

describe('metrics', () => {
  const metricsToken = 'metrics-token/0123456789+~='
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const statusFor = async (world: Scene, headers: Record<string, string> = {}) =>
    (await world.anonymous.get(`${world.url}/-/metrics`, {}, headers)).status

  test('are not for clients without credentials, wherever they ask from and by whichever name', async () => {
    // As a proxy on this machine sends requests on, which adds nothing unless it is asked to: these look local.
    assert.equal(await statusFor(scene), 404)
    for (const headers of [
      ['host', 'localhost:8080'],
      ['x-forwarded-for', '127.0.0.1'],
      ['host', 'evil.example'],
    ] as const)
      assert.equal(await statusFor(scene, Object.fromEntries([headers])), 404)
  })

  test('are for administrators by their tokens, and for no other user', async () => {
    const person = await scene.user()

    assert.deepEqual([await statusFor(scene, bearer(scene.root.token)), await statusFor(scene, bearer(person.token))], [200, 404])
  })

  test('are for a program with the metrics token of the instance, which opens nothing else', async () => {
    const watched = await openScene({ settings: { metricsToken } })

    assert.equal(await statusFor(watched, bearer(metricsToken)), 200)
    assert.equal(await statusFor(watched), 404)
    for (const token of [`${metricsToken}x`, metricsToken.slice(1), metricsToken.toUpperCase()])
      assert.equal(await statusFor(watched, bearer(token)), 401, token)
    for (const path of ['/version', '/user', '/projects', '/application/settings'])
      assert.equal((await watched.anonymous.get(path, {}, bearer(metricsToken))).status, 401, path)
    assert.equal((await watched.anonymous.get(`${watched.url}/-/metrics`, { private_token: metricsToken })).status, 401)
    assert.equal(await statusFor(scene, bearer(metricsToken)), 401, 'without the setting')
  })
})

test('the API description is public and valid', async () => {
  const answer = await scene.anonymous.get('/openapi.json')

  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'application/json')
  assert.deepEqual(await new Validator().validate(answer.body), { valid: true })
})

test('pages of any origin may use the API with a token, which a preflight allows (clients.md b.3)', async () => {
  const person = await scene.user()
  const asked = { origin: 'null', 'access-control-request-method': 'POST', 'access-control-request-headers': 'private-token' }

  const preflight = await scene.anonymous.request('OPTIONS', '/projects', { headers: asked })
  const answer = await person.get('/user', {}, { origin: 'null' })
  const refused = await scene.anonymous.get('/user', {}, { origin: 'null' })

  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers['access-control-allow-headers'], 'private-token')
  assert.match(preflight.headers['access-control-allow-methods'] ?? '', /\bPOST\b.*\bDELETE\b/)
  for (const { headers } of [preflight, answer, refused]) {
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['access-control-allow-credentials'], undefined)
  }
  assert.equal(answer.headers['access-control-expose-headers'], '*')
})

describe('the API description', () => {
  test('is the same text in every encoding that it is sent in, and much smaller in two of them', async () => {
    const plain = await scene.anonymous.get('/openapi.json')
    const zipped = await scene.anonymous.get('/openapi.json', {}, { 'accept-encoding': 'gzip' })
    const brotli = await scene.anonymous.get('/openapi.json', {}, { 'accept-encoding': 'gzip, deflate, br' })

    assert.deepEqual(
      [plain, zipped, brotli].map(({ headers }) => headers['content-encoding']),
      [undefined, 'gzip', 'br'],
    )
    assert.deepEqual([gunzipSync(zipped.bytes).equals(plain.bytes), brotliDecompressSync(brotli.bytes).equals(plain.bytes)], [true, true])
    assert.ok(zipped.bytes.length * 8 < plain.bytes.length && brotli.bytes.length < zipped.bytes.length)
    assert.equal(zipped.headers.vary, 'accept-encoding')
    assert.deepEqual(
      plain.body,
      JSON.parse(JSON.stringify(describeApi(resources, { version: apiVersion('ultimate'), examples: examples() }))),
    )
  })

  test('is not sent again to a client that has it', async () => {
    const { headers } = await scene.anonymous.get('/openapi.json')

    const again = await scene.anonymous.get('/openapi.json', {}, { 'if-none-match': headers.etag as string, 'accept-encoding': 'gzip' })

    assert.equal(again.status, 304)
    assert.equal(again.bytes.length, 0)
  })

  // How long the generation holds the event loop is measured by `npm run bench -- stall`, in processor time.
  test('is generated once for forty concurrent requests', async () => {
    let generated = 0
    const counted = describingApi(() => {
      generated++
      return resources
    }, examples)
    const fresh = await openScene({ endpoints: [counted] })

    const answers = await Promise.all(Array.from({ length: 40 }, () => fresh.anonymous.head('/openapi.json')))

    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(generated, 1)
  })
})
