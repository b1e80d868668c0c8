/** Rules for packages and images: who publishes and deletes what they protect, in every dialect. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { chartForm, debianPackage, formWithFile, gem, npmDocument, nugetForm, pythonForm } from '../../../test/derived/bodies.ts'
import { type Client, openScene, type SceneProject } from '../../../test/scene.ts'
import { runningJob } from '../../ci/jobs/scene.ts'
import { commitFiles } from '../../code/repository/scene.ts'
import { runCleanupPolicy } from '../container_registry/cleanup/policies.ts'
import { clientOfImage, imageClient, tokenFor } from '../container_registry/distribution/scene.ts'
import { publishedTypes } from '../packages/types.ts'

const scene = await openScene()

const rulesOf = (project: SceneProject) => `${project.url}/packages/protection/rules`
const imageRulesOf = (project: SceneProject) => `${project.url}/registry/protection/repository/rules`

const publishGeneric = (client: Client, project: SceneProject, name: string, headers: Record<string, string> = {}) =>
  client.request('PUT', `${project.url}/packages/generic/${name}/1.0.0/a.txt`, { body: Buffer.from('a'), headers })

/** How each package manager publishes, below the address of a project. */
const publications: Record<string, { method: string; path: string; type: string; content: string }> = {
  generic: { method: 'PUT', path: 'generic/thing/1.0.0/a.txt', type: 'application/octet-stream', content: 'a' },
  maven: { method: 'PUT', path: 'maven/org/example/thing/1.0.0/thing-1.0.0.jar', type: 'application/octet-stream', content: 'a' },
  npm: { method: 'PUT', path: 'npm/@team%2Fthing', type: 'application/json', content: npmDocument('1.0.0') },
  pypi: { method: 'POST', path: 'pypi', ...pythonForm('1.0.0') },
  conan: { method: 'PUT', path: `conan/v1/files/thing/1.0.0/_/_/0/export/conanfile.py`, type: 'application/octet-stream', content: 'a' },
  nuget: { method: 'PUT', path: 'nuget', ...nugetForm('1.0.0') },
  helm: { method: 'POST', path: 'helm/api/stable/charts', ...chartForm('1.0.0') },
  rubygems: { method: 'POST', path: 'rubygems/api/v1/gems', ...gem('1.0.0') },
  debian: {
    method: 'PUT',
    path: 'debian/thing_1.0.0_amd64.deb?distribution=sid&component=main',
    type: 'application/octet-stream',
    content: debianPackage('1.0.0'),
  },
  composer: { method: 'POST', path: 'composer', type: 'application/json', content: '{"branch":"main"}' },
}

test('in every dialect a protected name is published and deleted by the role of its rule alone', async () => {
  assert.deepEqual(Object.keys(publications).sort(), [...publishedTypes].sort())
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  await commitFiles(owner, project, { 'composer.json': JSON.stringify({ name: `team/guarded-${project.id}` }) })
  await owner.post(`${project.url}/debian_distributions`, { codename: 'sid' })
  const listed = async () => (await owner.get(`${project.url}/packages`)).body as { id: number; package_type: string; _links: object }[]
  for (const package_type of publishedTypes) {
    const rule = {
      package_type,
      package_name_pattern: '*',
      minimum_access_level_for_push: 'owner',
      minimum_access_level_for_delete: 'owner',
    }
    assert.equal((await owner.post(rulesOf(project), rule)).status, 201)
    const { method, path, type, content } = publications[package_type] as (typeof publications)[string]
    const publish = (client: Client) =>
      client.request(method, `${project.url}/packages/${path}`, { body: Buffer.from(content, 'latin1'), headers: { 'content-type': type } })
    assert.deepEqual(await publish(maintainer), { status: 403, body: { message: '403 Forbidden - Package protected.' } }, package_type)
    assert.deepEqual(await listed(), [], package_type)
    const { status } = await publish(owner)
    assert.ok(status === 200 || status === 201, `${package_type}: ${status}`)
    const [one] = await listed()
    assert.equal(one?.package_type, package_type)
    const at = `${project.url}/packages/${one?.id}`
    assert.equal((await maintainer.delete(at)).status, 403, package_type)
    const [file] = (await owner.get(`${at}/package_files`)).body
    if (file) assert.equal((await maintainer.delete(`${at}/package_files/${file.id}`)).status, 403, package_type)
    const links = async (client: Client) => Object.keys((await client.get(at)).body._links)
    assert.deepEqual([await links(maintainer), await links(owner)], [['web_path'], ['web_path', 'delete_api_path']])
    assert.equal((await owner.delete(at)).status, 204, package_type)
  }
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.packages_size, 0)
})

test('tags, deprecation and unpublication of npm, and the deletions of other clients, are protected too', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const json = { 'content-type': 'application/json' }
  const thing = `${project.url}/packages/npm/@team%2Fthing`
  await owner.request('PUT', thing, { body: Buffer.from(npmDocument('1.0.0')), headers: json })
  const nuget = nugetForm('1.0.0')
  await owner.request('PUT', `${project.url}/packages/nuget`, {
    body: Buffer.from(nuget.content, 'latin1'),
    headers: { 'content-type': nuget.type },
  })
  const ruby = gem('1.0.0')
  await owner.request('POST', `${project.url}/packages/rubygems/api/v1/gems`, {
    body: Buffer.from(ruby.content, 'latin1'),
    headers: { 'content-type': ruby.type },
  })
  for (const [package_type, package_name_pattern] of [
    ['npm', '@team/*'],
    ['nuget', 'team.THING'],
    ['rubygems', '*'],
  ]) {
    const levels = { minimum_access_level_for_push: 'owner', minimum_access_level_for_delete: 'owner' }
    await owner.post(rulesOf(project), { package_type, package_name_pattern, ...levels })
  }
  const { _rev } = (await owner.get(thing, { write: true })).body
  const tags = `${project.url}/packages/npm/-/package/@team%2Fthing/dist-tags`
  const deprecated = { name: '@team/thing', versions: { '1.0.0': { deprecated: 'old' } } }
  const attempts = (client: Client) => [
    client.request('PUT', `${tags}/stable`, { body: Buffer.from('"1.0.0"'), headers: json }),
    client.delete(`${tags}/next`),
    client.request('PUT', thing, { body: deprecated, headers: json }),
    client.delete(`${thing}/-rev/${_rev}`),
    client.delete(`${project.url}/packages/nuget/Team.Thing/1.0.0`),
    client.request('DELETE', `${project.url}/packages/rubygems/api/v1/gems/yank`, { body: { gem_name: 'thing', version: '1.0.0' } }),
  ]
  for (const attempt of attempts(maintainer)) {
    assert.deepEqual(await attempt.then(({ status }) => status), 403)
  }
  assert.equal((await owner.get(`${project.url}/packages`)).body.length, 3)
  assert.equal((await owner.get(thing)).body.versions['1.0.0'].deprecated, undefined)
  assert.equal((await owner.delete(`${thing}/-rev/${_rev}`)).status, 204)
})

test('who may delete but not publish unpublishes versions of npm with their tags, and changes no other tag', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const json = { 'content-type': 'application/json' }
  const thing = `${project.url}/packages/npm/@team%2Fthing`
  for (const version of ['1.0.0', '1.1.0', '2.0.0'])
    assert.equal((await owner.request('PUT', thing, { body: Buffer.from(npmDocument(version)), headers: json })).status, 200)
  const rule = { package_type: 'npm', package_name_pattern: '@team/*', minimum_access_level_for_push: 'owner' }
  await owner.post(rulesOf(project), rule)
  const { _rev, ...document } = (await maintainer.get(thing, { write: true })).body
  const { '2.0.0': _, ...others } = document.versions
  const put = async (versions: object, tags: object) =>
    (
      await maintainer.request('PUT', `${thing}/-rev/${_rev}`, {
        body: { ...document, versions, 'dist-tags': tags },
        headers: json,
      })
    ).status
  assert.equal(await put(document.versions, { latest: '1.0.0' }), 403)
  assert.equal(await put(document.versions, { latest: '2.0.0', stable: '1.0.0' }), 403)
  assert.equal(await put(others, { latest: '1.1.0', stable: '1.0.0' }), 403)
  assert.equal(await put(others, { latest: '1.1.0' }), 204)
  const { body } = await owner.get(thing)
  assert.deepEqual([Object.keys(body.versions), body['dist-tags']], [['1.0.0', '1.1.0'], { latest: '1.1.0' }])
})

test('jobs have the role of their user, deploy tokens none, and names are compared as their package manager does', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const made = await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes: ['write_package_registry'] })
  const deploy = { 'deploy-token': made.body.token }
  assert.equal((await publishGeneric(scene.anonymous, project, 'guarded', deploy)).status, 201)
  const rule = { package_type: 'generic', package_name_pattern: 'guard*', minimum_access_level_for_push: 'maintainer' }
  await owner.post(rulesOf(project), rule)
  assert.equal((await publishGeneric(scene.anonymous, project, 'guarded', deploy)).status, 403)
  assert.equal((await publishGeneric(scene.anonymous, project, 'other', deploy)).status, 201)
  for (const [user, status] of [
    [developer, 403],
    [owner, 201],
  ] as const) {
    const { token } = await runningJob(scene, project, user)
    assert.equal((await publishGeneric(scene.anonymous, project, 'guarded', { 'job-token': token })).status, status)
  }
  // An administrator who is no member is above the owners; of several rules the strictest holds.
  await owner.post(rulesOf(project), { ...rule, package_name_pattern: 'guarded', minimum_access_level_for_push: 'admin' })
  assert.equal((await publishGeneric(owner, project, 'guarded')).status, 403)
  assert.equal((await publishGeneric(scene.root, project, 'guarded')).status, 201)

  await owner.post(rulesOf(project), { ...rule, package_type: 'pypi', package_name_pattern: 'SAM_ple' })
  const python = pythonForm('1.0.0')
  const twine = (client: Client) =>
    client.request('POST', `${project.url}/packages/pypi`, {
      body: Buffer.from(python.content, 'latin1'),
      headers: { 'content-type': python.type },
    })
  assert.equal((await twine(developer)).status, 201)
  await owner.post(rulesOf(project), { ...rule, package_type: 'pypi', package_name_pattern: 'SAM*' })
  assert.equal((await twine(developer)).status, 403)
})

test('rules are added, changed and removed, and say what is wrong with them', async () => {
  const { project, owner } = await scene.project()
  const rule = { package_type: 'npm', package_name_pattern: '@team/*', minimum_access_level_for_push: 'maintainer' }
  const { status, body } = await owner.post(rulesOf(project), rule)
  assert.equal(status, 201)
  assert.deepEqual(body, { id: body.id, project_id: project.id, ...rule, minimum_access_level_for_delete: null })
  assert.deepEqual(await owner.post(rulesOf(project), rule), {
    status: 422,
    body: { message: ['Package name pattern has already been taken'] },
  })
  const at = `${rulesOf(project)}/${body.id}`
  const none = { status: 422, body: { message: ['A rule must have at least a minimum access role for push or delete.'] } }
  assert.deepEqual(await owner.post(rulesOf(project), { ...rule, minimum_access_level_for_push: null }), none)
  assert.deepEqual(await owner.patch(at, { minimum_access_level_for_push: null }), none)
  assert.equal((await owner.post(rulesOf(project), { ...rule, minimum_access_level_for_push: 'developer' })).status, 400)
  assert.equal((await owner.post(rulesOf(project), { ...rule, package_type: 'golang' })).status, 400)
  assert.equal((await owner.post(rulesOf(project), { ...rule, package_name_pattern: ' \t' })).status, 400)
  const changed = await owner.patch(at, {
    minimum_access_level_for_push: null,
    minimum_access_level_for_delete: 'admin',
    package_type: 'pypi',
  })
  assert.deepEqual(changed, {
    status: 200,
    body: { ...body, package_type: 'pypi', minimum_access_level_for_push: null, minimum_access_level_for_delete: 'admin' },
  })
  assert.deepEqual((await owner.get(rulesOf(project))).body, [changed.body])
  assert.equal((await owner.delete(at)).status, 204)
  assert.deepEqual((await owner.get(rulesOf(project))).body, [])
})

test('a protected image is pushed and deleted by the role of its rule, and kept by policies', async () => {
  const { project, owner, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })
  const path = project.full_path.toLowerCase()
  const login = ({ username, token }: { username: string; token: string }) => ({ username, password: token })
  await (await imageClient(scene, `${path}/web`, login(developer))).image('old', undefined, '2019-05-01T10:00:00Z')
  await (await imageClient(scene, `${path}/free`, login(developer))).image('old', undefined, '2019-05-01T10:00:00Z')
  const levels = { minimum_access_level_for_push: 'maintainer', minimum_access_level_for_delete: 'owner' }
  const rule = { repository_path_pattern: `${path}/w*`, ...levels }
  const outside = { status: 422, body: { message: ["Repository path pattern should start with the project's full path"] } }
  for (const repository_path_pattern of ['web', `${path}web`, `other/${path}`])
    assert.deepEqual(await owner.post(imageRulesOf(project), { ...rule, repository_path_pattern }), outside)
  const { body } = await owner.post(imageRulesOf(project), rule)
  assert.deepEqual(body, { id: body.id, project_id: project.id, ...rule })

  // Tokens do not name what a rule refuses.
  const push = async (who: typeof developer, name: string) =>
    (await (await imageClient(scene, `${path}/${name}`, login(who))).send('POST', 'blobs/uploads/', Buffer.alloc(0))).status
  assert.deepEqual(
    [await push(developer, 'web'), await push(developer, 'window'), await push(developer, 'free'), await push(maintainer, 'web')],
    [401, 401, 202, 202],
  )
  // Deploy tokens have no role.
  const made = await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes: ['write_registry', 'read_registry'] })
  const deploy = { username: made.body.username, password: made.body.token }
  const of = await imageClient(scene, `${path}/web`, deploy)
  assert.equal((await of.manifest('new', {})).status, 401)
  assert.equal((await of.get('tags/list')).status, 200)

  const [web] = (await owner.get(`${project.url}/registry/repositories`)).body.filter(({ name }: { name: string }) => name === 'web')
  const at = `${project.url}/registry/repositories/${web.id}`
  const deletions = (client: Client) => [
    client.delete(`${at}/tags/old`),
    client.request('DELETE', `${at}/tags`, { body: { name_regex_delete: '.*' } }),
    client.delete(at),
  ]
  for (const deletion of deletions(maintainer)) assert.equal((await deletion).status, 403)
  const registry = await imageClient(scene, `${path}/web`, login(maintainer), 'pull,push,delete')
  const { digest } = (await maintainer.get(`${at}/tags/old`)).body
  for (const reference of ['old', digest]) assert.equal((await registry.delete(`manifests/${reference}`)).status, 401)
  const policy = { enabled: true, cadence: '1d', keep_n: null, older_than: '7d', name_regex_delete: '.*' }
  await owner.put(project.url, { container_expiration_policy_attributes: policy })
  await runCleanupPolicy(scene.deps, { project_id: project.id })
  const repositories = (await owner.get(`${project.url}/registry/repositories`, { tags_count: true })).body
  assert.deepEqual(
    repositories.map(({ name, tags_count }: { name: string; tags_count: number }) => [name, tags_count]),
    [
      ['web', 1],
      ['free', 0],
    ],
  )
  // The rule follows the project to another path.
  await owner.put(project.url, { path: `${project.path}-2` })
  assert.deepEqual((await owner.get(imageRulesOf(project))).body, [{ ...body, repository_path_pattern: `${path}-2/w*` }])
  const moved = await owner.patch(`${imageRulesOf(project)}/${body.id}`, { repository_path_pattern: `${path}-2` })
  assert.equal(moved.body.repository_path_pattern, `${path}-2`)
  assert.equal((await owner.delete(`${imageRulesOf(project)}/${body.id}`)).status, 204)
  assert.equal((await owner.delete(at)).status, 202)
})

/** Announces a long body, sends the beginning of it, and answers the status that comes before the rest. */
async function statusBeforeRest(
  method: string,
  url: string,
  headers: Record<string, string>,
  beginning: string | Buffer = '{"',
): Promise<number | undefined> {
  const { hostname, port, pathname, search } = new URL(url)
  const all = { 'content-type': 'application/octet-stream', ...headers, 'content-length': '50000000' }
  const request = httpRequest({ hostname, port, method, path: pathname + search, headers: all, agent: false })
  const answered = once(request, 'response')
  request.write(beginning)
  const [response] = (await answered) as [IncomingMessage]
  // It is destroyed below, which raises an error on it.
  request.on('error', () => {})
  request.destroy()
  return response.statusCode
}

test('a protected upload is refused before its bytes come', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const levels = { minimum_access_level_for_push: 'owner', minimum_access_level_for_delete: 'owner' }
  const headers = { 'private-token': maintainer.token }
  const paths = {
    generic: 'generic/thing/1.0.0/a.bin',
    maven: 'maven/org/example/thing/1.0.0/thing-1.0.0.jar',
    npm: 'npm/@team%2Fthing',
  }
  for (const [package_type, path] of Object.entries(paths)) {
    await owner.post(rulesOf(project), { package_type, package_name_pattern: '*', ...levels })
    const type: Record<string, string> = package_type === 'npm' ? { 'content-type': 'application/json' } : {}
    const url = `${scene.url}/api/v4${project.url}/packages/${path}`
    assert.equal(await statusBeforeRest('PUT', url, { ...headers, ...type }), 403, package_type)
  }

  const image = project.full_path.toLowerCase()
  const login = { username: maintainer.username, password: maintainer.token }
  const { body } = await tokenFor(scene, login, [`repository:${image}:pull,push`])
  const of = clientOfImage(scene, image, scene.as({ authorization: `Bearer ${body.token}` }))
  const started = await of.post('blobs/uploads/')
  assert.equal(started.status, 202)
  await owner.post(imageRulesOf(project), { repository_path_pattern: image, ...levels })
  const digest = `digest=sha256:${'0'.repeat(64)}`
  for (const [method, path] of [
    ['POST', `blobs/uploads/?${digest}`],
    ['PATCH', started.headers.location as string],
    ['PUT', `${started.headers.location}?${digest}`],
    ['PUT', 'manifests/latest'],
  ] as const)
    assert.equal(await statusBeforeRest(method, of.at(path), { authorization: `Bearer ${body.token}` }), 403, `${method} ${path}`)
})

/** An entry of a zip as clients pack it, its bytes as one character each. */
function zipEntry(name: string, content: string): string {
  const packed = deflateRawSync(content)
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(8, 8)
  header.writeUInt32LE(packed.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, Buffer.from(name), packed]).toString('latin1')
}

/** More than is looked at before a file is refused. */
const more = '\0'.repeat(300_000)

test('a protected upload is refused once its beginning has said what it is', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  const levels = { minimum_access_level_for_push: 'owner', minimum_access_level_for_delete: null }
  /** A form without its end: with more of its file, or with no more than the fields before it. */
  const begun = ({ type, content }: { type: string; content: string }, rest: string) => {
    const end = content.lastIndexOf('\r\n--')
    return { type, content: content.slice(0, end) + rest }
  }
  const nuspec = '<package><metadata><id>Team.Thing</id><version>2.0.0</version></metadata></package>'
  const nupkg = [zipEntry('_rels/.rels', 'a'), zipEntry('Team.Thing.nuspec', nuspec)].join('')
  const binary = debianPackage('2.0.0')
  const dataSize = binary.lastIndexOf('`\n') - 10
  const uploads = {
    pypi: { path: 'pypi', name: 'Sample', ...begun(pythonForm('2.0.0'), '') },
    helm: { path: 'helm/api/stable/charts', name: 'thing', ...begun(chartForm('2.0.0'), more) },
    nuget: { method: 'PUT', path: 'nuget', name: 'team.*', ...begun(formWithFile('package', 'package.nupkg', nupkg), more) },
    rubygems: { path: 'rubygems/api/v1/gems', name: 'thing', type: gem('2.0.0').type, content: gem('2.0.0').content + more },
    debian: {
      method: 'PUT',
      path: 'debian/thing_2.0.0_amd64.deb?distribution=sid&component=main',
      name: 'thing',
      type: 'application/octet-stream',
      content: `${binary.slice(0, dataSize)}40000000  ${binary.slice(dataSize + 10)}${more}`,
    },
  }
  const { db } = scene.deps.database
  const { count } = db.fn
  const objects = () => db.selectFrom('stored_objects').select(count<number>('id').as('count')).executeTakeFirstOrThrow()
  const before = await objects()
  for (const [package_type, { path, name, type, content, ...how }] of Object.entries(uploads)) {
    await owner.post(rulesOf(project), { package_type, package_name_pattern: name, ...levels })
    const { method } = { method: 'POST', ...how }
    const url = `${scene.url}/api/v4${project.url}/packages/${path}`
    const headers = { 'private-token': maintainer.token, 'content-type': type }
    assert.equal(await statusBeforeRest(method, url, headers, Buffer.from(content, 'latin1')), 403, package_type)
  }
  const source = `${scene.url}/api/v4${project.url}/packages/debian/thing_2.0.0.orig.tar.gz`
  assert.equal(await statusBeforeRest('PUT', source, { 'private-token': maintainer.token }), 403)
  assert.deepEqual(await objects(), before)
})
