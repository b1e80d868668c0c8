/** Expensive requests: how many count, and how many are under way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { endpoints } from '../../../server/endpoints.ts'
import { pages } from '../../../server/pages.ts'
import { bytes, endpoint } from '../declaration/endpoint.ts'
import { inInstance } from '../declaration/scope.ts'
import { costOf, slotOf } from './cost.ts'

/** An expensive endpoint that works until it is let go. */
function slowEndpoint() {
  const gate = Promise.withResolvers<void>()
  const work = { under_way: 0, let_go: gate.resolve }
  const slow = endpoint({
    route: 'GET /slow',
    summary: 'Work long',
    scope: inInstance,
    can: 'read_instance',
    cost: 'heavy',
    answers: bytes('text/plain'),
    run: async () => {
      work.under_way += 1
      await gate.promise
      return { body: 'done' }
    },
  })
  return { work, slow }
}

test('of expensive work a caller has four requests under way, others wait, and what is too much is a 429 with Retry-After', async () => {
  const { work, slow } = slowEndpoint()
  const scene = await openScene({ endpoints: [slow] })
  const person = await scene.user()
  let refused = 0
  const answers = Array.from({ length: 60 }, async () => {
    const answer = await scene.anonymous.get('/slow')
    if (answer.status === 429) refused += 1
    return answer
  })
  await eventually(() => refused === 60 - 4 - 32, 'the refusals')
  assert.equal(work.under_way, 4)
  const other = person.get('/slow')
  await eventually(() => work.under_way === 5, 'the work of another caller')

  work.let_go()

  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  assert.equal(statuses.filter(status => status === 200).length, 36)
  assert.equal((await other).status, 200)
  const limited = (await Promise.all(answers)).find(({ status }) => status === 429)
  assert.ok(Number(limited?.headers['retry-after']) > 0)
})

test('a client that goes away while it waits takes no slot', async () => {
  const { work, slow } = slowEndpoint()
  const scene = await openScene({ endpoints: [slow] })
  const first = Array.from({ length: 4 }, () => scene.anonymous.get('/slow'))
  await eventually(() => work.under_way === 4, 'the work')
  const gone = new AbortController()
  const left = fetch(`${scene.url}/api/v4/slow`, { signal: gone.signal, headers: { connection: 'close' } }).catch(error => error.name)
  const connections = () => promisify(scene.app.server.getConnections.bind(scene.app.server))()
  await eventually(async () => (await connections()) === 5, 'the connection')
  gone.abort()
  assert.equal(await left, 'AbortError')
  await eventually(async () => (await connections()) === 4, 'the end of the connection')

  work.let_go()

  assert.deepEqual([...new Set((await Promise.all(first)).map(({ status }) => status))], [200])
  assert.equal((await scene.anonymous.get('/slow')).status, 200)
  assert.equal(work.under_way, 5)
})

test('expensive work counts as ten requests, and never as more than the limit', async () => {
  const { work, slow } = slowEndpoint()
  work.let_go()
  const scene = await openScene({ endpoints: [slow], settings: { rateLimit: 'anonymous=25,authenticated=3' } })
  const person = await scene.user()

  const statuses = []
  for (const client of [scene.anonymous, scene.anonymous, scene.anonymous, person, person])
    statuses.push((await client.get('/slow')).status)

  assert.deepEqual(statuses, [200, 200, 429, 200, 429])
})

test('what compares files to find the place of a comment takes a slot, and no transaction waits for it', () => {
  const commits = '/projects/:id/repository/commits/:sha'
  const requests = '/projects/:id/merge_requests/:merge_request_iid'
  const routes = [
    `POST ${commits}/comments`,
    `POST ${commits}/discussions`,
    `POST ${requests}/discussions`,
    `POST ${requests}/draft_notes`,
    `PUT ${requests}/draft_notes/:draft_note_id`,
    `POST /:project_path/-/commit/:sha/comments/new`,
    `POST /:project_path/-/merge_requests/:merge_request_iid/diffs/comments/new`,
  ]

  const declared = routes.map(name => {
    const { cost, writes } = [...endpoints, ...pages].find(({ method, path }) => `${method} ${path}` === name) ?? {}
    return [name, cost, writes]
  })

  assert.deepEqual(
    declared,
    routes.map(name => [name, 'walk', 'own']),
  )
})

test('a write that takes a slot does not wait for it within a transaction', () => {
  const waiting = [...endpoints, ...pages].filter(
    declared => declared.method !== 'GET' && declared.writes !== 'own' && slotOf(costOf(declared)) !== undefined,
  )

  assert.deepEqual(
    waiting.map(({ method, path }) => `${method} ${path}`),
    [],
  )
})

test('work that grows with a repository, or with all packages, is declared expensive', () => {
  const heavy = endpoints.filter(({ cost }) => cost === 'heavy').map(({ route }) => route)
  const ofRepository = ['archive', 'archive.:format', 'compare', 'contributors', 'files/:file_path/blame']
  const named = [
    ...ofRepository.map(name => `/projects/:id/repository/${name}`),
    '/projects/:id/packages/go/:module_name/@v/list',
    '/projects/:id/packages/helm/:channel/index.yaml',
    ...['specs.4.8.gz', 'latest_specs.4.8.gz', 'prerelease_specs.4.8.gz', 'names', 'versions', 'info/:gem_name', 'api/v1/dependencies'].map(
      name => `/projects/:id/packages/rubygems/${name}`,
    ),
    ...['projects/:id', 'groups/:id/-'].map(place => `/${place}/packages/debian/dists/:distribution/InRelease`),
    ...['projects/:id', 'groups/:id/-'].map(place => `/${place}/packages/debian/dists/:distribution/*index_path`),
    '/projects/:id/packages/conan/v1/conans/:package_name/:package_version/:package_username/:package_channel/search',
    '/group/:id/-/packages/composer/packages.json',
    '/group/:id/-/packages/composer/p/:sha.json',
  ]

  assert.deepEqual(
    named.filter(path => !heavy.some(route => route === `GET ${path}`)),
    [],
  )
})
