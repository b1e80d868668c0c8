/** Repositories of charts as they come over the wire: the requests are those that Helm and its plugin for pushing send. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { load } from 'js-yaml'
import { sql } from 'kysely'
import { tarOf } from '../../../../../test/archives.ts'
import { type Client, openScene, type SceneProject } from '../../../../../test/scene.ts'
import { runningJob } from '../../../../ci/jobs/scene.ts'

const scene = await openScene()

const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

/** The archive of a chart whose `Chart.yaml` is this text. */
const packed = (yaml: string, folder = 'thing') =>
  gzipSync(tarOf([`${folder}/values.yaml`, Buffer.from('a: 1\n')], [`${folder}/Chart.yaml`, Buffer.from(yaml)]))

const chart = (version: string, more = '') => packed(`apiVersion: v2\nname: thing\nversion: ${version}\n${more}`)

function publish(client: Client, project: SceneProject, bytes: Buffer, channel = 'stable') {
  const form = new FormData()
  form.append('chart', new Blob([new Uint8Array(bytes)]), 'whatever.tgz')
  return client.post(`${project.url}/packages/helm/api/${channel}/charts`, form)
}

interface Index {
  readonly apiVersion: string
  readonly entries: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
  readonly serverInfo: { readonly contextPath: string }
}

const indexOf = async (client: Client, project: SceneProject, channel = 'stable') => {
  const answer = await client.get(`${project.url}/packages/helm/${channel}/index.yaml`)
  assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'text/yaml'])
  return load(answer.body) as Index
}

test('a project with a storage limit takes no chart beyond it', async () => {
  const { project, owner } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const large = gzipSync(
    tarOf(['thing/data', randomBytes(1_100_000)], ['thing/Chart.yaml', Buffer.from('apiVersion: v2\nname: thing\nversion: 1.0.0\n')]),
  )
  assert.equal((await publish(owner, project, large)).status, 413)
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('charts are in the index of their channel, with what they say of themselves, and are downloaded from there', async () => {
  const { project, owner } = await scene.project()
  const first = chart(
    '1.0.0',
    'appVersion: "2.10"\ndependencies:\n- name: redis\n  version: 1.x.x\n  repository: https://charts.example.com\n',
  )
  assert.deepEqual(await publish(owner, project, first), { status: 201, body: { message: '201 Created' } })
  await publish(owner, project, chart('1.1.0-rc.1+build.7'))
  await publish(owner, project, packed('apiVersion: v1\nname: other\nversion: v0.1.0\n', 'other'), 'beta')

  const index = await indexOf(owner, project)
  assert.equal(index.apiVersion, 'v1')
  assert.deepEqual(index.serverInfo, { contextPath: `/api/v4/projects/${project.id}/packages/helm` })
  assert.deepEqual(Object.keys(index.entries), ['thing'])
  const [shown, later] = index.entries.thing ?? []
  const { created, ...rest } = shown ?? {}
  assert.match(created as string, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.deepEqual(rest, {
    name: 'thing',
    version: '1.0.0',
    apiVersion: 'v2',
    appVersion: '2.10',
    dependencies: [{ name: 'redis', version: '1.x.x', repository: 'https://charts.example.com' }],
    digest: createHash('sha256').update(first).digest('hex'),
    urls: ['charts/thing-1.0.0.tgz'],
  })
  assert.deepEqual(later?.urls, ['charts/thing-1.1.0-rc.1+build.7.tgz'])
  assert.ok((await owner.get(`${project.url}/packages/helm/stable/charts/thing-1.0.0.tgz`)).bytes.equals(first))
  assert.equal((await owner.get(`${project.url}/packages/helm/stable/charts/thing-1.1.0-rc.1+build.7.tgz`)).status, 200)
  assert.deepEqual(Object.keys((await indexOf(owner, project, 'beta')).entries), ['other'])
  assert.deepEqual((await indexOf(owner, project, 'empty')).entries, {})
  const elsewhere = await owner.get(`${project.url}/packages/helm/beta/charts/thing-1.0.0.tgz`)
  assert.deepEqual(elsewhere, { status: 404, body: { message: '404 Package Not Found' } })

  const listed = (await owner.get(`${project.url}/packages`, { package_type: 'helm' })).body
  assert.deepEqual(
    listed.map((row: { name: string; version: string }) => `${row.name} ${row.version}`),
    ['thing 1.0.0', 'thing 1.1.0-rc.1+build.7', 'other v0.1.0'],
  )
  const [file] = (await owner.get(`${project.url}/packages/${listed[0].id}/package_files`)).body
  assert.deepEqual([file.file_name, file.size], ['thing-1.0.0.tgz', first.length])
})

test('of a version that is published again the newest is taken, in each channel', async () => {
  const { project, owner } = await scene.project()
  const [old, fresh] = [chart('1.0.0'), chart('1.0.0', 'description: Better\n')]
  await publish(owner, project, old)
  await publish(owner, project, old, 'beta')
  await publish(owner, project, fresh)
  const { entries } = await indexOf(owner, project)
  assert.deepEqual(
    entries.thing?.map(version => version.description),
    ['Better'],
  )
  assert.ok((await owner.get(`${project.url}/packages/helm/stable/charts/thing-1.0.0.tgz`)).bytes.equals(fresh))
  assert.ok((await owner.get(`${project.url}/packages/helm/beta/charts/thing-1.0.0.tgz`)).bytes.equals(old))
  assert.equal((await owner.get(`${project.url}/packages`)).body.length, 1)
})

test('concurrent publications of a version make one package, of which the index names the newest file', async () => {
  const { project, owner } = await scene.project()
  const charts = [1, 2, 3, 4].map(n => chart('1.0.0', `description: ${n}\n`))
  const answers = await Promise.all(charts.map(bytes => publish(owner, project, bytes)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  const [{ id }, ...others] = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual(others, [])
  const kept = (await owner.get(`${project.url}/packages/${id}/package_files`)).body
  assert.equal(kept.length, 4)
  const [entry, ...more] = (await indexOf(owner, project)).entries.thing ?? []
  assert.deepEqual([entry?.digest, more], [kept.at(-1).file_sha256, []])
})

test('of charts whose names and versions make one name of a file the first has it', async () => {
  const { project, owner } = await scene.project()
  const first = chart('1.4.0-12.3.0')
  const other = packed('apiVersion: v2\nname: thing-1.4.0\nversion: 12.3.0\n')
  const url = `${project.url}/packages/helm/stable/charts/thing-1.4.0-12.3.0.tgz`
  const taken = { status: 400, body: { message: 'Validation failed: File name has already been taken: thing-1.4.0-12.3.0.tgz' } }
  assert.equal((await publish(owner, project, first)).status, 201)
  assert.deepEqual(await publish(owner, project, other), taken)
  assert.deepEqual(
    (await owner.get(`${project.url}/packages`)).body.map(({ name }: { name: string }) => name),
    ['thing'],
  )
  assert.equal((await publish(owner, project, first)).status, 201, 'again')
  assert.equal((await publish(owner, project, other, 'beta')).status, 201, 'in another channel')

  // As it was published before such names were refused.
  const { db } = scene.deps.database
  await sql`update package_files set channel = 'stable' where channel = 'beta' and package_id in (
    select id from packages where project_id = ${project.id})`.execute(db)
  assert.ok((await owner.get(url)).bytes.equals(first))

  const { project: contested } = await scene.project({ owner })
  const answers = await Promise.all([first, other].map(bytes => publish(owner, contested, bytes)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
})

test('what is no chart is refused and leaves nothing', async () => {
  const { project, owner } = await scene.project()
  const bomb = `apiVersion: v2\nname: thing\nversion: 1.0.0\na: &a [x, x]\n${'bcdefghijklmn'
    .split('')
    .map((name, at) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghijklmn'[at]}`)}]\n`)
    .join('')}`
  const refused: Record<string, Buffer> = {
    'no archive': Buffer.from('chart'),
    'an archive that ends early': chart('1.0.0').subarray(0, 60),
    'a tar that is not compressed': tarOf(['thing/Chart.yaml', Buffer.from('apiVersion: v2\nname: thing\nversion: 1.0.0\n')]),
    'no Chart.yaml': gzipSync(tarOf(['thing/values.yaml', Buffer.from('a: 1\n')])),
    'a Chart.yaml of a chart inside': packed('apiVersion: v2\nname: thing\nversion: 1.0.0\n', 'thing/charts/inner'),
    'no YAML': packed('a: [\n'),
    'a list': packed('- a\n'),
    'no version': packed('apiVersion: v2\nname: thing\n'),
    'a version that is none': chart('latest'),
    'a version that is a number': chart('1.0'),
    'a name with a path': packed('apiVersion: v2\nname: ../thing\nversion: 1.0.0\n'),
    'another version of the format': packed('apiVersion: v3\nname: thing\nversion: 1.0.0\n'),
    'aliases that stand for a large text': packed(bomb),
    'one alias': chart('1.0.0', 'a: &a [x]\nb: *a\n'),
    'a value in itself': chart('1.0.0', 'a: &a [*a]\n'),
    'a NUL': chart('1.0.0', 'description: "a\\0b"\n'),
    'a NUL in a name': chart('1.0.0', '"a\\0b": 1\n'),
    'half of a pair of surrogates': chart('1.0.0', 'description: "\\ud800"\n'),
    'many levels': chart('1.0.0', `a: ${'['.repeat(80)}${']'.repeat(80)}\n`),
    'long aliases that stand for a large text': packed(`${bomb}#${'x'.repeat(10_000)}\n`),
    'a long list': chart('1.0.0', `a: [${'1,'.repeat(120_000)}]\n- b`),
    'very many levels': chart('1.0.0', `a: ${'['.repeat(100_000)}\n`),
    'a text that is larger in JSON': chart('1.0.0', `a: "${'\\a'.repeat(60_000)}"\n`),
    'a Chart.yaml that says much': chart('1.0.0', `description: ${'x'.repeat(33_000)}\n`),
    'a long name of a field': chart('1.0.0', `annotations: {"${'x'.repeat(999)}": y}\n`),
    'a large Chart.yaml': chart('1.0.0', `description: ${'x'.repeat(300_000)}\n`),
  }
  for (const [what, bytes] of Object.entries(refused)) {
    const { status, body } = await publish(owner, project, bytes)
    assert.equal(status, 400, what)
    assert.match(body.message, /^Validation failed: /, what)
  }
  const large = await publish(owner, project, Buffer.alloc(5 * 1024 * 1024 + 1))
  assert.deepEqual(large, { status: 400, body: { message: '400 Bad request - File is too large' } })
  for (const channel of ['a%2Fb', 'a%20b', '%2E%2E'])
    assert.equal((await publish(owner, project, chart('1.0.0'), channel)).status, 400, channel)
  assert.equal((await owner.post(`${project.url}/packages/helm/api/stable/charts`, { chart: 'text' })).status, 400)
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('the newest 300 versions are in an index', async () => {
  const { project, owner } = await scene.project()
  await publish(owner, project, chart('1.0.0'))
  const { db } = scene.deps.database
  await sql`
    insert into packages (project_id, package_type, name, lookup_name, version)
    select project_id, package_type, name, lookup_name, '1.0.' || patch
    from packages, generate_series(1, 300) patch where project_id = ${project.id} order by patch`.execute(db)
  await sql`
    insert into package_files (package_id, object_id, file_name, size, file_sha256, channel, metadata)
    select p.id, f.object_id, 'thing-' || p.version || '.tgz', f.size, f.file_sha256, f.channel,
      (f.metadata::jsonb || jsonb_build_object('version', p.version))::json
    from packages p, package_files f join packages first on first.id = f.package_id
    where p.project_id = ${project.id} and first.project_id = p.project_id and p.id <> first.id`.execute(db)
  const { entries } = await indexOf(owner, project)
  const versions = entries.thing?.map(({ version }) => version)
  assert.deepEqual([versions?.length, versions?.[0], versions?.at(-1)], [300, '1.0.1', '1.0.300'])
})

test('an index is JSON whatever charts say, and has the names of those alone that say too much', async () => {
  const { project, owner } = await scene.project()
  const odd = 'a\u0085b\u2028c\u2029\u007f\ufeff'
  const escaped = JSON.stringify(odd).replace(/[^ -~]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  await publish(owner, project, chart('1.0.0', `description: ${escaped}\ncreated: never\ndigest: none\nurls: [nowhere]\n`))
  const annotations = Array.from({ length: 2_300 }, (_, at) => `a${at}: b`).join(', ')
  assert.equal(
    (await publish(owner, project, packed(`apiVersion: v2\nname: other\nversion: 1.0.0\nannotations: {${annotations}}\n`))).status,
    201,
  )
  for (const version of ['2.0.0', '3.0.0']) await publish(owner, project, chart(version))
  // As they were kept before there was a limit.
  const say = (version: string, more: object) =>
    sql`update package_files set metadata = ${JSON.stringify({ name: 'thing', version, apiVersion: 'v2', ...more })}::json
      where file_name = ${`thing-${version}.tgz`} and package_id in (select id from packages where project_id = ${project.id})`.execute(
      scene.deps.database.db,
    )
  await say('2.0.0', { description: 'x'.repeat(200_000) })
  await say('3.0.0', { annotations: { ['x'.repeat(1_100)]: 'y' } })
  const { body } = await owner.get(`${project.url}/packages/helm/stable/index.yaml`)
  assert.match(body, /^[ -~]+\n$/, 'readers of YAML differ in other characters')
  assert.deepEqual(JSON.parse(body), load(body))
  const { entries } = load(body) as Index
  assert.equal(Object.keys(entries.other?.[0]?.annotations as object).length, 2_300)
  const [first, ...others] = entries.thing ?? []
  assert.deepEqual([first?.description, first?.urls], [odd, ['charts/thing-1.0.0.tgz']])
  assert.match(String(first?.digest), /^[0-9a-f]{64}$/)
  assert.deepEqual(
    others.map(({ created: _created, digest: _digest, ...said }) => said),
    ['2.0.0', '3.0.0'].map(version => ({ apiVersion: 'v2', name: 'thing', version, urls: [`charts/thing-${version}.tgz`] })),
  )
})

test('who may: as with all packages; callers without credentials are asked for them', async () => {
  const { project, owner, ...people } = await scene.project({ members: ['guest', 'reporter', 'developer'] })
  await publish(owner, project, chart('1.0.0'))
  const statuses = async (client: Client) => [
    (await client.get(`${project.url}/packages/helm/stable/index.yaml`)).status,
    (await client.get(`${project.url}/packages/helm/stable/charts/thing-1.0.0.tgz`)).status,
    (await publish(client, project, chart('1.0.1'))).status,
  ]
  assert.deepEqual(await statuses(scene.anonymous), [401, 401, 401])
  assert.deepEqual(await statuses(await scene.user()), [404, 404, 404])
  assert.deepEqual(await statuses(people.guest), [403, 403, 403])
  assert.deepEqual(await statuses(basic(people.reporter.username, people.reporter.token)), [200, 200, 403])
  assert.deepEqual(await statuses(people.developer), [200, 200, 201])
  const job = await runningJob(scene, project, owner)
  assert.deepEqual(await statuses(basic('gitlab-ci-token', job.token)), [200, 200, 201])
  const make = async (scopes: string[]) => (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes })).body
  const [reader, writer] = [await make(['read_package_registry']), await make(['write_package_registry'])]
  assert.deepEqual(await statuses(basic(reader.username, reader.token)), [200, 200, 403])
  assert.deepEqual(await statuses(basic(writer.username, writer.token)), [200, 200, 201])
  const asked = await scene.anonymous.get(`${project.url}/packages/helm/stable/index.yaml`)
  assert.match(asked.headers['www-authenticate'] ?? '', /^Basic /)
  await owner.put(project.url, { packages_enabled: false })
  assert.deepEqual(await statuses(owner), [403, 403, 403])
})
