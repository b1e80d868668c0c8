/**
 * Bots, deploy tokens, deploy keys and jobs: each is tried at every endpoint of the private place, and compared with the caller who gets as
 * much as it may get. What is about people is in callers.test.ts.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lfsAuthentication } from '../../src/code/lfs/authentication.ts'
import { newKey } from '../../src/identity/keys/scene.ts'
import { currentActor } from '../../src/platform/access/current_actor.ts'
import { endpoints } from '../../src/server/endpoints.ts'
import { asking, assertNone, isGood, isOfPlaces, readsTokens, refused, sending } from './callers.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
const { scene, places } = world
const { db } = scene.deps.database
const ask = asking(world)

test('the bot of a project token gets no more than a person with its level', async () => {
  const made = await scene.root.post(`${places.private.project.url}/access_tokens`, {
    name: 'ci',
    scopes: ['api', 'write_repository'],
    access_level: 40,
  })
  assert.equal(made.status, 201)
  const headers = sending(made.body.token)
  let able = 0

  await assertNone(
    endpoint => isOfPlaces(endpoint) && !endpoint.path.startsWith('/groups'),
    async endpoint => {
      const status = await ask(endpoint, 'maintainer', headers)
      if (!isGood(status)) return undefined
      able++
      const persons = await ask(endpoint, 'maintainer')
      return isGood(persons) ? undefined : `${status} where a Maintainer gets ${persons}`
    },
    'a bot is a member like others',
  )
  assert.ok(able > 30)
})

test('the bot of another project is an outsider', async () => {
  const made = await scene.root.post(`${places.public.project.url}/access_tokens`, {
    name: 'elsewhere',
    scopes: ['api', 'write_repository'],
    access_level: 40,
  })
  assert.equal(made.status, 201)
  const headers = sending(made.body.token)
  assert.equal((await scene.as({ 'private-token': made.body.token }).get(places.public.project.url)).status, 200, 'it works at home')

  await assertNone(
    isOfPlaces,
    async endpoint => {
      const status = await ask(endpoint, 'outsider', headers)
      if (!isGood(status)) return undefined
      const outsiders = await ask(endpoint, 'outsider')
      return isGood(outsiders) ? undefined : `${status} where an outsider gets ${outsiders}`
    },
    'a bot is a member of its project alone',
  )
})

test('the bot of a group token gets no more in the group than a person with its level', async () => {
  const made = await scene.root.post(`${places.private.group.url}/access_tokens`, { name: 'ci', scopes: ['api'], access_level: 40 })
  assert.equal(made.status, 201)
  const headers = sending(made.body.token)
  let able = 0

  await assertNone(
    endpoint => isOfPlaces(endpoint) && endpoint.path.startsWith('/groups'),
    async endpoint => {
      const status = await ask(endpoint, 'maintainer', headers)
      if (!isGood(status)) return undefined
      able++
      const persons = await ask(endpoint, 'maintainer')
      return isGood(persons) ? undefined : `${status} where a Maintainer gets ${persons}`
    },
    'a bot is a member like others',
  )
  assert.ok(able > 10)
})

test('a deploy token that has expired opens nothing', async () => {
  const scopes = ['read_repository', 'read_package_registry', 'write_package_registry', 'read_registry']
  const made = await scene.root.post(`${places.private.project.url}/deploy_tokens`, { name: 'old', username: 'old', scopes })
  assert.equal(made.status, 201)
  await db.updateTable('deploy_tokens').set({ expires_at: '2020-01-01' }).where('id', '=', made.body.id).execute()
  const headers = sending(made.body.token, 'old')

  await assertNone(
    endpoint => readsTokens(endpoint) && endpoint.dialect.name !== 'oauth',
    async endpoint => {
      const status = await ask(endpoint, 'anonymous', headers)
      return refused.has(status) ? undefined : `${status} instead of a refusal`
    },
    'a deploy token that has ended must be refused before anything else',
  )
})

test('a deploy token opens nothing but git and LFS', async () => {
  const made = await scene.root.post(`${places.private.project.url}/deploy_tokens`, {
    name: 'mirror',
    username: 'mirror',
    scopes: ['read_repository'],
  })
  assert.equal(made.status, 201)
  const headers = sending(made.body.token, 'mirror')

  await assertNone(
    endpoint => readsTokens(endpoint) && endpoint.dialect.name !== 'oauth',
    async endpoint => {
      const status = await ask(endpoint, 'anonymous', headers)
      const writes = /receive-pack|locks/.test(endpoint.path) && endpoint.method !== 'GET'
      if (endpoint.dialect.credentials?.includes('basic') && !writes) return undefined
      return refused.has(status) ? undefined : `${status} instead of a refusal`
    },
    'a deploy token with read_repository fetches, and does nothing else',
  )
})

test('the token for LFS that a deploy key is given opens LFS of its project alone', async () => {
  const { project } = places.private
  const made = await scene.root.post(`${project.url}/deploy_keys`, { title: 'mirror', key: newKey(), can_push: true })
  assert.equal(made.status, 201)
  const actor = await currentActor(db, { kind: 'deploy_key', id: made.body.id }, new Date())
  assert.ok(actor)
  const full = { id: project.id, full_path: project.full_path }
  const authorization = lfsAuthentication(scene.deps, scene.url, actor, full, 'upload').header.Authorization
  const token = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':').slice(1).join(':')
  const headers = { authorization, 'private-token': token }
  let opened = 0

  await assertNone(
    endpoint => readsTokens(endpoint) && endpoint.dialect.name !== 'oauth',
    async endpoint => {
      const status = await ask(endpoint, 'anonymous', headers)
      const isLfs = endpoint.dialect.credentials?.includes('basic') && /lfs/.test(endpoint.path)
      if (isLfs && isGood(status)) opened++
      return isLfs || refused.has(status) ? undefined : `${status} instead of a refusal`
    },
    'a deploy key is for git and LFS of the projects that have it, and for nothing else',
  )
  assert.ok(opened > 0, 'it opens LFS')

  const { project: other } = await scene.project({ owner: world.people.owner })
  const kept = await scene.root.post(`${other.url}/deploy_keys/${made.body.id}/enable`)
  assert.equal(kept.status, 201, 'the key itself may read the other project')
  const batch = { operation: 'download', objects: [{ oid: 'a'.repeat(64), size: 1 }] }
  const types = { accept: 'application/vnd.git-lfs+json', 'content-type': 'application/vnd.git-lfs+json' }
  const batchOf = ({ full_path }: { readonly full_path: string }) =>
    scene.anonymous.request('POST', `${scene.url}/${full_path}.git/info/lfs/objects/batch`, {
      body: JSON.stringify(batch),
      headers: { authorization, ...types },
    })
  assert.equal((await batchOf(project)).status, 200)
  assert.ok(refused.has((await batchOf(other)).status), 'a token is for the project that it was made for')
})

test('the job of another project gets no more than the project’s own', async () => {
  const token = String(places.public.things.job_token)
  const headers = { 'job-token': token, authorization: `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}` }

  await assertNone(
    isOfPlaces,
    async endpoint => {
      const status = await ask(endpoint, 'job', headers)
      if (!isGood(status)) return undefined
      const own = await ask(endpoint, 'job')
      return isGood(own) ? undefined : `${status} where the project’s own job gets ${own}`
    },
    'a job token reads as its user does, at most',
  )
})

test('the job of a user who is blocked opens nothing', async () => {
  const token = String(places.private.things.job_token)
  const headers = { 'job-token': token, authorization: `Basic ${Buffer.from(`gitlab-ci-token:${token}`).toString('base64')}` }
  const opened: string[] = []
  // Forms of pages run the same declarations, and take no token.
  const tried = endpoints.filter(
    ({ dialect, jobToken }) =>
      dialect.name !== 'pages' && (jobToken || (dialect.name !== 'oauth' && dialect.credentials?.includes('basic'))),
  )
  assert.ok(tried.length > 20)
  await db.updateTable('users').set({ state: 'blocked' }).where('id', '=', world.people.developer.id).execute()
  try {
    for (const endpoint of tried) {
      const status = await ask(endpoint, 'anonymous', headers)
      if (!refused.has(status)) opened.push(`${endpoint.route}: ${status}`)
    }
  } finally {
    await db.updateTable('users').set({ state: 'active' }).where('id', '=', world.people.developer.id).execute()
  }
  assert.deepEqual(opened, [])
})
