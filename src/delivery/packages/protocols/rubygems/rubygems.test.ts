/** The registry of gems as it comes over the wire: the requests are those that RubyGems and Bundler send. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import { gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { sql } from 'kysely'
import { tarOf } from '../../../../../test/archives.ts'
import { type Client, openScene, type SceneProject } from '../../../../../test/scene.ts'
import { runningJob } from '../../../../ci/jobs/scene.ts'
import { specsDocument } from './documents.ts'
import { dependencyYaml, gemOf, gemYaml } from './scene.ts'

const scene = await openScene()

/** RubyGems sends its key alone in the header. */
const keyed = (token: string) => scene.as({ authorization: token })

const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

const registry = ({ url }: SceneProject) => `${url}/packages/rubygems`

const push = (client: Client, project: SceneProject, bytes: Buffer) =>
  client.request('POST', `${registry(project)}/api/v1/gems`, { body: bytes, headers: { 'content-type': 'application/octet-stream' } })

const published = { status: 201, body: { message: '201 Created' } }

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const lines = async (client: Client, project: SceneProject, path: string) => {
  const { status, headers, body, bytes } = await client.get(`${registry(project)}/${path}`)
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8'])
  assert.equal(headers.etag, `"${createHash('md5').update(bytes).digest('hex')}"`)
  return (body as string).split('\n')
}

const specs = async (client: Client, project: SceneProject, name: string) => {
  const { status, bytes } = await client.get(`${registry(project)}/${name}.4.8.gz`)
  assert.equal(status, 200)
  return gunzipSync(bytes)
}

test('gems are in the indexes of RubyGems and of Bundler, and are downloaded', async () => {
  const { project, owner } = await scene.project()
  const needs = `dependencies:\n${dependencyYaml('base', '~>', '1.0')}${dependencyYaml('rake', '>=', '0', ':development')}`
  const ruby =
    'required_ruby_version: !ruby/object:Gem::Requirement\n  requirements:\n  - - ">="\n    - !ruby/object:Gem::Version\n      version: \'2.5\'\n'
  const gems = {
    '1.9.0': gemOf(gemYaml('1.9.0')),
    '1.10.0': gemOf(gemYaml('1.10.0', { more: needs + ruby })),
    '1.10.0-java': gemOf(gemYaml('1.10.0', { platform: 'java' })),
    '2.0.0.rc1': gemOf(gemYaml('2.0.0.rc1')),
  }
  for (const bytes of Object.values(gems)) assert.deepEqual(await push(keyed(owner.token), project, bytes), published)
  await push(owner, project, gemOf(gemYaml('0.1', { name: 'base' })))

  const named = (version: string, platform = 'ruby', name = 'thing') => ({ name, version, platform })
  const base = named('0.1', 'ruby', 'base')
  assert.deepEqual(
    await specs(owner, project, 'specs'),
    Buffer.concat(await specsDocument([named('1.9.0'), named('1.10.0'), named('1.10.0', 'java'), base])),
  )
  assert.deepEqual(
    await specs(owner, project, 'latest_specs'),
    Buffer.concat(await specsDocument([named('1.10.0'), named('1.10.0', 'java'), base])),
  )
  assert.deepEqual(await specs(owner, project, 'prerelease_specs'), Buffer.concat(await specsDocument([named('2.0.0.rc1')])))

  const info = await lines(owner, project, 'info/thing')
  assert.deepEqual(info, [
    '---',
    `1.9.0 |checksum:${sha256(gems['1.9.0'])}`,
    `1.10.0 base:~> 1.0|checksum:${sha256(gems['1.10.0'])},ruby:>= 2.5`,
    `1.10.0-java |checksum:${sha256(gems['1.10.0-java'])}`,
    `2.0.0.rc1 |checksum:${sha256(gems['2.0.0.rc1'])}`,
    '',
  ])
  const [created, rule, , thing] = await lines(owner, project, 'versions')
  assert.match(created ?? '', /^created_at: \d{4}-\d\d-\d\dT[\d:.]+Z$/)
  assert.deepEqual([rule, thing], ['---', `thing 1.9.0,1.10.0,1.10.0-java,2.0.0.rc1 ${md5(info.join('\n'))}`])
  assert.deepEqual(await lines(owner, project, 'names'), ['---', 'base', 'thing', ''])

  const indexes = ['specs.4.8.gz', 'latest_specs.4.8.gz', 'prerelease_specs.4.8.gz', 'versions', 'names', 'info/thing']
  for (const path of [...indexes, 'quick/Marshal.4.8/thing-1.9.0.gemspec.rz', 'api/v1/dependencies?gems=thing']) {
    const { headers } = await owner.get(`${registry(project)}/${path}`)
    const kept = scene.as({ 'private-token': owner.token, 'if-none-match': headers.etag as string })
    assert.equal((await kept.get(`${registry(project)}/${path}`)).status, 304, path)
  }

  const quick = await owner.get(`${registry(project)}/quick/Marshal.4.8/thing-1.10.0-java.gemspec.rz`)
  const specification = inflateSync(quick.bytes).toString('latin1')
  assert.ok(specification.startsWith('\x04\x08u:\x17Gem::Specification'))
  for (const part of ['A thing', 'Gem::Platform', 'java']) assert.ok(specification.includes(part), part)
  const dependencies = (await owner.get(`${registry(project)}/api/v1/dependencies`, { gems: 'thing,none' })).bytes.toString('latin1')
  // A list of four, each with four keys.
  assert.ok(dependencies.startsWith('\x04\x08[\x09{\x09:\x09name'))
  assert.ok(dependencies.includes('~> 1.0'))
  assert.ok(!dependencies.includes('rake'))

  assert.ok((await owner.get(`${registry(project)}/gems/thing-1.10.0-java.gem`)).bytes.equals(gems['1.10.0-java']))
  for (const path of ['gems/thing-3.gem', 'gems/other-1.9.0.gem', 'quick/Marshal.4.8/thing-3.gemspec.rz', 'info/other'])
    assert.deepEqual(await owner.get(`${registry(project)}/${path}`), { status: 404, body: { message: '404 Package Not Found' } }, path)

  const listed = (await owner.get(`${project.url}/packages`, { package_type: 'rubygems', package_name: 'thing' })).body
  assert.deepEqual(
    listed.map((row: { version: string }) => row.version),
    ['1.9.0', '1.10.0', '2.0.0.rc1'],
  )
  const files = (await owner.get(`${project.url}/packages/${listed[1].id}/package_files`)).body
  assert.deepEqual(
    files.map((file: { file_name: string }) => file.file_name),
    ['thing-1.10.0.gem', 'thing-1.10.0-java.gem'],
  )
})

test('a gem is published once, whatever name leads to its file, and of concurrent pushes one is taken', async () => {
  const { project, owner } = await scene.project()
  const several = ['a', 'b', 'c'].map(more => gemOf(gemYaml('1.0', { more: `description: ${more}\n` })))
  const answers = await Promise.all(several.map(bytes => push(owner, project, bytes)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  assert.deepEqual(answers.find(({ status }) => status === 409)?.body, { message: 'Repushing of gem versions is not allowed' })

  assert.equal((await push(owner, project, gemOf(gemYaml('1', { name: 'a', platform: 'x-2' })))).status, 201)
  assert.equal((await push(owner, project, gemOf(gemYaml('2', { name: 'a-1-x' })))).status, 409)
  assert.deepEqual((await lines(owner, project, 'names')).slice(1, -1), ['a', 'thing'])
  assert.equal((await owner.get(`${project.url}/packages`)).body.length, 2)
})

test('tokens of jobs and deploy tokens open what they may, and to others a private registry does not exist', async () => {
  const { project, owner, guest, reporter } = await scene.project({ members: ['guest', 'reporter'] })
  const job = await runningJob(scene, project, owner)
  const make = async (scopes: string[]) => (await owner.post(`${project.url}/deploy_tokens`, { name: 'gems', scopes })).body
  const [reading, writing] = [await make(['read_package_registry']), await make(['write_package_registry'])]
  assert.deepEqual(await push(keyed(job.token), project, gemOf(gemYaml('1.0'))), published)
  assert.deepEqual(await push(keyed(writing.token), project, gemOf(gemYaml('2.0'))), published)
  assert.equal((await push(keyed(reading.token), project, gemOf(gemYaml('3.0')))).status, 403)
  assert.equal((await push(keyed(reporter.token), project, gemOf(gemYaml('3.0')))).status, 403)
  assert.equal((await push(keyed('wrong'), project, gemOf(gemYaml('3.0')))).status, 401)
  const outsider = await scene.user()
  for (const path of ['specs.4.8.gz', 'versions', 'info/thing', 'gems/thing-1.0.gem', 'api/v1/dependencies?gems=thing']) {
    const statusFor = async (client: Client) => (await client.get(`${registry(project)}/${path}`)).status
    for (const client of [basic(reading.username, reading.token), basic('gitlab-ci-token', job.token), keyed(reporter.token)])
      assert.equal(await statusFor(client), 200, path)
    assert.deepEqual([await statusFor(guest), await statusFor(outsider), await statusFor(scene.anonymous)], [403, 404, 401], path)
  }
  assert.equal((await push(keyed(outsider.token), project, gemOf(gemYaml('3.0')))).status, 404)
  await owner.put(project.url, { packages_enabled: false })
  assert.equal((await push(keyed(owner.token), project, gemOf(gemYaml('3.0')))).status, 403)
})

test('a gem is withdrawn for one platform, and its version with the last of them', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  for (const platform of ['ruby', 'java']) await push(owner, project, gemOf(gemYaml('1.0', { platform })))
  const yank = (client: Client, body: Record<string, string>) => client.delete(`${registry(project)}/api/v1/gems/yank`, body)
  const [ruby, java] = [
    { gem_name: 'thing', version: '1.0' },
    { gem_name: 'thing', version: '1.0', platform: 'java' },
  ]
  assert.equal((await yank(developer, ruby)).status, 403)
  assert.equal((await yank(owner, ruby)).status, 204)
  assert.equal((await lines(owner, project, 'info/thing')).length, 3)
  assert.equal((await yank(owner, ruby)).status, 404)
  assert.equal((await yank(owner, { gem_name: 'thing', version: '1.0-java' })).status, 404)
  assert.equal((await yank(owner, java)).status, 204)
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.packages_size, 0)
  assert.equal((await push(owner, project, gemOf(gemYaml('1.0')))).status, 201)
})

test('a gem of very many files is published', async () => {
  const { project, owner } = await scene.project()
  const files = `files:\n${Array.from({ length: 30_000 }, (_, at) => `- lib/thing/a_file_${at}.rb\n`).join('')}`

  const answer = await push(
    owner,
    project,
    gemOf(gemYaml('1.0', { more: `${files}dependencies:\n${dependencyYaml('base', '~>', '1.0')}` })),
  )

  assert.equal(answer.status, 201)
  assert.match((await lines(owner, project, 'info/thing')).join('\n'), /^1\.0 base:~> 1\.0\|/m)
})

test('what is no gem is refused and leaves nothing', async () => {
  const { project, owner } = await scene.project()
  const requirement = (pairs: string) => `required_ruby_version:\n  requirements:\n${pairs}`
  const refused: Record<string, Buffer> = {
    'no archive': Buffer.from('gem'),
    'an empty body': Buffer.alloc(0),
    'no metadata.gz': tarOf(['data.tar.gz', gzipSync('a')]),
    'a tar that is compressed': gzipSync(gemOf(gemYaml('1.0'))),
    'an archive that ends early': gemOf(gemYaml('1.0')).subarray(0, 560),
    'a specification that is not compressed': tarOf(['metadata.gz', Buffer.from(gemYaml('1.0'))]),
    'a specification that expands': tarOf(['metadata.gz', gzipSync(Buffer.alloc(50_000_000, 'a'))]),
    'a large specification': tarOf(['metadata.gz', randomBytes(1_100_000)]),
    'no YAML': gemOf('a: [\n'),
    'a list': gemOf('- a\n'),
    'many levels': gemOf(gemYaml('1.0', { more: `a: ${'['.repeat(100_000)}\n` })),
    'many values in a long specification': gemOf(gemYaml('1.0', { more: `authors: [${'a,'.repeat(200_000)}]\n` })),
    'a long specification that is no YAML': gemOf(gemYaml('1.0', { more: `files:\n${'- a\n'.repeat(10_000)}authors: [\n` })),
    'no name': gemOf('version: 1.0\n'),
    'a name with a path': gemOf(gemYaml('1.0', { name: '../thing' })),
    'a name of two lines': gemOf(gemYaml('1.0', { name: '"a\\nb"' })),
    'a long name': gemOf(gemYaml('1.0', { name: 'a'.repeat(151) })),
    'a version that is none': gemOf(gemYaml('latest')),
    'a version with a dash': gemOf(gemYaml('1.0-rc1')),
    'a long version': gemOf(gemYaml(`1.${'1'.repeat(99)}`)),
    'a platform that begins like a version': gemOf(gemYaml('1.0', { platform: '2-java' })),
    'a platform with a path': gemOf(gemYaml('1.0', { platform: 'a/b' })),
    'an operator that is none': gemOf(gemYaml('1.0', { more: requirement("  - - 'like'\n    - version: '1'\n") })),
    'a requirement of many versions': gemOf(gemYaml('1.0', { more: requirement("  - - '>'\n    - version: '1'\n".repeat(51)) })),
    'a dependency with a line of its own': gemOf(gemYaml('1.0', { more: `dependencies:\n${dependencyYaml('"a\\nb"', '>=', '0')}` })),
    'a dependency of another type': gemOf(gemYaml('1.0', { more: `dependencies:\n${dependencyYaml('a', '>=', '0', ':other')}` })),
    'a NUL': gemOf(gemYaml('1.0', { more: 'description: "a\\0b"\n' })),
    'half of a pair of surrogates': gemOf(gemYaml('1.0', { more: 'description: "\\ud800"\n' })),
    'a long description': gemOf(gemYaml('1.0', { more: `description: ${'x'.repeat(70_000)}\n` })),
    'a long name of a file': gemOf(gemYaml(`1.${'1'.repeat(98)}`, { name: 'a'.repeat(150), platform: 'java' })),
    'a list in place of a text': gemOf(gemYaml('1.0', { more: 'homepage: [a]\n' })),
    'a value in itself': gemOf(gemYaml('1.0', { more: 'dependencies: &a [*a]\n' })),
    'many aliases': gemOf(gemYaml('1.0', { more: `a: &a [x]\nauthors: [${'*a,'.repeat(1_001)}]\n` })),
  }
  for (const [what, bytes] of Object.entries(refused)) {
    const { status, body } = await push(owner, project, bytes)
    assert.deepEqual([status, typeof body.message], [400, 'string'], what)
    assert.match(body.message, /^Validation failed: /, what)
  }
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
  const longest = { name: 'a'.repeat(150), version: `1.${'1'.repeat(98)}` }
  assert.equal((await push(owner, project, gemOf(gemYaml(longest.version, longest)))).status, 201)
  for (const path of [`gems/${longest.name}-${longest.version}.gem`, `quick/Marshal.4.8/${longest.name}-${longest.version}.gemspec.rz`])
    assert.equal((await owner.get(`${registry(project)}/${path}`)).status, 200, path)
  const many = Array(101).fill('a').join(',')
  assert.equal((await owner.get(`${registry(project)}/api/v1/dependencies`, { gems: many })).status, 400)
  const { project: empty, owner: other } = await scene.project()
  assert.deepEqual(await lines(other, empty, 'versions'), ['---', ''])
})

test('a push that is cut leaves nothing, and one beyond the storage of the project is refused', async () => {
  const { project, owner } = await scene.project()
  const bytes = gemOf(gemYaml('1.0'))
  await new Promise<void>(resolve => {
    const headers = { 'private-token': owner.token, 'content-length': bytes.length }
    const cut = request(`${scene.url}/api/v4${registry(project)}/api/v1/gems`, { method: 'POST', headers }, () => {})
    cut.on('error', () => resolve())
    cut.write(bytes.subarray(0, 600), () => cut.destroy(new Error('cut')))
  })
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const large = tarOf(['metadata.gz', gzipSync(gemYaml('1.0'))], ['data.tar.gz', randomBytes(1_100_000)])
  assert.equal((await push(owner, project, large)).status, 413)
  assert.deepEqual(await push(owner, project, bytes), published)
})

test('gems that say more of themselves than an index can hold are refused', async () => {
  const { project, owner } = await scene.project()
  assert.deepEqual(await push(owner, project, gemOf(gemYaml('1.0'))), published)
  await sql`
    update package_files set metadata = (metadata::jsonb || jsonb_build_object('said', repeat('a', 65 * 1024 * 1024)))::json
     where package_id in (select id from packages where project_id = ${project.id})`.execute(scene.deps.database.db)

  assert.equal((await push(owner, project, gemOf(gemYaml('2.0')))).status, 400)

  assert.deepEqual((await lines(owner, project, 'names')).slice(1, -1), ['thing'])
  assert.equal((await owner.get(`${project.url}/packages`)).body.length, 1)
})
