import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

/** The status of the first request of a git fetch. */
async function fetchStatus(path: string, username: string, password: string, service = 'git-upload-pack'): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const answer = await fetch(`${scene.url}/${path}.git/info/refs?service=${service}`, { headers: { authorization } })
  await answer.arrayBuffer()
  return answer.status
}

test('a token of a project is made, shown once, listed and deleted', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const url = `${project.url}/deploy_tokens`

  const made = await maintainer.post(url, { name: 'Mirror', scopes: ['read_repository', 'read_registry', 'read_registry'] })

  assert.equal(made.status, 201)
  const { token, ...shown } = made.body
  assert.match(token, /^[\w-]{20}$/)
  const username = `gitlab+deploy-token-${shown.id}`
  const scopes = ['read_repository', 'read_registry']
  assert.deepEqual(shown, { id: shown.id, name: 'Mirror', username, expires_at: null, expired: false, scopes })
  assert.deepEqual((await maintainer.get(url)).body, [shown])
  assert.deepEqual((await maintainer.get(`${url}/${shown.id}`)).body, shown)
  assert.ok((await scene.root.get('/deploy_tokens')).body.some((row: { id: number }) => row.id === shown.id))
  const rows = await scene.deps.database.db.selectFrom('deploy_tokens').selectAll().execute()
  assert.ok(!JSON.stringify(rows).includes(token), 'only the digest is kept')
  assert.deepEqual(await maintainer.delete(`${url}/${shown.id}`), { status: 204, body: undefined })
  assert.deepEqual(await maintainer.get(`${url}/${shown.id}`), { status: 404, body: { message: '404 Deploy Token Not Found' } })
})

test('username and expiry may be given, or left empty', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/deploy_tokens`
  const body = { name: 'x', scopes: 'read_repository,read_registry' }

  const given = await owner.post(url, { ...body, username: 'robot+1', expires_at: '2099-01-02' })
  const empty = await owner.post(url, { ...body, username: '', expires_at: '' })

  assert.deepEqual([given.body.username, given.body.expires_at], ['robot+1', '2099-01-02T00:00:00.000Z'])
  assert.deepEqual([empty.body.username, empty.body.expires_at], [`gitlab+deploy-token-${empty.body.id}`, null])
})

test('a token without scopes, with unknown scopes, or with an invalid username is a 400', async () => {
  const { project, owner } = await scene.project()
  const refusals: [body: object, parameter: string][] = [
    [{ name: 'x', scopes: ['api'] }, 'scopes'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['read_repository'], username: 'two words' }, 'username'],
  ]
  for (const [body, parameter] of refusals) {
    const answer = await owner.post(`${project.url}/deploy_tokens`, body)
    assert.deepEqual([answer.status, Object.keys(answer.body.message)], [400, [parameter]])
  }
})

test('Maintainers of a group see its tokens, Owners create and delete them', async () => {
  const { group, owner, maintainer } = await scene.group({ members: ['maintainer'] })
  const url = `${group.url}/deploy_tokens`
  const body = { name: 'All', scopes: ['read_repository'] }

  assert.equal((await maintainer.post(url, body)).status, 403)
  const made = await owner.post(url, body)
  const { token: _, ...shown } = made.body
  assert.deepEqual((await maintainer.get(url)).body, [shown])
  assert.equal((await maintainer.delete(`${url}/${shown.id}`)).status, 403)
  assert.equal((await owner.delete(`${url}/${shown.id}`)).status, 204)
})

test('a token fetches its project, with its own username, and neither pushes nor fetches another one', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner })
  const { token, username } = (await owner.post(`${project.url}/deploy_tokens`, { name: 'x', scopes: ['read_repository'] })).body

  assert.equal(await fetchStatus(project.full_path, username, token), 200)
  assert.equal(await fetchStatus(project.full_path, 'unknown', token), 401)
  assert.equal(await fetchStatus(project.full_path, username, token, 'git-receive-pack'), 403)
  assert.equal(await fetchStatus(other.full_path, username, token), 404)
})

test('a token of a group fetches the projects of its subgroups too, and no others', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group: below })
  const { project: elsewhere } = await scene.project()
  const { token, username } = (await owner.post(`${group.url}/deploy_tokens`, { name: 'x', scopes: ['read_repository'] })).body

  assert.equal(await fetchStatus(project.full_path, username, token), 200)
  assert.equal(await fetchStatus(elsewhere.full_path, username, token), 404)
})

test('a token that has expired, was deleted, or lacks read_repository fetches nothing', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/deploy_tokens`
  const ended = (await owner.post(url, { name: 'x', scopes: ['read_repository'], expires_at: '2020-01-01' })).body
  const registry = (await owner.post(url, { name: 'x', scopes: ['read_registry'] })).body
  const deleted = (await owner.post(url, { name: 'x', scopes: ['read_repository'] })).body
  await owner.delete(`${url}/${deleted.id}`)

  assert.equal(await fetchStatus(project.full_path, ended.username, ended.token), 401)
  assert.equal(await fetchStatus(project.full_path, deleted.username, deleted.token), 401)
  assert.equal(await fetchStatus(project.full_path, registry.username, registry.token), 403)
  const names = async (active: boolean) => (await owner.get(url, { active })).body.map((row: { id: number }) => row.id)
  assert.deepEqual(await names(true), [registry.id])
  assert.deepEqual(await names(false), [ended.id])
  assert.equal((await owner.get(`${url}/${ended.id}`)).body.expired, true)
})

test('a deploy token opens no endpoint of the API', async () => {
  const { project, owner } = await scene.project()
  const { token } = (await owner.post(`${project.url}/deploy_tokens`, { name: 'x', scopes: ['read_repository'] })).body
  const ways: Record<string, string>[] = [{ 'private-token': token }, { authorization: `Bearer ${token}` }]
  for (const headers of ways) assert.equal((await scene.as(headers).get(project.url)).status, 401)
})
