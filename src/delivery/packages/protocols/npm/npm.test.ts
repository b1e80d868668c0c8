/** Publications of npm as they come over the wire: what is refused, and what is kept. Tests with the real client: test/clients/npm.test.ts. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Client, openScene, type SceneProject } from '../../../../../test/scene.ts'
import { storedBytes } from '../../../../../test/stored_bytes.ts'
import { DOCUMENT_LIMIT, PublishedDocument } from './document.ts'

const scene = await openScene()

/** What npm sends for a version. */
function documentOf(name: string, version: string, tarball: Buffer, changes: object = {}, dist: object = {}) {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const file = `${name.split('/').at(-1)}-${version}.tgz`
  return {
    _id: name,
    name,
    'dist-tags': { latest: version },
    versions: {
      [version]: { name, version, dist: { shasum: createHash('sha1').update(tarball).digest('hex'), integrity, ...dist } },
    },
    _attachments: {
      [file]: { content_type: 'application/octet-stream', data: tarball.toString('base64'), length: tarball.length },
    },
    ...changes,
  }
}

const at = (project: SceneProject, name: string) => `${project.url}/packages/npm/${name.replace('/', '%2f')}`
const publish = (client: Client, project: SceneProject, name: string, body: object | string) =>
  client.request('PUT', at(project, name), { body, headers: { 'content-type': 'application/json' } })

test('the tarball comes back as it was sent, from the address in the metadata', async () => {
  const { project, owner } = await scene.project()
  const tarball = randomBytes(300_001)
  assert.equal((await publish(owner, project, '@team/thing', documentOf('@team/thing', '1.0.0', tarball))).status, 200)
  const { body } = await owner.get(at(project, '@team/thing'))
  const { dist } = body.versions['1.0.0']
  assert.equal(dist.tarball, `${scene.url}/api/v4/projects/${project.id}/packages/npm/@team/thing/-/thing-1.0.0.tgz`)
  assert.ok((await owner.get(dist.tarball)).bytes.equals(tarball))
  assert.equal(dist.shasum, createHash('sha1').update(tarball).digest('hex'))
  assert.equal((await scene.anonymous.get(at(project, '@team/thing'))).status, 404)
  assert.equal((await scene.anonymous.get('/packages/npm/@team%2fthing')).status, 404)
})

test('the registry of the instance finds the packages whose scope is the path at the top, and nobody takes that from them', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { group: below } = await scene.group({ owner, parent: group, visibility: 'public' })
  const { project } = await scene.project({ group: below, owner, visibility: 'public' })
  const { project: other, owner: thief } = await scene.project({ visibility: 'public' })
  const name = `@${group.path}/thing`
  await publish(owner, project, name, documentOf(name, '1.0.0', randomBytes(10)))
  for (const taken of [name, 'thing'])
    assert.equal((await publish(thief, other, taken, documentOf(taken, '9.9.9', randomBytes(10)))).status, 200)
  const seen = await scene.anonymous.get(`/packages/npm/${name.replace('/', '%2f')}`)
  assert.deepEqual([Object.keys(seen.body.versions), seen.body['dist-tags']], [['1.0.0'], { latest: '1.0.0' }])
  const tags = await scene.anonymous.get(`/packages/npm/-/package/${name.replace('/', '%2f')}/dist-tags`)
  assert.deepEqual(tags.body, { latest: '1.0.0' })
  for (const path of ['thing', '-/package/thing/dist-tags', `@${below.path}%2fthing`])
    assert.deepEqual(await scene.anonymous.get(`/packages/npm/${path}`), { status: 404, body: { message: '404 Package Not Found' } })
})

/** Two projects of a group with an owner of both, and a Developer of the second one alone. */
async function siblings() {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project } = await scene.project({ group, owner, visibility: 'public' })
  const { project: other, developer } = await scene.project({ group, owner, visibility: 'public', members: ['developer'] })
  return { group, owner, project, other, developer, name: `@${group.path}/thing` }
}

const versionOf = async (name: string) =>
  Object.keys((await scene.anonymous.get(`/packages/npm/${name.replace('/', '%2f')}`)).body.versions)
const exists = { status: 400, body: { message: 'Validation failed: Package already exists' } }

test('a name below the path of its scope is of the project that had it first', async () => {
  const { owner, project, other, developer, name } = await siblings()
  const publishIn = (client: Client, place: SceneProject, version: string, named = name) =>
    publish(client, place, named, documentOf(named, version, randomBytes(10)))
  assert.equal((await publishIn(owner, project, '1.0.0')).status, 200)
  for (const version of ['1.0.0', '9.0.0']) assert.deepEqual(await publishIn(developer, other, version), exists)
  assert.deepEqual((await owner.get(`${other.url}/packages`)).body, [])
  for (const free of ['thing', '@elsewhere/thing']) assert.equal((await publishIn(developer, other, '1.0.0', free)).status, 200, free)
  assert.equal((await publishIn(owner, project, '1.1.0')).status, 200)

  // As earlier versions let it come about.
  await scene.deps.database.pool.query(
    `insert into packages (project_id, package_type, name, lookup_name, version, metadata) values ($1, 'npm', $2, $2, '9.0.0', '{}')`,
    [other.id, name],
  )
  assert.deepEqual(await versionOf(name), ['1.0.0', '1.1.0'])
  assert.equal((await publishIn(owner, project, '1.2.0')).status, 200)
  assert.deepEqual(await publishIn(developer, other, '9.1.0'), exists)
})

test('of two projects that publish a name concurrently one gets it', async () => {
  const { owner, project, other, name } = await siblings()
  const answers = await Promise.all(
    [project, other].map(place => publish(owner, place, name, documentOf(name, '1.0.0', randomBytes(1_000)))),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
})

test('a project, or a group, is not moved to where another project has one of its names', async () => {
  const { group, owner, project, name } = await siblings()
  const { project: comes } = await scene.project({ owner, visibility: 'public' })
  const { group: outside } = await scene.group({ owner, visibility: 'public' })
  const { project: below } = await scene.project({ owner, group: outside, visibility: 'public' })
  const message = `Another project in ${group.path} has the npm package ${name}`
  // The one outside has it earlier: it would be served instead.
  for (const place of [comes, below]) await publish(owner, place, name, documentOf(name, '9.0.0', randomBytes(10)))
  assert.equal((await publish(owner, project, name, documentOf(name, '1.0.0', randomBytes(10)))).status, 200)

  const ofProject = await owner.put(`${comes.url}/transfer`, { namespace: group.id })
  const ofGroup = await owner.post(`${outside.url}/transfer`, { group_id: group.id })

  for (const { status, body } of [ofProject, ofGroup]) assert.deepEqual([status, body.message.includes(message)], [400, true], body.message)
  assert.deepEqual(await versionOf(name), ['1.0.0'])
  await owner.delete(`${comes.url}/packages/${(await owner.get(`${comes.url}/packages`)).body[0].id}`)
  assert.equal((await owner.put(`${comes.url}/transfer`, { namespace: group.id })).status, 200)
})

test('a package of very many versions is sent whole', async () => {
  const { project, owner } = await scene.project()
  const versions = Array.from({ length: 61 }, (_, n) => `1.0.${n}`)
  for (const version of versions) await publish(owner, project, 'many', documentOf('many', version, Buffer.from(version)))
  const { body } = await owner.get(at(project, 'many'))
  assert.deepEqual(Object.keys(body.versions), versions)
})

test('of concurrent publications of one version one is kept, and the others are refused', async () => {
  const { project, owner } = await scene.project()
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => publish(owner, project, 'thing', documentOf('thing', '1.0.0', randomBytes(1_000)))),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403, 403, 403])
  const [{ id }] = (await owner.get(`${project.url}/packages`)).body
  assert.equal((await owner.get(`${project.url}/packages/${id}/package_files`)).body.length, 1)
})

test('documents that lie, or are none, are refused and leave nothing', async () => {
  const { project, owner } = await scene.project()
  const tarball = randomBytes(1_000)
  const thing = (changes: object = {}, dist: object = {}) => documentOf('thing', '1.0.0', tarball, changes, dist)
  const refused: Record<string, object | string> = {
    'no JSON': '{"name": "thing"',
    'a list': [] as object,
    'another name': thing({ name: 'other' }),
    'no versions': thing({ versions: undefined }),
    'versions of another kind': thing({ versions: 'all' }),
    'two versions': thing({ versions: { '1.0.0': {}, '1.0.1': {} } }),
    'a version that is none': documentOf('thing', '../1.0.0', tarball),
    'a tag that is a version': thing({ 'dist-tags': { '1.0.0': '1.0.0' } }),
    'an attachment that is a path': thing({ _attachments: { '..': { data: tarball.toString('base64') } } }),
    'data that is not base64': thing({ _attachments: { 'thing-1.0.0.tgz': { data: '%%%%' } } }),
    'another length': thing({ _attachments: { 'thing-1.0.0.tgz': { data: tarball.toString('base64'), length: 5 } } }),
    'another shasum': thing({}, { shasum: 'a'.repeat(40) }),
    'another integrity': thing({}, { integrity: `sha512-${Buffer.alloc(64).toString('base64')}` }),
    'metadata that is too deep': `{"name": "thing", "versions": {"1.0.0": {"bin": ${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`,
    'metadata that all who install it would read': thing({ versions: { '1.0.0': { dependencies: { other: 'x'.repeat(70_000) } } } }),
    'huge metadata': thing({ readme: 'x'.repeat(DOCUMENT_LIMIT) }),
  }
  for (const [what, body] of Object.entries(refused)) assert.equal((await publish(owner, project, 'thing', body)).status, 400, what)
  for (const name of ['..', '.hidden', '@team', 'a'.repeat(256), '@../thing'])
    assert.equal((await publish(owner, project, name, thing({ name }))).status, 400, name)
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.packages_size, 0)
})

test('a project with a storage limit takes no version beyond it', async () => {
  const { project, owner } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  assert.equal((await publish(owner, project, 'thing', documentOf('thing', '1.0.0', randomBytes(900_000)))).status, 200)
  assert.equal((await publish(owner, project, 'thing', documentOf('thing', '1.0.1', randomBytes(200_000)))).status, 413)
  assert.equal((await publish(owner, project, 'thing', documentOf('thing', '1.0.2', randomBytes(100_000)))).status, 200)
})

test('a version that is refused when it has come leaves no bytes', async () => {
  const { project, owner } = await scene.project()
  assert.equal((await publish(owner, project, 'thing', documentOf('thing', '1.0.0', randomBytes(1_000)))).status, 200)
  const before = await storedBytes(scene.deps.config)
  assert.equal((await publish(owner, project, 'thing', documentOf('thing', '1.0.0', randomBytes(100_000)))).status, 403)
  assert.equal((await publish(owner, project, 'thing', documentOf('other', '1.0.0', randomBytes(100_000)))).status, 400)
  assert.equal(await storedBytes(scene.deps.config), before)
})

test('what is unpublished is what the client has seen, and nothing that came meanwhile', async () => {
  const { project, owner } = await scene.project()
  const versions = async () => Object.keys((await owner.get(at(project, 'thing'))).body.versions)
  const seen = async () => (await owner.get(at(project, 'thing'), { write: true })).body
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) await publish(owner, project, 'thing', documentOf('thing', version, randomBytes(10)))
  const { _rev, ...document } = await seen()
  assert.equal((await owner.get(at(project, 'thing'))).body._rev, undefined)
  const put = (body: object, revision = _rev) =>
    owner.request('PUT', `${at(project, 'thing')}/-rev/${revision}`, { body, headers: { 'content-type': 'application/json' } })
  const without = (version: string, changes: object = {}) => {
    const { [version]: _, ...others } = document.versions
    return { ...document, versions: others, 'dist-tags': { latest: '1.1.0' }, ...changes }
  }
  const refused: Record<string, object> = {
    'another name': without('2.0.0', { name: 'other' }),
    'no versions, as of owners': { _id: 'thing', maintainers: [] },
    'no version that stays': without('2.0.0', { versions: {} }),
    'a version that is not there': without('2.0.0', { versions: { ...document.versions, '3.0.0': {} } }),
    'a tag of a version that goes': without('2.0.0', { 'dist-tags': { latest: '2.0.0' } }),
    'a tag that is a version': without('2.0.0', { 'dist-tags': { '1.0.0': '1.0.0' } }),
    'no document': [],
    'a document that is too large': without('2.0.0', { readme: 'x'.repeat(DOCUMENT_LIMIT) }),
  }
  for (const [what, body] of Object.entries(refused)) assert.equal((await put(body)).status, 400, what)
  await publish(owner, project, 'thing', documentOf('thing', '2.1.0', randomBytes(10)))
  assert.deepEqual(
    [
      await put(without('2.0.0')),
      await owner.delete(`${at(project, 'thing')}/-rev/${_rev}`),
      await owner.delete(`${at(project, 'thing')}/-/thing-1.0.0.tgz/-rev/${_rev}`),
    ].map(({ status }) => status),
    [409, 409, 409],
  )
  assert.deepEqual(await versions(), ['1.0.0', '1.1.0', '2.0.0', '2.1.0'])
  // Of concurrent ones with one revision the first is carried out.
  const { _rev: now } = await seen()
  const answers = await Promise.all([1, 2, 3].map(() => owner.delete(`${at(project, 'thing')}/-/thing-1.0.0.tgz/-rev/${now}`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409, 409])
  assert.deepEqual(await versions(), ['1.1.0', '2.0.0', '2.1.0'])
})

test('the registry of the instance changes no package', async () => {
  const { project, owner } = await scene.project()
  const name = `@${owner.username}/thing`
  assert.equal((await publish(owner, project, name, documentOf(name, '1.0.0', randomBytes(10)))).status, 200)
  const path = `/packages/npm/${name.replace('/', '%2f')}`
  assert.equal((await owner.get(path)).status, 200)
  // npm takes a later 404 for success.
  assert.deepEqual(await owner.get(path, { write: true }), {
    status: 403,
    body: { message: '403 Forbidden - Packages are changed in the registry of their project' },
  })
})

test('a document is taken apart wherever its chunks end', async () => {
  const tarball = randomBytes(100)
  const body = Buffer.from(JSON.stringify(documentOf('thing', '1.0.0', tarball, { data: 'not "this" one', readme: 'a \\ "data": "x"' })))
  for (let size = 1; size < 40; size += 3) {
    const document = new PublishedDocument()
    const came: Buffer[] = []
    document.on('data', chunk => came.push(chunk))
    for (let at = 0; at < body.length; at += size) document.write(body.subarray(at, at + size))
    await new Promise<void>(resolve => document.end(resolve))
    assert.ok(Buffer.concat(came).equals(tarball))
    assert.equal((document.parsed() as { readme: string }).readme, 'a \\ "data": "x"')
  }
})
