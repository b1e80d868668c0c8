/** The repository of Maven as it comes over the wire. Tests with the real client: test/clients/maven.test.ts. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Client, openScene, type SceneGroup, type SceneProject } from '../../../../../test/scene.ts'
import { runningJob } from '../../../../ci/jobs/scene.ts'
import { mavenFileAt, packageOfFile } from './paths.ts'

const scene = await openScene()

const digest = (name: string, bytes: Buffer | string) => createHash(name).update(bytes).digest('hex')
const at = (project: SceneProject, path: string) => `${project.url}/packages/maven/${path}`
const inGroup = (group: SceneGroup, path: string) => `${group.url}/-/packages/maven/${path}`
const put = (client: Client, project: SceneProject, path: string, body: Buffer | string = 'bytes') =>
  client.request('PUT', at(project, path), { body, headers: { 'content-type': 'application/octet-stream' } })

const jar = 'org/example/thing/1.0.0/thing-1.0.0.jar'
const metadata = 'org/example/thing/maven-metadata.xml'

test('files and their digests are published, compared and read', async () => {
  const { project, owner } = await scene.project()
  const bytes = randomBytes(70_000)
  assert.deepEqual(await put(owner, project, jar, bytes), { status: 200, body: undefined })
  assert.equal((await put(owner, project, `${jar}.sha1`, digest('sha1', bytes))).status, 204)
  assert.deepEqual(await put(owner, project, `${jar}.sha1`, digest('sha1', 'other')), { status: 409, body: { message: '409 Conflict' } })
  assert.equal((await put(owner, project, `${jar}.md5`, digest('md5', bytes))).status, 200)
  assert.equal((await put(owner, project, 'org/example/thing/1.0.0/other.jar.sha1', digest('sha1', bytes))).status, 404)

  const read = await owner.get(at(project, jar))
  assert.ok(read.bytes.equals(bytes))
  for (const name of ['sha1', 'md5']) {
    const { status, body, headers } = await owner.get(at(project, `${jar}.${name}`))
    assert.deepEqual([status, body, headers['content-type']], [200, digest(name, bytes), 'text/plain'])
  }
  const head = await owner.head(at(project, jar))
  assert.deepEqual([head.status, head.headers['content-length']], [200, '70000'])
  assert.deepEqual(await owner.get(at(project, `${jar}x`)), { status: 404, body: { message: '404 Package Not Found' } })

  const [listed, ...others] = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual([listed.name, listed.version, listed.package_type, others], ['org/example/thing', '1.0.0', 'maven', []])
  const files = (await owner.get(`${project.url}/packages/${listed.id}/package_files`)).body
  assert.deepEqual(
    files.map((file: Record<string, unknown>) => [file.file_name, file.file_sha1]),
    [['thing-1.0.0.jar', digest('sha1', bytes)]],
  )
})

test('the newest metadata is read: above all versions it has a package of its own, that of a snapshot is with its builds', async () => {
  const { project, owner } = await scene.project()
  const snapshot = 'org/example/thing/2.0-SNAPSHOT'
  await put(owner, project, jar)
  for (const says of ['first', 'second']) {
    await put(owner, project, metadata, says)
    await put(owner, project, `${snapshot}/maven-metadata.xml`, `snapshot ${says}`)
  }
  await put(owner, project, `${snapshot}/thing-2.0-20210601.120000-1.jar`)
  assert.equal((await owner.get(at(project, metadata))).bytes.toString(), 'second')
  assert.equal((await owner.get(at(project, `${snapshot}/maven-metadata.xml`))).bytes.toString(), 'snapshot second')
  assert.equal((await owner.get(at(project, `${metadata}.sha1`))).body, digest('sha1', 'second'))
  const versions = async (query = {}) =>
    (await owner.get(`${project.url}/packages`, query)).body.map((row: { version: string | null }) => row.version)
  assert.deepEqual(await versions(), ['1.0.0', '2.0-SNAPSHOT'])
  assert.deepEqual(await versions({ include_versionless: true }), ['1.0.0', null, '2.0-SNAPSHOT'])
})

test('files of one version that come concurrently belong to one package', async () => {
  const { project, owner } = await scene.project()
  const names = ['thing-1.0.0.jar', 'thing-1.0.0.pom', 'thing-1.0.0-sources.jar', 'thing-1.0.0.jar']
  const answers = await Promise.all(names.map(name => put(owner, project, `org/example/thing/1.0.0/${name}`, name)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  const [{ id }, ...others] = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual(others, [])
  assert.equal((await owner.get(`${project.url}/packages/${id}/package_files`)).body.length, 4)
})

test('paths that no file of Maven has, and files that are too large, are refused', async () => {
  const { project, owner } = await scene.project()
  const paths = [
    'thing.jar',
    'org/thing.jar',
    'org/../thing/1.0/a.jar',
    'org/thing/1.0/a b.jar',
    'org/thing/1.0/a$.jar',
    `org/thing/1.0/${'a'.repeat(256)}`,
  ]
  for (const path of paths) assert.equal((await put(owner, project, path.replaceAll(' ', '%20').replace('..', '%2e%2e'))).status, 400, path)
  assert.equal((await put(owner, project, `${jar}.sha1`, 'x'.repeat(2_000))).status, 400)
  await scene.root.put('/application/plan_limits', { plan_name: 'default', maven_max_file_size: 4 })
  const large = await put(owner, project, jar)
  await scene.root.put('/application/plan_limits', { plan_name: 'default', maven_max_file_size: 3_221_225_472 })
  assert.deepEqual(large, { status: 400, body: { message: '400 Bad request - File is too large' } })
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('who may: as with all packages, by each header', async () => {
  const { project, owner, ...people } = await scene.project({ members: ['guest', 'reporter', 'developer'] })
  await put(owner, project, jar)
  const statuses = async (client: Client) => [
    (await client.get(at(project, jar))).status,
    (await put(client, project, 'org/example/thing/1.0.0/more.jar')).status,
  ]
  assert.deepEqual(await statuses(scene.anonymous), [404, 401])
  assert.deepEqual(await statuses(await scene.user()), [404, 404])
  assert.deepEqual(await statuses(people.guest), [403, 403])
  assert.deepEqual(await statuses(people.reporter), [200, 403])
  assert.deepEqual(await statuses(people.developer), [200, 200])
  const job = await runningJob(scene, project, owner)
  assert.deepEqual(await statuses(scene.as({ 'job-token': job.token })), [200, 200])
  const make = async (scopes: string[]) => (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes })).body.token
  assert.deepEqual(await statuses(scene.as({ 'deploy-token': await make(['read_package_registry']) })), [200, 403])
  assert.deepEqual(await statuses(scene.as({ 'deploy-token': await make(['write_package_registry']) })), [200, 200])
  await owner.put(project.url, { packages_enabled: false })
  assert.deepEqual(await statuses(owner), [403, 403])
})

test('a group has the files of its projects, the instance those of artifacts that are named like their project', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const own = `${project.full_path}/1.0/${project.path}-1.0.jar`
  await put(owner, project, jar, 'of the group')
  await put(owner, project, own, 'of the instance')
  await put(owner, project, `${project.full_path}/maven-metadata.xml`, 'versions')
  const ofInstance = (path: string) => `/packages/maven/${path}`
  assert.equal((await owner.get(inGroup(group, jar))).bytes.toString(), 'of the group')
  assert.equal((await owner.get(ofInstance(own))).bytes.toString(), 'of the instance')
  assert.equal((await owner.get(ofInstance(`${project.full_path}/maven-metadata.xml`))).bytes.toString(), 'versions')
  assert.equal((await owner.get(ofInstance(jar))).status, 404)
  const outsider = await scene.user()
  for (const client of [outsider, scene.anonymous])
    for (const path of [inGroup(group, jar), ofInstance(own)]) assert.equal((await client.get(path)).status, 404, path)
  await owner.put(project.url, { packages_enabled: false })
  for (const path of [inGroup(group, jar), ofInstance(own)]) assert.equal((await owner.get(path)).status, 404, path)
})

test('a project with a storage limit takes no file beyond it', async () => {
  const { project, owner } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  assert.equal((await put(owner, project, jar, randomBytes(1_100_000))).status, 413)
})

test('a path says package, version and file', () => {
  const parsed = (path: string) => {
    const file = mavenFileAt(path)
    return file && { ...packageOfFile(file), file_name: file.file_name, checksum: file.checksum }
  }
  const thing = { name: 'org/example/thing', version: '1.0', file_name: 'thing-1.0.pom', checksum: undefined }
  assert.deepEqual(parsed('org/example/thing/1.0/thing-1.0.pom'), thing)
  assert.deepEqual(parsed('org/example/thing/1.0/thing-1.0.pom.md5'), { ...thing, checksum: 'md5' })
  assert.deepEqual(parsed('org/example/thing/1.0/thing-1.0.pom.sha256'), { ...thing, file_name: 'thing-1.0.pom.sha256' })
  assert.deepEqual(parsed('a/b/maven-metadata.xml.sha1'), { name: 'a/b', version: null, file_name: 'maven-metadata.xml', checksum: 'sha1' })
  const ofSnapshot = { name: 'a/b', version: '1-SNAPSHOT', file_name: 'maven-metadata.xml', checksum: undefined }
  assert.deepEqual(parsed('a/b/1-SNAPSHOT/maven-metadata.xml'), ofSnapshot)
  for (const none of ['', '/a/b/c', 'a//b/c', 'a/./b/c', 'a/b']) assert.equal(parsed(none), undefined, none)
})
