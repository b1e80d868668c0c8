/** Packages of Composer as they come over the wire. The test with the real `composer`: test/clients/composer.test.ts. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Client, openScene } from '../../../../../test/scene.ts'
import { runningJob } from '../../../../ci/jobs/scene.ts'
import { commitFiles } from '../../../../code/repository/scene.ts'

const scene = await openScene()

const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

let names = 0
const newName = () => `team/thing-${++names}`

/** A project in a group with a `composer.json` of this name on its branch `main`, and the tag `v1.2.3`. */
async function packaged(name: string) {
  const { group, owner, ...people } = await scene.group({ members: ['guest', 'reporter', 'developer'] })
  const { project } = await scene.project({ group, owner })
  const sha = await commitFiles(owner, project, { 'composer.json': JSON.stringify({ name, type: 'library' }) })
  await owner.post(`${project.url}/repository/tags`, { tag_name: 'v1.2.3', ref: 'main' })
  const base = `${scene.url}/api/v4/group/${group.id}/-/packages/composer`
  return { group, project, owner, sha, base, ...people }
}

test('a tag and a branch are versions, which both protocols find by their digests', async () => {
  const name = newName()
  const { project, group, owner, sha, base } = await packaged(name)
  const answer = await owner.post(`${project.url}/packages/composer`, { tag: 'v1.2.3' })
  assert.deepEqual(answer, { status: 201, body: { message: '201 Created' } })
  const later = await commitFiles(owner, project, { 'composer.json': JSON.stringify({ name, type: 'project' }) })
  await owner.post(`${project.url}/repository/branches`, { branch: '2.0', ref: 'main' })
  for (const branch of ['main', '2.0']) assert.equal((await owner.post(`${project.url}/packages/composer`, { branch })).status, 201)
  assert.equal((await owner.post(`${project.url}/packages/composer`, { tag: 'v1.2.3' })).status, 201)

  const root = (await owner.get(`${base}/packages.json`)).body
  const path = `/api/v4/group/${group.id}/-/packages/composer`
  const hash = root['provider-includes']['p/%hash%.json'].sha256
  assert.deepEqual(root, {
    packages: [],
    'provider-includes': { 'p/%hash%.json': { sha256: hash } },
    'providers-url': `${path}/%package%$%hash%.json`,
    'metadata-url': `${path}/p2/%package%.json`,
  })
  const providers = await owner.get(`${base}/p/${hash}.json`)
  assert.equal(digest(providers.bytes), hash)
  const found = await owner.get(`${base}/${name}$${providers.body.providers[name].sha256}.json`)
  assert.equal(digest(found.bytes), providers.body.providers[name].sha256)
  const second = await owner.get(`${base}/p2/${name}.json`)
  assert.deepEqual(second.body, found.body)
  const versions = second.body.packages[name]
  assert.deepEqual(Object.keys(versions), ['1.2.3', 'dev-main', '2.0.x-dev'])
  const { uid, ...first } = versions['1.2.3']
  const url = `${scene.url}/api/v4/projects/${project.id}/packages/composer/archives/${name}.zip?sha=${sha}`
  assert.deepEqual(first, { name, type: 'library', dist: { type: 'zip', url, reference: sha, shasum: '' }, version: '1.2.3' })
  assert.deepEqual([versions['dev-main'].type, versions['dev-main'].dist.reference], ['project', later])
  const zip = await owner.get(url)
  assert.deepEqual([zip.status, zip.bytes.toString('latin1', 0, 2)], [200, 'PK'])
  assert.equal((await owner.get(url.replace(sha, '0'.repeat(40)))).status, 404)

  const listed = (await owner.get(`${project.url}/packages`, { package_type: 'composer' })).body
  assert.deepEqual([listed.length, listed[0].id, listed[0].name, listed[0].version], [3, uid, name, '1.2.3'])
  await owner.delete(`${project.url}/packages/${uid}`)
  assert.deepEqual(Object.keys((await owner.get(`${base}/p2/${name}.json`)).body.packages[name]), ['dev-main', '2.0.x-dev'])
})

test('concurrent publications of a version make one package', async () => {
  const name = newName()
  const { project, owner, base } = await packaged(name)
  const answers = await Promise.all([1, 2, 3, 4].map(() => owner.post(`${project.url}/packages/composer`, { tag: 'v1.2.3' })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  assert.equal((await owner.get(`${project.url}/packages`)).body.length, 1)
  assert.deepEqual(Object.keys((await owner.get(`${base}/p2/${name}.json`)).body.packages[name]), ['1.2.3'])
})

test('many versions that say much, as they were kept before there was a limit, are listed under their digest', async () => {
  const name = newName()
  const { project, owner, base } = await packaged(name)
  await owner.post(`${project.url}/packages/composer`, { tag: 'v1.2.3' })
  const { db } = scene.deps.database
  await sql`update packages set metadata = jsonb_set(metadata::jsonb, '{composer_json,extra}', (
      select jsonb_object_agg('key' || n, 'value') from generate_series(1, 5000) n))::json where project_id = ${project.id}`.execute(db)
  await sql`
    insert into packages (project_id, package_type, name, lookup_name, version, metadata)
    select project_id, package_type, name, lookup_name, '1.2.' || patch, metadata
    from packages, generate_series(4, 45) patch where project_id = ${project.id} order by patch`.execute(db)
  const hash = (await owner.get(`${base}/packages.json`)).body['provider-includes']['p/%hash%.json'].sha256
  const { sha256 } = (await owner.get(`${base}/p/${hash}.json`)).body.providers[name]
  const found = await owner.get(`${base}/${name}$${sha256}.json`)
  assert.equal(digest(found.bytes), sha256)
  assert.equal(Object.keys(found.body.packages[name]).length, 43)
})

test('what is no package of Composer is refused', async () => {
  const name = newName()
  const { project, owner, base } = await packaged(name)
  const publish = (body: object) => owner.post(`${project.url}/packages/composer`, body)
  const neither = { status: 400, body: { message: '400 (Bad request) "tag" not given' } }
  assert.deepEqual(await publish({}), neither)
  assert.deepEqual(await publish({ tag: '' }), neither)
  assert.equal((await publish({ tag: 'v1.2.3', branch: 'main' })).status, 400)
  assert.deepEqual(await publish({ tag: 'v9' }), { status: 404, body: { message: '404 Tag Not Found' } })
  for (const branch of ['none', 'v1.2.3', '../main'])
    assert.deepEqual(await publish({ branch }), { status: 404, body: { message: '404 Branch Not Found' } }, branch)
  await owner.post(`${project.url}/repository/tags`, { tag_name: 'release', ref: 'main' })
  assert.deepEqual(await publish({ tag: 'release' }), { status: 400, body: { message: 'Validation failed: Version is invalid' } })
  const { project: other } = await scene.project({ owner })
  await commitFiles(owner, other, { 'README.md': 'Nothing.\n' })
  const inOther = () => owner.post(`${other.url}/packages/composer`, { branch: 'main' })
  assert.deepEqual(await inOther(), { status: 422, body: { message: 'The file composer.json was not found' } })
  const deep = (levels: number) => `{"name":"${newName()}","extra":${'['.repeat(levels)}${']'.repeat(levels)}}`
  for (const text of ['{', '[]', '7', deep(80), deep(100_000)]) {
    await commitFiles(owner, other, { 'composer.json': text })
    assert.deepEqual(
      await inOther(),
      { status: 422, body: { message: 'Could not parse composer.json file. Invalid JSON.' } },
      text.slice(0, 60),
    )
  }
  const unkeepable = ['"\\u0000"', '"\\ud800"', '{"\\u0000":1}', `"${'x'.repeat(66_000)}"`]
  for (const value of unkeepable) {
    await commitFiles(owner, other, { 'composer.json': `{"name":"${newName()}","extra":${value}}` })
    const refused = { status: 400, body: { message: 'Validation failed: composer.json cannot be kept, or says more than 65536 bytes' } }
    assert.deepEqual(await inOther(), refused, value.slice(0, 20))
  }
  for (const wrong of [undefined, 'thing', 'team/', 'team/a b', '../thing', 'team/thing/more', `team/${'a'.repeat(300)}`]) {
    await commitFiles(owner, other, { 'composer.json': JSON.stringify({ name: wrong }) })
    assert.deepEqual(await inOther(), { status: 400, body: { message: 'Validation failed: Name is invalid' } }, wrong)
  }
  assert.equal((await publish({ tag: 'v1.2.3' })).status, 201)
  await commitFiles(owner, other, { 'composer.json': JSON.stringify({ name }) })
  assert.deepEqual(await inOther(), { status: 400, body: { message: 'Validation failed: Name is already taken by another project' } })
  assert.deepEqual((await owner.get(`${other.url}/packages`)).body, [])
  for (const path of ['p2/team/none.json', `p2/${name}~dev.json`, name, `${name}$`])
    assert.equal((await owner.get(`${base}/${path}`)).status, 404, path)
})

test('who may: as with all packages; callers without credentials are asked for them', async () => {
  const name = newName()
  const { project, group, owner, sha, base, ...people } = await packaged(name)
  await owner.post(`${project.url}/packages/composer`, { tag: 'v1.2.3' })
  const statuses = async (client: Client) => [
    (await client.get(`${base}/packages.json`)).status,
    (await client.get(`${base}/p2/${name}.json`)).status,
    (await client.get(`${project.url}/packages/composer/archives/${name}.zip`, { sha })).status,
    (await client.post(`${project.url}/packages/composer`, { branch: 'main' })).status,
  ]
  assert.deepEqual(await statuses(scene.anonymous), [401, 401, 401, 401])
  assert.deepEqual(await statuses(await scene.user()), [404, 404, 404, 404])
  assert.deepEqual(await statuses(people.guest), [403, 403, 403, 403])
  assert.deepEqual(await statuses(people.reporter), [200, 200, 200, 403])
  assert.deepEqual(await statuses(basic(people.developer.username, people.developer.token)), [200, 200, 200, 201])
  const job = await runningJob(scene, project, owner)
  assert.deepEqual((await statuses(basic('gitlab-ci-token', job.token))).slice(2), [200, 201])
  const make = async (scopes: string[]) => (await owner.post(`${group.url}/deploy_tokens`, { name: 'ci', scopes })).body
  const [reader, writer] = [await make(['read_package_registry']), await make(['write_package_registry'])]
  const both = await make(['write_package_registry', 'read_repository'])
  assert.deepEqual(await statuses(basic(reader.username, reader.token)), [200, 200, 200, 403])
  assert.deepEqual(await statuses(basic(writer.username, writer.token)), [200, 200, 403, 403])
  assert.deepEqual(await statuses(basic(both.username, both.token)), [200, 200, 200, 201])
  await owner.put(group.url, { visibility: 'public' })
  await owner.put(project.url, { visibility: 'public', repository_access_level: 'private' })
  assert.deepEqual((await statuses(scene.anonymous)).slice(2), [401, 401])
  assert.deepEqual((await statuses(await scene.user())).slice(2), [403, 403])
  assert.deepEqual((await statuses(people.reporter)).slice(2), [200, 403])
  assert.deepEqual((await statuses(basic(reader.username, reader.token))).slice(2), [200, 403])
  await owner.put(project.url, { repository_access_level: 'disabled' })
  assert.deepEqual((await statuses(owner)).slice(2), [403, 403])
  await owner.put(project.url, { packages_enabled: false })
  assert.deepEqual(await statuses(owner), [200, 404, 403, 403])
})
