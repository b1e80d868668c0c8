/** The packages API, and what all registries share: who may, where bytes go, what is counted. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { type Client, openScene, type SceneProject } from '../../../test/scene.ts'
import { storedBytes } from '../../../test/stored_bytes.ts'
import { runningJob } from '../../ci/jobs/scene.ts'
import { places } from '../../platform/config.ts'
import { dropUnusedObjects } from '../../platform/object_store/unused.ts'

const scene = await openScene()
const { db } = scene.deps.database

const fileAt = (project: SceneProject, path: string) => `${project.url}/packages/generic/${path}`
const publish = (client: Client, project: SceneProject, path: string, bytes: Buffer | string = 'bytes') =>
  client.request('PUT', fileAt(project, path), { body: bytes, headers: { 'content-type': 'application/octet-stream' } })
const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

test('a version is not the name of a folder: no client could name its address', async () => {
  const { project, owner } = await scene.project()
  for (const version of ['%2e', '%2e%2e', '1%2e%2e2'])
    assert.deepEqual((await publish(owner, project, `tool/${version}/a.txt`, 'a')).body, { message: { package_version: ['is invalid'] } })
})

test('a file is published, listed, downloaded in parts and deleted, and counted in the statistics', async () => {
  const { project, owner } = await scene.project()
  const bytes = randomBytes(100_000)

  const published = await publish(owner, project, 'tool/1.0.0/tool.bin', bytes)
  assert.deepEqual(published, { status: 201, body: { message: '201 Created' } })

  const [listed] = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual([listed.name, listed.version, listed.package_type, listed.status], ['tool', '1.0.0', 'generic', 'default'])
  const page = `/${project.full_path}/-/packages/${listed.id}`
  assert.equal(listed._links.web_path, page)
  assert.equal(listed._links.delete_api_path, `${scene.url}/api/v4/projects/${project.id}/packages/${listed.id}`)
  const files = await owner.get(`${project.url}/packages/${listed.id}/package_files`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  assert.deepEqual(
    [files.headers['x-total'], files.body[0].file_name, files.body[0].size, files.body[0].file_sha256],
    ['1', 'tool.bin', 100_000, sha256],
  )

  const whole = await owner.get(fileAt(project, 'tool/1.0.0/tool.bin'))
  assert.ok(whole.bytes.equals(bytes))
  assert.equal(whole.headers['content-disposition'], 'attachment; filename="tool.bin"')
  const part = await owner.get(fileAt(project, 'tool/1.0.0/tool.bin'), {}, { range: 'bytes=99990-' })
  assert.deepEqual([part.status, part.bytes], [206, bytes.subarray(99_990)])
  const byPage = await owner.get(`${scene.url}/${project.full_path}/-/package_files/${files.body[0].id}/download`)
  assert.ok(byPage.bytes.equals(bytes))

  const size = async () => (await owner.get(project.url, { statistics: true })).body.statistics.packages_size
  assert.equal(await size(), 100_000)
  assert.equal((await owner.delete(`${project.url}/packages/${listed.id}`)).status, 204)
  assert.deepEqual([await size(), (await owner.get(`${project.url}/packages/${listed.id}`)).status], [0, 404])
  assert.equal((await owner.get(fileAt(project, 'tool/1.0.0/tool.bin'))).status, 404)
})

test('`select=package_file` answers the file with an address that downloads it, and the newest file of a name wins', async () => {
  const { project, owner } = await scene.project()
  await publish(owner, project, 'tool/1.0/a.txt', 'first')
  const { status, body } = await publish(owner, project, 'tool/1.0/a.txt?select=package_file&status=hidden', 'second')
  assert.deepEqual([status, body.file_name, body.size], [201, 'a.txt', 6])
  assert.equal((await owner.get(body.file.url)).bytes.toString(), 'second')
  assert.equal((await owner.get(fileAt(project, 'tool/1.0/a.txt'))).bytes.toString(), 'second')
  const [{ id, status: shown }] = (await owner.get(`${project.url}/packages`)).body
  // The status is that of the package, which was there.
  assert.equal(shown, 'default')
  const files = (await owner.get(`${project.url}/packages/${id}/package_files`)).body
  assert.deepEqual(
    files.map((file: { size: number }) => file.size),
    [5, 6],
  )
  assert.equal((await owner.delete(`${project.url}/packages/${id}/package_files/${files[1].id}`)).status, 204)
  assert.equal((await owner.get(fileAt(project, 'tool/1.0/a.txt'))).bytes.toString(), 'first')
})

test('a hidden package is in no list that does not ask for it, and can be downloaded', async () => {
  const { project, owner } = await scene.project()
  await publish(owner, project, 'secret/1.0/a.txt?status=hidden')
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
  const [hidden] = (await owner.get(`${project.url}/packages`, { status: 'hidden' })).body
  assert.equal((await owner.get(`${project.url}/packages/${hidden.id}`)).status, 404)
  assert.equal((await owner.get(fileAt(project, 'secret/1.0/a.txt'))).status, 200)
})

test('lists are filtered and ordered, and one package shows the other versions of it', async () => {
  const { project, owner } = await scene.project()
  for (const path of ['beta/1.0', 'alpha/2.0', 'alpha/1.0']) await publish(owner, project, `${path}/a.txt`)
  const names = async (query: object) =>
    (await owner.get(`${project.url}/packages`, query as never)).body.map(
      (row: { name: string; version: string }) => `${row.name} ${row.version}`,
    )
  assert.deepEqual(await names({}), ['beta 1.0', 'alpha 2.0', 'alpha 1.0'])
  assert.deepEqual(await names({ order_by: 'name', sort: 'desc' }), ['beta 1.0', 'alpha 1.0', 'alpha 2.0'])
  assert.deepEqual(await names({ order_by: 'version' }), ['beta 1.0', 'alpha 1.0', 'alpha 2.0'])
  assert.deepEqual(await names({ package_name: 'LPH' }), ['alpha 2.0', 'alpha 1.0'])
  assert.deepEqual(await names({ package_type: 'npm' }), [])
  assert.equal((await owner.get(`${project.url}/packages`, { package_type: 'unknown' })).status, 400)
  const [, alpha] = (await owner.get(`${project.url}/packages`)).body
  const shown = (await owner.get(`${project.url}/packages/${alpha.id}`)).body
  assert.deepEqual(
    shown.versions.map((version: { version: string }) => version.version),
    ['1.0'],
  )
})

test('a group lists the packages of the projects that the caller may read, with those below unless it says otherwise', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ owner, parent: group })
  const [one, two, off] = await Promise.all([group, below, group].map(group => scene.project({ group, owner })))
  for (const { project } of [one!, two!, off!]) await publish(owner, project, `of-${project.path}/1.0/a.txt`)
  await owner.put(off!.project.url, { packages_enabled: false })
  const paths = async (client: Client, query = {}) =>
    (await client.get(`${group.url}/packages`, { order_by: 'project_path', ...query })).body.map(
      (row: { project_path: string }) => row.project_path,
    )
  assert.deepEqual((await paths(owner)).sort(), [one!.project.full_path, two!.project.full_path].sort())
  assert.deepEqual(await paths(owner, { exclude_subgroups: true }), [one!.project.full_path])
  const reader = await scene.user()
  await owner.post(`${two!.project.url}/members`, { user_id: reader.id, access_level: 20 })
  assert.equal((await reader.get(`${group.url}/packages`)).status, 403)
  assert.equal((await (await scene.user()).get(`${group.url}/packages`)).status, 404)
})

test('who may: reporters read, developers publish, maintainers delete; a private package does not exist for others', async () => {
  const { project, owner, ...people } = await scene.project({ members: ['guest', 'reporter', 'developer', 'maintainer'] })
  await publish(owner, project, 'tool/1.0/a.txt')
  const [{ id }] = (await owner.get(`${project.url}/packages`)).body
  const statuses = async (client: Client) => [
    (await client.get(`${project.url}/packages`)).status,
    (await client.get(fileAt(project, 'tool/1.0/a.txt'))).status,
    (await publish(client, project, 'tool/1.0/b.txt')).status,
    (await client.delete(`${project.url}/packages/${id}`)).status,
  ]
  assert.deepEqual(await statuses(scene.anonymous), [404, 401, 401, 401])
  assert.deepEqual(await statuses(await scene.user()), [404, 404, 404, 404])
  assert.deepEqual(await statuses(people.guest), [403, 403, 403, 403])
  assert.deepEqual(await statuses(people.reporter), [200, 200, 403, 403])
  assert.deepEqual(await statuses(people.developer), [200, 200, 201, 403])
  assert.deepEqual(await statuses(people.maintainer), [200, 200, 201, 204])

  const open = await scene.project({ visibility: 'public' })
  await publish(open.owner, open.project, 'tool/1.0/a.txt')
  assert.equal((await scene.anonymous.get(fileAt(open.project, 'tool/1.0/a.txt'))).status, 200)
  await open.owner.put(open.project.url, { packages_enabled: false })
  assert.equal((await open.owner.get(`${open.project.url}/packages`)).status, 403)
  assert.equal((await publish(open.owner, open.project, 'tool/1.0/b.txt')).status, 403)
})

test('deploy tokens read and publish by their scopes, in their project or group alone, by each header', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  const { project: other } = await scene.project({ owner })
  await publish(owner, project, 'tool/1.0/a.txt')
  await publish(owner, other, 'tool/1.0/a.txt')
  const make = async (url: string, scopes: string[]) => (await owner.post(`${url}/deploy_tokens`, { name: 'ci', scopes })).body
  const reader = await make(project.url, ['read_package_registry'])
  const writer = await make(group.url, ['write_package_registry'])
  const cloner = await make(project.url, ['read_repository'])
  const clients = {
    reader: basic(reader.username, reader.token),
    bearer: scene.as({ authorization: `Bearer ${reader.token}` }),
    writer: scene.as({ 'deploy-token': writer.token }),
    cloner: basic(cloner.username, cloner.token),
    stranger: basic('another-name', reader.token),
  }
  const statuses = async (client: Client) => [
    (await client.get(fileAt(project, 'tool/1.0/a.txt'))).status,
    (await publish(client, project, 'tool/1.0/b.txt')).status,
    (await client.get(fileAt(other, 'tool/1.0/a.txt'))).status,
  ]
  assert.deepEqual(await statuses(clients.reader), [200, 403, 404])
  assert.deepEqual(await statuses(clients.bearer), [200, 403, 404])
  assert.deepEqual(await statuses(clients.writer), [200, 201, 404])
  assert.deepEqual(await statuses(clients.cloner), [403, 403, 403])
  assert.deepEqual(await statuses(clients.stranger), [401, 401, 401])
  // No more than that: the rest of the API is closed to them.
  assert.equal((await clients.writer.get(`${project.url}/packages`)).status, 404)
})

test('a job publishes with its token, and its pipeline is shown with the package and the file', async () => {
  const { project, owner } = await scene.project()
  const job = await runningJob(scene, project, owner)
  for (const client of [
    scene.as({ 'job-token': job.token }),
    basic('gitlab-ci-token', job.token),
    scene.as({ authorization: `Bearer ${job.token}` }),
  ])
    assert.equal((await publish(client, project, 'tool/1.0/a.txt')).status, 201)
  const asJob = scene.as({ 'job-token': job.token })
  const [listed] = (await asJob.get(`${project.url}/packages`)).body
  assert.deepEqual([listed.pipelines.length, listed.pipeline.id, listed.pipeline.user.username], [1, job.pipelineId, owner.username])
  const [file] = (await asJob.get(`${project.url}/packages/${listed.id}/package_files`)).body
  assert.equal(file.pipelines[0].id, job.pipelineId)
  assert.deepEqual((await owner.get(`${project.url}/packages/${listed.id}/pipelines`)).body, listed.pipelines)
})

test('pipelines are shown with packages to those alone who may see them', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const { project: hidden } = await scene.project({ owner })
  for (const place of [project, hidden]) {
    const { token } = await runningJob(scene, place, owner, { ref: 'acquisition' })
    for (const version of ['1.0', '2.0'])
      assert.equal((await publish(scene.as({ 'job-token': token }), project, `tool/${version}/a-${place.id}.txt`)).status, 201)
  }
  const [{ id }] = (await owner.get(`${project.url}/packages`)).body
  const page = async (path: string) => (await scene.anonymous.get(`${scene.url}/${project.full_path}/-/packages${path}`)).body
  /** The projects whose pipelines are shown in each answer. */
  const shownTo = (client: Client) =>
    Promise.all(
      ['', `/${id}`, `/${id}/pipelines`, `/${id}/package_files`].map(async path => {
        const text = JSON.stringify((await client.get(`${project.url}/packages${path}`)).body)
        return [...new Set([...text.matchAll(/"project_id":(\d+),"(?:sha|ref)"/g)].map(([, of]) => Number(of)))].sort((a, b) => a - b)
      }),
    )
  const everywhere = (...ids: number[]) => [ids, ids, ids, ids]

  assert.deepEqual(await shownTo(owner), everywhere(project.id, hidden.id))
  assert.deepEqual(await shownTo(scene.anonymous), everywhere(project.id))
  assert.match(await page(`/${id}`), /acquisition/)
  await owner.put(project.url, {
    builds_access_level: 'private',
    repository_access_level: 'private',
    merge_requests_access_level: 'private',
  })
  assert.deepEqual(await shownTo(owner), everywhere(project.id, hidden.id))
  assert.deepEqual(await shownTo(scene.anonymous), everywhere())
  for (const path of ['', `/${id}`]) assert.doesNotMatch(await page(path), /acquisition|-\/pipelines\/\d/, path)
})

test('the same bytes are stored once, as long as one file has them', async () => {
  const bytes = randomBytes(5_000)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const all = await Promise.all([1, 2, 3].map(() => scene.project()))
  await Promise.all(all.map(({ project, owner }) => publish(owner, project, 'same/1.0/a.bin', bytes)))
  const objects = () => db.selectFrom('stored_objects').select('key').where('sha256', '=', sha256).execute()
  assert.equal((await objects()).length, 1)
  const sweep = () => dropUnusedObjects({ ...scene.deps, now: () => new Date(Date.now() + 3_600_000) })
  for (const [index, { project, owner }] of all.entries()) {
    assert.ok((await owner.get(fileAt(project, 'same/1.0/a.bin'))).bytes.equals(bytes))
    const [{ id }] = (await owner.get(`${project.url}/packages`)).body
    await owner.delete(`${project.url}/packages/${id}`)
    await sweep()
    assert.equal((await objects()).length, index === 2 ? 0 : 1)
  }
})

test('concurrent publications of a version make one package with all files', async () => {
  const { project, owner } = await scene.project()
  const answers = await Promise.all([...'abcdef'].map(name => publish(owner, project, `tool/1.0/${name}.txt`, name)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
  const listed = (await owner.get(`${project.url}/packages`)).body
  assert.equal(listed.length, 1)
  assert.equal((await owner.get(`${project.url}/packages/${listed[0].id}/package_files`)).body.length, 6)
})

test('names that are none are refused, up to their limits', async () => {
  const { project, owner } = await scene.project()
  const long = 'a'.repeat(255)
  assert.equal((await publish(owner, project, `${long}/${long}/${long}`)).status, 201)
  const paths = [
    `${long}a/1.0/a.txt`,
    `tool/${long}a/a.txt`,
    `tool/1.0/${long}a`,
    'tool/1..0/a.txt',
    'tool/1.0/%2e%2e',
    'tool/..%2f1/a.txt',
    'to%20ol/1.0/a.txt',
    'tool/1.0/a%2fb',
    'tool/1.0/%00',
  ]
  for (const path of paths) assert.equal((await publish(owner, project, path)).status, 400, path)
  assert.equal((await publish(owner, project, 'tool/1.0/a.txt?status=processing')).status, 400)
})

/** Incomplete uploads in the store. */
const unfinished = async () => (await readdir(join(places(scene.deps.config).objects, 'tmp'))).length

test('an upload that breaks off leaves nothing', async () => {
  const { project, owner } = await scene.project()
  const { hostname, port, pathname } = new URL(`${scene.url}/api/v4${fileAt(project, 'tool/1.0/a.bin')}`)
  const headers = { 'private-token': owner.token, 'content-length': '2000000' }
  const request = httpRequest({ hostname, port, method: 'PUT', path: pathname, headers, agent: false })
  // The request is destroyed below, which raises an error on it.
  request.on('error', () => {})
  const before = await unfinished()
  request.write(randomBytes(1_000_000))
  await eventually(async () => (await unfinished()) === before + 1, 'an unfinished object')
  request.destroy()
  await eventually(async () => (await unfinished()) === before, 'no unfinished object')
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('a file that is too large is refused, by its announced size or when it comes', async () => {
  const { project, owner } = await scene.project()
  const limit = 1_000
  const { db } = scene.deps.database
  const { generic_packages_max_file_size: before } = await db
    .selectFrom('plan_limits')
    .select('generic_packages_max_file_size')
    .executeTakeFirstOrThrow()
  await scene.root.put('/application/plan_limits', { plan_name: 'default', generic_packages_max_file_size: limit })
  try {
    const refused = { status: 400, body: { message: '400 Bad request - File is too large' } }
    assert.deepEqual(await publish(owner, project, 'tool/1.0/a.bin', randomBytes(limit + 1)), refused)
    const chunked = await fetch(`${scene.url}/api/v4${fileAt(project, 'tool/1.0/a.bin')}`, {
      method: 'PUT',
      headers: { 'private-token': owner.token },
      body: Readable.toWeb(Readable.from([randomBytes(limit), randomBytes(1)])) as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    assert.deepEqual({ status: chunked.status, body: await chunked.json() }, refused)
    assert.equal((await publish(owner, project, 'tool/1.0/a.bin', randomBytes(limit))).status, 201)
  } finally {
    await scene.root.put('/application/plan_limits', { plan_name: 'default', generic_packages_max_file_size: before })
  }
})

test('a project with a storage limit takes no package beyond it', async () => {
  const { project, owner } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  assert.equal((await publish(owner, project, 'tool/1.0/a.bin', randomBytes(900_000))).status, 201)
  const refused = await publish(owner, project, 'tool/1.0/b.bin', randomBytes(200_000))
  assert.deepEqual([refused.status, /size limit of 1 MB/.test(refused.body.message)], [413, true])
  assert.equal((await publish(owner, project, 'tool/1.0/c.bin', randomBytes(100_000))).status, 201)
})

test('a package that comes without its size is stopped where the room of the project ends, and leaves nothing', async () => {
  const { project, owner } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const before = await storedBytes(scene.deps.config)
  let most = 0
  async function* pieces(count: number) {
    for (let sent = 0; sent < count; sent++) {
      yield randomBytes(100_000)
      await delay(10)
      most = Math.max(most, (await storedBytes(scene.deps.config)) - before)
    }
  }
  const publishInPieces = (file: string, count: number) =>
    fetch(`${scene.url}/api/v4${fileAt(project, `tool/1.0/${file}`)}`, {
      method: 'PUT',
      headers: { 'private-token': owner.token },
      body: Readable.toWeb(Readable.from(pieces(count))) as ReadableStream,
      duplex: 'half',
    } as RequestInit)

  const refused = await publishInPieces('a.bin', 50)
  assert.deepEqual([refused.status, /size limit of 1 MB/.test(await refused.text())], [413, true])
  assert.ok(most < 1_200_000, `${most} bytes were stored meanwhile`)
  assert.equal(await storedBytes(scene.deps.config), before)
  assert.equal((await publishInPieces('b.bin', 8)).status, 201, 'the room is there again')
  assert.equal((await publishInPieces('c.bin', 3)).status, 413)
  const { rows } = await sql`select from storage_reservations where project_id = ${project.id}`.execute(scene.deps.database.db)
  assert.equal(rows.length, 0)
})
