/** Tokens of the registry: who gets which actions, and what a token opens and for how long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../../test/scene.ts'
import { runningJob } from '../../../ci/jobs/scene.ts'
import { clientOfImage, imageClient, type RegistryLogin, tokenFor } from '../distribution/scene.ts'

const scene = await openScene()
const { db } = scene.deps.database

const loginOf = ({ username, token }: Person): RegistryLogin => ({ username, password: token })

/** The access that a token grants. */
const accessOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()).access
const actionsOf = async (login: RegistryLogin | undefined, image: string, actions = 'pull,push,delete'): Promise<string[]> => {
  const { status, body } = await tokenFor(scene, login, [`repository:${image}:${actions}`])
  assert.equal(status, 200)
  return accessOf(body.token)[0]?.actions ?? []
}

test('a client without a token learns where to get one, and for what', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const { status, headers, body } = await scene.anonymous.get(`${scene.url}/v2/`)
  assert.deepEqual([status, body.errors[0].code, headers['docker-distribution-api-version']], [401, 'UNAUTHORIZED', 'registry/2.0'])
  assert.equal(headers['www-authenticate'], `Bearer realm="${scene.url}/jwt/auth",service="container_registry"`)
  const image = clientOfImage(scene, project.full_path, scene.anonymous)
  const challenge = (action: string) =>
    `Bearer realm="${scene.url}/jwt/auth",service="container_registry",scope="repository:${project.full_path}:${action}"`
  assert.equal((await image.get('manifests/latest')).headers['www-authenticate'], challenge('pull'))
  assert.equal((await image.post('blobs/uploads/')).headers['www-authenticate'], challenge('pull,push'))
  assert.equal((await image.delete('manifests/latest')).headers['www-authenticate'], challenge('delete'))
})

test('a token is signed, short-lived, and says when it ends', async () => {
  const user = await scene.user()
  const { status, body } = await tokenFor(scene, loginOf(user), [])
  assert.deepEqual([status, body.expires_in, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(body.issued_at)], [200, 300, true])
  const open = (token: string) => scene.as({ authorization: `Bearer ${token}` }).get(`${scene.url}/v2/`)
  assert.equal((await open(body.token)).status, 200)
  const [header, payload, signature] = body.token.split('.')
  assert.deepEqual(JSON.parse(Buffer.from(header, 'base64url').toString()), { typ: 'JWT', alg: 'HS256' })
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  assert.deepEqual([claims.aud, claims.sub, claims.exp - claims.iat, claims.access], ['container_registry', user.username, 300, []])
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url')
  assert.equal((await open(`${header}.${forged}.${signature}`)).status, 401)
  const old = Buffer.from(JSON.stringify({ ...claims, exp: claims.iat - 1 })).toString('base64url')
  assert.equal((await open(`${header}.${old}.${scene.deps.secrets.sign(`${header}.${old}`, 'registry-token')}`)).status, 401)
})

test('wrong credentials, another service and a request for nothing are refused', async () => {
  const user = await scene.user()
  const wrong = await tokenFor(scene, { username: user.username, password: 'wrong' }, [])
  assert.deepEqual([wrong.status, wrong.body.errors[0].code], [401, 'UNAUTHORIZED'])
  assert.equal((await tokenFor(scene, loginOf(user), [], 'other')).status, 404)
  const nothing = await tokenFor(scene, undefined, [])
  assert.deepEqual([nothing.status, nothing.body.errors[0].code], [403, 'DENIED'])
})

test('a token has the actions that the role of its user gives in each image', async () => {
  const { project, ...people } = await scene.project({ members: ['guest', 'reporter', 'developer', 'maintainer'] })
  const { project: open } = await scene.project({ visibility: 'public' })
  const outsider = await scene.user()
  for (const [person, actions] of [
    [outsider, []],
    [people.guest, []],
    [people.reporter, ['pull']],
    [people.developer, ['pull', 'push', 'delete']],
    [people.maintainer, ['pull', 'push', 'delete']],
    [people.owner, ['pull', 'push', 'delete']],
  ] as const)
    assert.deepEqual(await actionsOf(loginOf(person), `${project.full_path}/some/image`), actions)
  assert.deepEqual(await actionsOf(loginOf(outsider), open.full_path), ['pull'])
  assert.deepEqual(await actionsOf(undefined, open.full_path), ['pull'])
  assert.deepEqual(await actionsOf(undefined, project.full_path), [])
  assert.deepEqual(await actionsOf(loginOf(people.owner), 'no/such'), [])
  await people.owner.put(project.url, { container_registry_enabled: false })
  assert.deepEqual(await actionsOf(loginOf(people.owner), project.full_path), [])
})

test('a token opens what it grants and nothing else, and only while the credential holds', async () => {
  const { project, owner } = await scene.project()
  const made = (await scene.root.post(`/users/${owner.id}/personal_access_tokens`, { name: 'x', scopes: ['write_registry'] })).body
  const login = { username: owner.username, password: made.token }
  const pulling = await imageClient(scene, project.full_path, login, 'pull')
  const pushing = await imageClient(scene, project.full_path, login)
  await pushing.image('latest')
  assert.equal((await pulling.get('manifests/latest')).status, 200)
  const refused = await pulling.post('blobs/uploads/')
  assert.deepEqual([refused.status, /error="insufficient_scope"/.test(refused.headers['www-authenticate'] ?? '')], [401, true])
  // What a request does is in its path: a query cannot make a deletion look like an upload that ends.
  for (const query of ['', '?/blobs/uploads/', '?a=/v2/x/blobs/uploads/b'])
    assert.equal((await pushing.delete(`manifests/latest${query}`)).status, 401, query)
  assert.equal((await pulling.get('manifests/latest?/blobs/uploads/')).status, 200)
  const elsewhere = await pulling.get(`/v2/${project.full_path}/other/tags/list`)
  assert.equal(elsewhere.status, 401)
  await scene.root.delete(`/personal_access_tokens/${made.id}`)
  assert.equal((await pulling.get('manifests/latest')).status, 401)
  const reading = (await scene.root.post(`/users/${owner.id}/personal_access_tokens`, { name: 'x', scopes: ['read_registry'] })).body
  assert.deepEqual(await actionsOf({ username: owner.username, password: reading.token }, project.full_path), ['pull'])
  const other = (await scene.root.post(`/users/${owner.id}/personal_access_tokens`, { name: 'x', scopes: ['read_user'] })).body
  assert.equal(
    (await tokenFor(scene, { username: owner.username, password: other.token }, [`repository:${project.full_path}:pull`])).status,
    403,
  )
})

test('a token does not name what the rules of the project refuse', async () => {
  const { project, developer, owner } = await scene.project({ members: ['developer'] })
  await owner.post(`${project.url}/registry/protection/repository/rules`, {
    repository_path_pattern: `${project.full_path}/kept*`,
    minimum_access_level_for_push: 'maintainer',
    minimum_access_level_for_delete: 'owner',
  })
  for (const [person, image, actions] of [
    [developer, 'kept', ['pull']],
    [developer, 'other', ['pull', 'push', 'delete']],
    [owner, 'kept/deeper', ['pull', 'push', 'delete']],
  ] as const) {
    assert.deepEqual(await actionsOf(loginOf(person), `${project.full_path}/${image}`), actions, image)
    assert.deepEqual(await actionsOf(loginOf(person), `${project.full_path}/${image}`, '*'), actions, image)
  }
})

test('a deploy token pulls and pushes as its scopes say, in its project alone', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner })
  const make = async (scopes: string[]) => {
    const { username, token } = (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes })).body
    return { username, password: token }
  }
  const [reading, writing, cloning] = [await make(['read_registry']), await make(['write_registry']), await make(['read_repository'])]
  assert.deepEqual(await actionsOf(reading, project.full_path), ['pull'])
  assert.deepEqual(await actionsOf(writing, project.full_path), ['pull', 'push'])
  assert.deepEqual(await actionsOf(writing, other.full_path), [])
  assert.equal((await tokenFor(scene, cloning, [`repository:${project.full_path}:pull`])).status, 403)
  await (await imageClient(scene, `${project.full_path}/tool`, writing)).image('v1')
  const client = await imageClient(scene, `${project.full_path}/tool`, reading, 'pull')
  assert.equal((await client.get('manifests/v1')).status, 200)
})

test('a job pushes to its own project, pulls where its user may, and stops with its end', async () => {
  const { project, owner } = await scene.project()
  const { project: other } = await scene.project({ owner, visibility: 'public' })
  const job = await runningJob(scene, project, owner)
  const login = { username: 'gitlab-ci-token', password: job.token }
  assert.deepEqual(await actionsOf(login, project.full_path), ['pull', 'push', 'delete'])
  assert.deepEqual(await actionsOf(login, other.full_path), ['pull'])
  const client = await imageClient(scene, project.full_path, login)
  await client.image('built')
  assert.equal((await client.get('manifests/built')).status, 200)
  await db.updateTable('jobs').set({ status: 'success', token_digest: null }).where('id', '=', job.id).execute()
  assert.equal((await client.get('manifests/built')).status, 401)
})

test('the password of a user works, and the catalog is for administrators', async () => {
  const person = await scene.user({ password: 'correct horse battery' })
  const { project } = await scene.project({ owner: person })
  const login = { username: person.username, password: 'correct horse battery' }
  const client = await imageClient(scene, `${project.full_path}/tool`, login)
  await client.image('v1')
  await scene.root.put('/application/settings', { password_authentication_enabled_for_git: false })
  assert.equal((await client.get('manifests/v1')).status, 401, 'passwords are not taken any more')
  await scene.root.put('/application/settings', { password_authentication_enabled_for_git: true })
  assert.equal((await client.get('manifests/v1')).status, 200)
  const catalog = async (login: RegistryLogin) => {
    const { body } = await tokenFor(scene, login, ['registry:catalog:*'])
    return scene.as({ authorization: `Bearer ${body.token}` }).get(`${scene.url}/v2/_catalog?n=1000`)
  }
  assert.equal((await catalog(login)).status, 401)
  const { status, body } = await catalog(loginOf(scene.root))
  assert.deepEqual([status, body.repositories.includes(`${project.full_path}/tool`)], [200, true])
})
