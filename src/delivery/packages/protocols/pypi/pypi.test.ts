/** The registry of Python as it comes over the wire. Tests with the real clients: test/clients/python_packages.test.ts. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type Client, openScene, type SceneProject } from '../../../../../test/scene.ts'
import { runningJob } from '../../../../ci/jobs/scene.ts'

const scene = await openScene()

const digest = (bytes: Buffer, name = 'sha256') => createHash(name).update(bytes).digest('hex')
const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

type Fields = Readonly<Record<string, string>>

/** A form with a file; `first` is where the file stands: twine sends it last, and others first. */
function formOf(file: { name: string; bytes: Buffer } | undefined, fields: Fields, first = false): FormData {
  const form = new FormData()
  const addFile = () => file && form.append('content', new Blob([new Uint8Array(file.bytes)]), file.name)
  if (first) addFile()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (!first) addFile()
  return form
}

const publish = (
  client: Client,
  project: SceneProject,
  fields: Fields,
  bytes = randomBytes(100),
  name = 'my_pkg-1.0.0.tar.gz',
  first = false,
) => client.post(`${project.url}/packages/pypi`, formOf({ name, bytes }, fields, first))

const myPackage = { name: 'My.Pkg', version: '1.0.0' }

test('files of a version are listed under each spelling of its name, and downloaded by their digest', async () => {
  const { project, owner } = await scene.project()
  const [sdist, wheel] = [randomBytes(70_000), randomBytes(1_000)]
  const fields = { ...myPackage, requires_python: '>=3.7', md5_digest: digest(sdist, 'md5'), sha256_digest: digest(sdist) }
  const answer = await publish(owner, project, fields, sdist)
  assert.deepEqual(answer, { status: 201, body: { message: '201 Created' } })
  const second = await publish(
    owner,
    project,
    { name: 'my-pkg', version: '1.0.0', requires_python: '>=3.7' },
    wheel,
    'my_pkg-1.0.0-py3-none-any.whl',
    true,
  )
  assert.equal(second.status, 201)

  const base = `${scene.url}/api/v4/projects/${project.id}/packages/pypi/files`
  const link = (name: string, bytes: Buffer) =>
    `<a href="${base}/${digest(bytes)}/${name}#sha256=${digest(bytes)}" data-requires-python="&gt;=3.7">${name}</a>`
  for (const name of ['my-pkg', 'My.Pkg', 'my__PKG', 'my-pkg/']) {
    const page = await owner.get(`${project.url}/packages/pypi/simple/${name}`)
    assert.equal(page.status, 200)
    assert.match(page.headers['content-type'] ?? '', /^text\/html/)
    assert.match(page.headers['content-security-policy'] ?? '', /^default-src 'none'/)
    assert.ok(page.body.includes(link('my_pkg-1.0.0.tar.gz', sdist)))
    assert.ok(page.body.includes(link('my_pkg-1.0.0-py3-none-any.whl', wheel)))
  }
  assert.ok((await owner.get(`${base}/${digest(sdist)}/my_pkg-1.0.0.tar.gz`)).bytes.equals(sdist))
  assert.equal((await owner.get(`${base}/${digest(wheel)}/my_pkg-1.0.0.tar.gz`)).status, 404)
  const missing = await owner.get(`${project.url}/packages/pypi/simple/other`)
  assert.deepEqual(missing, { status: 404, body: { message: '404 Package Not Found' } })

  const [listed, ...others] = (await owner.get(`${project.url}/packages`, { package_type: 'pypi' })).body
  assert.deepEqual([listed.name, listed.version, others], ['My.Pkg', '1.0.0', []])
  const [file] = (await owner.get(`${project.url}/packages/${listed.id}/package_files`)).body
  assert.deepEqual([file.file_name, file.size, file.file_md5], ['my_pkg-1.0.0.tar.gz', 70_000, digest(sdist, 'md5')])
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.packages_size, 71_000)
})

test('a file is published once: of those who do it concurrently one wins', async () => {
  const { project, owner } = await scene.project()
  const answers = await Promise.all([1, 2, 3, 4].map(() => publish(owner, project, myPackage)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400])
  const refused = answers.find(({ status }) => status === 400)
  assert.deepEqual(refused?.body, { message: 'Validation failed: File name has already been taken' })
  const [{ id }] = (await owner.get(`${project.url}/packages`)).body
  assert.equal((await owner.get(`${project.url}/packages/${id}/package_files`)).body.length, 1)
})

test('what is no package of Python, or lies about its digests, is refused and leaves nothing', async () => {
  const { project, owner } = await scene.project()
  const refused: Record<string, Fields> = {
    'no name': { version: '1.0.0' },
    'no version': { name: 'thing' },
    'a wrong name': { name: '.$/@!^*', version: '1.0.0' },
    'a long name': { name: 'a'.repeat(256), version: '1.0.0' },
    'a wrong version': { name: 'thing', version: 'latest' },
    'a version with a path': { name: 'thing', version: '../1' },
    'a long requirement': { ...myPackage, requires_python: 'x'.repeat(256) },
    'another sha256': { ...myPackage, sha256_digest: '1'.repeat(64) },
    'no sha256': { ...myPackage, sha256_digest: `${'a'.repeat(63)}%` },
    'another md5': { ...myPackage, md5_digest: '1'.repeat(32) },
  }
  for (const [what, fields] of Object.entries(refused)) assert.equal((await publish(owner, project, fields)).status, 400, what)
  for (const name of ['', '..', 'a b.whl', `${'a'.repeat(256)}.whl`])
    assert.equal((await publish(owner, project, myPackage, randomBytes(9), name)).status, 400, name)
  assert.equal((await owner.post(`${project.url}/packages/pypi`, formOf(undefined, myPackage))).status, 400)
  assert.equal((await owner.post(`${project.url}/packages/pypi`, { name: 'thing' })).status, 400)
  for (const version of ['1', '1.0a1', '1!2.0.post3.dev4', 'v1.0-rc.1', '1.0+local.7'])
    assert.equal(
      (await publish(owner, project, { name: 'fine', version }, randomBytes(9), `fine-${version.replace('!', '_')}.tar.gz`)).status,
      201,
      version,
    )
  assert.deepEqual((await owner.get(`${project.url}/packages`, { package_name: 'thing' })).body, [])
  await scene.root.put('/application/plan_limits', { plan_name: 'default', pypi_max_file_size: 99 })
  const large = await publish(owner, project, myPackage)
  await scene.root.put('/application/plan_limits', { plan_name: 'default', pypi_max_file_size: 3_221_225_472 })
  assert.deepEqual(large, { status: 400, body: { message: '400 Bad request - File is too large' } })
})

test('who may: as with all packages; callers without credentials are asked for them', async () => {
  const { project, owner, ...people } = await scene.project({ members: ['guest', 'reporter', 'developer'] })
  const bytes = randomBytes(10)
  await publish(owner, project, myPackage, bytes)
  let next = 0
  const statuses = async (client: Client) => [
    (await client.get(`${project.url}/packages/pypi/simple/my-pkg`)).status,
    (await client.get(`${project.url}/packages/pypi/files/${digest(bytes)}/my_pkg-1.0.0.tar.gz`)).status,
    (await publish(client, project, { ...myPackage, version: `2.${++next}` })).status,
  ]
  assert.deepEqual(await statuses(scene.anonymous), [401, 401, 401])
  assert.deepEqual(await statuses(await scene.user()), [404, 404, 404])
  assert.deepEqual(await statuses(people.guest), [403, 403, 403])
  assert.deepEqual(await statuses(people.reporter), [200, 200, 403])
  assert.deepEqual(await statuses(people.developer), [200, 200, 201])
  assert.deepEqual(await statuses(basic('anyone', people.developer.token)), [200, 200, 201])
  const job = await runningJob(scene, project, owner)
  assert.deepEqual(await statuses(basic('gitlab-ci-token', job.token)), [200, 200, 201])
  const make = async (scopes: string[]) => (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes })).body
  const [reader, writer] = [await make(['read_package_registry']), await make(['write_package_registry'])]
  assert.deepEqual(await statuses(basic(reader.username, reader.token)), [200, 200, 403])
  assert.deepEqual(await statuses(basic(writer.username, writer.token)), [200, 200, 201])
  const asked = await scene.anonymous.get(`${project.url}/packages/pypi/simple/my-pkg`)
  assert.match(asked.headers['www-authenticate'] ?? '', /^Basic /)
  await owner.put(project.url, { packages_enabled: false })
  assert.deepEqual(await statuses(owner), [403, 403, 403])
})

test('a group has the packages of its projects that the caller may read', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ owner, parent: group })
  const [one, two] = [await scene.project({ group, owner }), await scene.project({ group: below, owner })]
  const bytes = randomBytes(10)
  await publish(owner, one.project, myPackage)
  await publish(owner, two.project, { ...myPackage, version: '2.0' }, bytes, 'my_pkg-2.0.tar.gz')
  const page = await owner.get(`${group.url}/-/packages/pypi/simple/my-pkg`)
  const file = `${scene.url}/api/v4/groups/${group.id}/-/packages/pypi/files/${digest(bytes)}/my_pkg-2.0.tar.gz`
  assert.match(page.body, />my_pkg-1\.0\.0\.tar\.gz</)
  assert.ok(page.body.includes(`href="${file}#sha256=`))
  assert.ok((await owner.get(file)).bytes.equals(bytes))
  const outsider = await scene.user()
  for (const path of [file, `${group.url}/-/packages/pypi/simple/my-pkg`]) {
    assert.equal((await outsider.get(path)).status, 404)
    assert.equal((await scene.anonymous.get(path)).status, 401)
  }
  const token = (await owner.post(`${group.url}/deploy_tokens`, { name: 'ci', scopes: ['read_package_registry'] })).body
  assert.equal((await basic(token.username, token.token).get(file)).status, 200)
})

test('a project with a storage limit takes no file beyond it', async () => {
  const { project, owner } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const { status } = await publish(owner, project, myPackage, randomBytes(1_100_000))
  assert.equal(status, 413)
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('a description may be long, and fields that are too long together are refused', async () => {
  const { project, owner } = await scene.project()
  const description = 'd'.repeat(1_000_000)

  const refused = await publish(owner, project, { ...myPackage, description, one: description, two: description })

  assert.deepEqual(refused, { status: 400, body: { message: '400 Bad request - the fields of the body are too long together' } })
  assert.equal((await publish(owner, project, { ...myPackage, description })).status, 201)
})
