import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { parseKey } from '../../identity/keys/parse.ts'
import { newKey } from '../../identity/keys/scene.ts'
import { actorOfCredential } from '../../platform/kernel/request/authenticate.ts'
import { holderOf } from '../../platform/kernel/request/rate_limit.ts'
import { actorOfAnyToken } from '../git_http/tokens.ts'

const scene = await openScene()

test('a deploy key is added, read, changed, listed and removed', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const url = `${project.url}/deploy_keys`
  const key = newKey()

  const added = await maintainer.post(url, { title: 'Builder', key })

  const { id, created_at, ...rest } = added.body
  assert.match(created_at, /Z$/)
  assert.equal(added.status, 201)
  assert.deepEqual(rest, {
    title: 'Builder',
    key,
    fingerprint: parseKey(key)?.fingerprint,
    expires_at: null,
    can_push: false,
    active: true,
  })
  assert.deepEqual((await maintainer.get(url)).body, [added.body])
  const changed = await maintainer.put(`${url}/${id}`, { title: 'Big builder', can_push: true })
  assert.deepEqual(changed, { status: 200, body: { ...added.body, title: 'Big builder', can_push: true } })
  assert.deepEqual((await maintainer.get(`${url}/${id}`)).body, changed.body)
  assert.deepEqual(await maintainer.delete(`${url}/${id}`), { status: 204, body: undefined })
  assert.deepEqual(await maintainer.get(`${url}/${id}`), { status: 404, body: { message: '404 Deploy Key Not Found' } })
  assert.equal((await maintainer.post(url, { title: 'Again', key })).status, 201)
})

test('an empty change is a 400, and so is an invalid key', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/deploy_keys`
  const { id } = (await owner.post(url, { title: 'x', key: newKey() })).body

  assert.equal((await owner.put(`${url}/${id}`, {})).status, 400)
  assert.deepEqual(await owner.post(url, { title: 'x', key: 'ssh-rsa nonsense' }), {
    status: 400,
    body: { message: { 'deploy_key.key': ['is invalid'] } },
  })
})

test('a public key belongs to a user or is a deploy key, never both', async () => {
  const { project, owner } = await scene.project()
  const [personal, deploy] = [newKey(), newKey()]
  await owner.post('/user/keys', { title: 'Mine', key: personal })
  await owner.post(`${project.url}/deploy_keys`, { title: 'Machine', key: deploy })

  assert.deepEqual(await owner.post(`${project.url}/deploy_keys`, { title: 'x', key: personal }), {
    status: 400,
    body: { message: { 'deploy_key.fingerprint': ['has already been taken'] } },
  })
  assert.deepEqual(await owner.post('/user/keys', { title: 'x', key: deploy }), {
    status: 400,
    body: { message: { fingerprint: ['has already been taken'] } },
  })
  assert.equal((await owner.get('/user/keys')).body.length, 1)
})

test('of concurrent requests to add a key to a user and to a project, one succeeds', async () => {
  const { project, owner } = await scene.project()
  const key = newKey()
  const answers = await Promise.all([
    owner.post('/user/keys', { title: 'x', key }),
    owner.post(`${project.url}/deploy_keys`, { title: 'x', key }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
})

test('of concurrent requests with a new key the later ones enable the key of the first', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  for (let round = 0; round < 5; round++) {
    const key = newKey()
    const answers = await Promise.all([1, 2, 3].map(() => maintainer.post(`${project.url}/deploy_keys`, { title: 'Twice', key })))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.id]),
      answers.map(() => [201, answers[0]!.body.id]),
    )
  }
})

test('a maintainer of two projects enables a key of one in the other, with separate rights', async () => {
  const { project, owner } = await scene.project()
  const { project: second } = await scene.project({ owner })
  const { project: third } = await scene.project({ owner })
  const key = newKey()
  const { id } = (await owner.post(`${project.url}/deploy_keys`, { title: 'Shared', key, can_push: true })).body

  const enabled = await owner.post(`${second.url}/deploy_keys/${id}/enable`)
  const added = await owner.post(`${third.url}/deploy_keys`, { title: 'Other name', key, can_push: true })

  assert.deepEqual([enabled.status, enabled.body.id, enabled.body.can_push], [201, id, false])
  assert.deepEqual([added.status, added.body.id, added.body.title, added.body.can_push], [201, id, 'Shared', true])
  await owner.delete(`${project.url}/deploy_keys/${id}`)
  assert.equal((await owner.get(`${second.url}/deploy_keys/${id}`)).status, 200)
  const listed = (await scene.root.get('/deploy_keys')).body.find((row: { id: number }) => row.id === id)
  assert.deepEqual(
    listed.projects_with_write_access.map((found: { path_with_namespace: string }) => found.path_with_namespace),
    [third.full_path],
  )
})

test('a key of projects that the caller does not maintain can be neither enabled nor added', async () => {
  const { project, owner } = await scene.project()
  const { project: own, owner: other } = await scene.project()
  const key = newKey()
  const { id } = (await owner.post(`${project.url}/deploy_keys`, { title: 'x', key })).body

  assert.deepEqual(await other.post(`${own.url}/deploy_keys/${id}/enable`), {
    status: 404,
    body: { message: '404 Deploy Key Not Found' },
  })
  assert.equal((await other.post(`${own.url}/deploy_keys`, { title: 'x', key })).status, 400)
})

test('administrators add public keys, which every maintainer may enable and none may rename', async () => {
  const { project, owner } = await scene.project()
  const made = await scene.root.post('/deploy_keys', { title: 'For all', key: newKey() })
  assert.equal(made.status, 201)
  assert.ok(
    (await scene.root.get('/deploy_keys', { public: true, per_page: 100 })).body.some((row: { id: number }) => row.id === made.body.id),
  )

  assert.equal((await owner.post(`${project.url}/deploy_keys/${made.body.id}/enable`)).status, 201)
  const changed = await owner.put(`${project.url}/deploy_keys/${made.body.id}`, { title: 'Mine', can_push: true })
  assert.deepEqual([changed.body.title, changed.body.can_push], ['For all', true])
  await owner.delete(`${project.url}/deploy_keys/${made.body.id}`)
  assert.equal((await owner.post(`${project.url}/deploy_keys/${made.body.id}/enable`)).status, 201)
})

test('a key whose only project was deleted can be added again', async () => {
  const { project, owner } = await scene.project()
  const key = newKey()
  await owner.post(`${project.url}/deploy_keys`, { title: 'x', key })
  await scene.deps.database.db.deleteFrom('deploy_key_projects').where('project_id', '=', project.id).execute()
  const { project: other, owner: stranger } = await scene.project()

  assert.equal((await stranger.post(`${other.url}/deploy_keys`, { title: 'y', key })).body.title, 'y')
})

test('administrators find a deploy key by its fingerprints, with who made it and the projects that have enabled it', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const other = await scene.project({ owner: maintainer })
  const key = newKey()
  const { id, title, created_at } = (await maintainer.post(`${project.url}/deploy_keys`, { title: 'Builder', key, can_push: true })).body
  await maintainer.post(`${other.project.url}/deploy_keys/${id}/enable`)
  const parsed = parseKey(key)

  const found = await scene.root.get('/keys', { fingerprint: parsed?.fingerprint })

  assert.equal(found.status, 200)
  const { user, deploy_keys_projects, ...rest } = found.body
  assert.deepEqual(rest, { id, title, key, created_at, expires_at: null })
  assert.equal(user.username, maintainer.username)
  assert.deepEqual(
    deploy_keys_projects.map(({ deploy_key_id, project_id, can_push }: Record<string, unknown>) => ({
      deploy_key_id,
      project_id,
      can_push,
    })),
    [
      { deploy_key_id: id, project_id: project.id, can_push: true },
      { deploy_key_id: id, project_id: other.project.id, can_push: false },
    ],
  )
  assert.deepEqual((await scene.root.get('/keys', { fingerprint: `SHA256:${parsed?.fingerprintSha256}` })).body, found.body)
})

test('keys of users have no projects, and nobody but administrators looks for keys', async () => {
  const person = await scene.user()
  const key = newKey()
  await person.post('/user/keys', { title: 'Mine', key })
  const fingerprint = parseKey(key)?.fingerprint

  const { body } = await scene.root.get('/keys', { fingerprint })
  assert.equal(body.user.id, person.id)
  assert.equal('deploy_keys_projects' in body, false)
  assert.equal((await person.get('/keys', { fingerprint })).status, 403)
})

test('whatever a person makes for machines, its slots for expensive work are those of the person', async () => {
  const { project, owner } = await scene.project()
  const { deps } = scene
  const expires_at = '2099-01-01'
  const { body: bot } = await owner.post(`${project.url}/access_tokens`, { name: 'Bot', scopes: ['api'], access_level: 40, expires_at })
  const makers = [owner, scene.as({ 'private-token': bot.token })]
  const keys = await Promise.all(
    [...makers, owner].map(maker => maker.post(`${project.url}/deploy_keys`, { title: 'Machine', key: newKey() })),
  )
  const tokens = await Promise.all(
    makers.map(maker => maker.post(`${project.url}/deploy_tokens`, { name: 'Machine', scopes: ['read_repository'] })),
  )
  assert.deepEqual(
    [...keys, ...tokens].map(({ status }) => status),
    [201, 201, 201, 201, 201],
  )

  const actors = [
    ...(await Promise.all(keys.map(({ body }) => actorOfCredential({ kind: 'deploy_key', id: body.id }, deps)))),
    ...(await Promise.all(tokens.map(({ body }) => actorOfAnyToken(body.token, deps)))),
    await actorOfAnyToken(bot.token, deps),
    await actorOfAnyToken(owner.token, deps),
  ]

  for (const actor of actors) assert.equal(actor && holderOf(actor, '192.0.2.1'), `user:${owner.id}`)
})

test('a deploy key that no project has holds slots of its own', async () => {
  const { body } = await scene.root.post('/deploy_keys', { title: 'Machine', key: newKey() })

  const actor = await actorOfCredential({ kind: 'deploy_key', id: body.id }, scene.deps)

  assert.equal(actor && holderOf(actor, '192.0.2.1'), `deploy_key:${body.id}`)
})
