/** The registry of NuGet as it comes over the wire: the requests are those that `dotnet` and `nuget` send. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Client, openScene, type SceneProject } from '../../../../../test/scene.ts'
import { oddZip, zipOf } from '../../../../ci/artifacts/zip/scene.ts'
import { runningJob } from '../../../../ci/jobs/scene.ts'
import { compareNugetVersions, normalizedVersion } from './versions.ts'

const scene = await openScene()

const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const nuspecOf = (id: string, version: string, more = '') => `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata><id>${id}</id><version>${version}</version>${more}</metadata>
</package>`

const packed = (nuspec: string, name = 'Team.Thing.nuspec') =>
  zipOf({ '_rels/.rels': '<r/>', [name]: nuspec, 'lib/net6.0/Team.Thing.dll': randomBytes(500), 'lib/other.nuspec': '<no/>' })

const thing = (version: string, more = '') => packed(nuspecOf('Team.Thing', version, more))

function publish(client: Client, project: SceneProject, bytes: Buffer) {
  const form = new FormData()
  form.append('package', new Blob([new Uint8Array(bytes)]), 'package.nupkg')
  // The client puts a slash at the end.
  return client.request('PUT', `${project.url}/packages/nuget/`, { body: form })
}

const described = `<authors>The Team</authors><description>It &lt;works&gt;</description><tags>tools  anvil</tags>
  <projectUrl>https://example.com/thing</projectUrl><licenseUrl>https://example.com/licence</licenseUrl>
  <dependencies>
    <dependency id="For.All" version="1.0.0" />
    <group targetFramework=".NETStandard2.0"><dependency id="Newtonsoft.Json" version="[13.0.1, )" /><dependency id="Any" /></group>
    <group targetFramework="net6.0" />
  </dependencies>`

test('a package is published, found, described and installed', async () => {
  const { project, owner } = await scene.project()
  const bytes = await thing('1.0.0', described)
  assert.deepEqual(await publish(owner, project, bytes), { status: 201, body: { message: '201 Created' } })

  const base = `${scene.url}/api/v4/projects/${project.id}/packages/nuget`
  const index = await owner.get(`${project.url}/packages/nuget/index.json`)
  assert.equal(index.body.version, '3.0.0')
  const services = index.body.resources.map((resource: Record<string, string>) => `${resource['@type']} ${resource['@id']}`)
  assert.deepEqual(services, [
    `PackageBaseAddress/3.0.0 ${base}/download`,
    `SearchQueryService ${base}/query`,
    `SearchQueryService/3.0.0-beta ${base}/query`,
    `SearchQueryService/3.0.0-rc ${base}/query`,
    `PackagePublish/2.0.0 ${base}`,
    `RegistrationsBaseUrl ${base}/metadata`,
    `RegistrationsBaseUrl/3.0.0-beta ${base}/metadata`,
    `RegistrationsBaseUrl/3.0.0-rc ${base}/metadata`,
  ])

  // Clients write names in lower case.
  const { body } = await owner.get(`${project.url}/packages/nuget/metadata/team.thing/index.json`)
  const url = `${base}/metadata/Team.Thing/1.0.0.json`
  const content = `${base}/download/Team.Thing/1.0.0/team.thing.1.0.0.nupkg`
  const version = {
    '@id': url,
    packageContent: content,
    catalogEntry: {
      '@id': url,
      authors: 'The Team',
      dependencyGroups: [
        {
          '@id': `${url}#dependencyGroup`,
          '@type': 'PackageDependencyGroup',
          dependencies: [{ '@id': `${url}#dependencyGroup/for.all`, '@type': 'PackageDependency', id: 'For.All', range: '1.0.0' }],
        },
        {
          '@id': `${url}#dependencyGroup/.netstandard2.0`,
          '@type': 'PackageDependencyGroup',
          targetFramework: '.NETStandard2.0',
          dependencies: [
            {
              '@id': `${url}#dependencyGroup/.netstandard2.0/newtonsoft.json`,
              '@type': 'PackageDependency',
              id: 'Newtonsoft.Json',
              range: '[13.0.1, )',
            },
            { '@id': `${url}#dependencyGroup/.netstandard2.0/any`, '@type': 'PackageDependency', id: 'Any', range: '' },
          ],
        },
      ],
      id: 'Team.Thing',
      version: '1.0.0',
      tags: 'tools anvil',
      packageContent: content,
      description: 'It <works>',
      summary: '',
      projectUrl: 'https://example.com/thing',
      licenseUrl: 'https://example.com/licence',
    },
  }
  assert.deepEqual(body, { count: 1, items: [{ '@id': url, lower: '1.0.0', upper: '1.0.0', count: 1, items: [version] }] })
  assert.deepEqual((await owner.get(url)).body, version)
  assert.ok((await owner.get(content)).bytes.equals(bytes))
  assert.deepEqual((await owner.get(`${base}/download/team.thing/index.json`)).body, { versions: ['1.0.0'] })

  const [listed, ...others] = (await owner.get(`${project.url}/packages`, { package_type: 'nuget' })).body
  assert.deepEqual([listed.name, listed.version, others], ['Team.Thing', '1.0.0', []])
  const [file] = (await owner.get(`${project.url}/packages/${listed.id}/package_files`)).body
  assert.deepEqual([file.file_name, file.size], ['team.thing.1.0.0.nupkg', bytes.length])
  assert.equal((await owner.get(project.url, { statistics: true })).body.statistics.packages_size, bytes.length)
  for (const path of ['metadata/none/index.json', 'metadata/team.thing/1.0.1.json', 'download/none/index.json'])
    assert.equal((await owner.get(`${project.url}/packages/nuget/${path}`)).status, 404, path)
})

test('versions are compared as NuGet does, and installed however they are written', async () => {
  const { project, owner } = await scene.project()
  for (const version of ['1.10.0', '1.9', '1.10.0-RC.1+build.7', '1.9.0.1'])
    assert.equal((await publish(owner, project, await thing(version))).status, 201)
  const at = `${project.url}/packages/nuget`
  const [{ lower, upper, count }] = (await owner.get(`${at}/metadata/team.thing/index.json`)).body.items
  assert.deepEqual([lower, upper, count], ['1.9', '1.10.0', 4])
  for (const path of ['1.9.0/team.thing.1.9.0', '1.9/team.thing.1.9', '1.10.0-rc.1/team.thing.1.10.0-rc.1', '1.9.0.1/team.thing.1.9.0.1'])
    assert.equal((await owner.get(`${at}/download/team.thing/${path}.nupkg`)).status, 200, path)
  for (const path of ['1.9.0/team.thing.1.10.0', '1.9.2/team.thing.1.9.2', 'x/team.thing.x'])
    assert.equal((await owner.get(`${at}/download/team.thing/${path}.nupkg`)).status, 404, path)

  const [old, fresh] = [await thing('2.0.0'), await thing('2.0.0', '<description>Better</description>')]
  await publish(owner, project, old)
  await publish(owner, project, fresh)
  assert.ok((await owner.get(`${at}/download/team.thing/2.0.0/team.thing.2.0.0.nupkg`)).bytes.equals(fresh))
  assert.equal((await owner.get(`${at}/metadata/team.thing/2.0.0.json`)).body.catalogEntry.description, 'Better')
  assert.equal((await owner.get(`${project.url}/packages`)).body.length, 5)

  assert.equal((await owner.delete(`${at}/Team.Thing/1.9.0`)).status, 204)
  assert.equal((await owner.get(`${at}/metadata/team.thing/1.9.json`)).status, 404)
  assert.equal((await owner.delete(`${at}/Team.Thing/1.9.0`)).status, 404)
})

test('packages are searched, in pages and with their newest versions', async () => {
  const { project, owner } = await scene.project()
  for (const [name, version] of [
    ['Blue_Anvil', '1.0.0'],
    ['Red.Anvil', '1.0.0'],
    ['Red.Anvil', '1.1.0-beta'],
    ['Tongs', '0.1.0-alpha'],
  ] as const)
    await publish(owner, project, await packed(nuspecOf(name, version, '<authors>A</authors>'), `${name}.nuspec`))
  const found = async (query: Record<string, string | number | boolean>) => {
    const { body } = await owner.get(`${project.url}/packages/nuget/query`, query)
    return [
      body.totalHits,
      body.data.map(({ id, version, versions }: { id: string; version: string; versions: unknown[] }) => [id, version, versions.length]),
    ]
  }
  const [blue, red, tongs] = [
    ['Blue_Anvil', '1.0.0', 1],
    ['Red.Anvil', '1.1.0-beta', 2],
    ['Tongs', '0.1.0-alpha', 1],
  ]
  assert.deepEqual(await found({}), [3, [blue, red, tongs]])
  assert.deepEqual(await found({ q: 'ANVIL', skip: 1, take: 1 }), [2, [red]])
  assert.deepEqual(await found({ q: 'd_anvil' }), [0, []])
  assert.deepEqual(await found({ prerelease: false }), [2, [blue, ['Red.Anvil', '1.0.0', 1]]])
  assert.deepEqual(await found({ skip: 3 }), [3, []])
  const [{ '@type': type, authors, verified, versions }] = (await owner.get(`${project.url}/packages/nuget/query?q=tongs`)).body.data
  assert.deepEqual([type, authors, verified], ['Package', 'A', true])
  const url = `${scene.url}/api/v4/projects/${project.id}/packages/nuget/metadata/Tongs/0.1.0-alpha.json`
  assert.deepEqual(versions, [{ '@id': url, version: '0.1.0-alpha', downloads: 0 }])
  for (const query of [{ take: 0 }, { take: -1 }, { skip: -1 }, { skip: 'x' }])
    assert.equal((await owner.get(`${project.url}/packages/nuget/query`, query)).status, 400, JSON.stringify(query))

  const { db } = scene.deps.database
  await sql`
    insert into packages (project_id, package_type, name, lookup_name, version, metadata)
    select project_id, package_type, name, lookup_name, '2.0.' || patch, metadata
    from packages, generate_series(1, 60) patch where project_id = ${project.id} and name = 'Tongs' order by patch`.execute(db)
  assert.deepEqual(await found({ q: 'tongs' }), [1, [['Tongs', '2.0.60', 10]]])
  // They come in batches.
  const { items } = (await owner.get(`${project.url}/packages/nuget/metadata/tongs/index.json`)).body.items[0]
  assert.deepEqual([items.length, items.at(-1).catalogEntry.version], [61, '2.0.60'])
})

test('what is no package is refused and leaves nothing', async () => {
  const { project, owner } = await scene.project()
  const bomb = `<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${nuspecOf('Team.Thing', '1.0.0', '<description>&b;</description>').slice(38)}`
  const refused: Record<string, Buffer> = {
    'no zip': Buffer.from('package'),
    'a zip that is cut': (await thing('1.0.0')).subarray(0, 400),
    'no nuspec': await zipOf({ 'lib/a.dll': 'x' }),
    'a nuspec in a folder alone': await zipOf({ 'lib/a.nuspec': nuspecOf('Team.Thing', '1.0.0') }),
    'a nuspec that lies about its size': oddZip([{ name: 'a.nuspec', content: nuspecOf('Team.Thing', '1.0.0'), says: { size: 5 } }]),
    'a nuspec whose bytes are others': oddZip([{ name: 'a.nuspec', content: nuspecOf('Team.Thing', '1.0.0'), says: { crc32: 1 } }]),
    'a nuspec that cannot be unpacked': oddZip([{ name: 'a.nuspec', content: Buffer.alloc(400, 0xff), says: { method: 8, size: 5 } }]),
    'a large nuspec': await thing('1.0.0', `<description>${'x'.repeat(1_100_000)}</description>`),
    'no XML': await packed('{"id": 1}'),
    'XML that ends early': await packed(nuspecOf('Team.Thing', '1.0.0').slice(0, -12)),
    'entities of its own': await packed(bomb),
    'other elements': await packed('<a><metadata><id>Team.Thing</id><version>1.0.0</version></metadata></a>'),
    'a large file beside one whose name is listed as the same': oddZip([
      { name: Buffer.from('Team.Thing\xff.nuspec', 'latin1'), content: nuspecOf('Team.Thing', '1.0.0') },
      { name: 'Team.Thing\ufffd.nuspec', content: nuspecOf('Team.Thing', '1.0.0', `<x>${'x'.repeat(1024 * 1024)}</x>`) },
    ]),
    'a long name of an element': await thing('1.0.0', `<${'a'.repeat(201)}/>`),
    'many levels': await thing('1.0.0', `${'<a>'.repeat(40)}${'</a>'.repeat(40)}`),
    'no name': await packed('<package><metadata><version>1.0.0</version></metadata></package>'),
    'a name with a path': await packed(nuspecOf('../thing', '1.0.0')),
    'a long name': await packed(nuspecOf('a'.repeat(101), '1.0.0')),
    'no version': await packed('<package><metadata><id>Team.Thing</id></metadata></package>'),
    'a version that is none': await thing('latest'),
    'a version of five numbers': await thing('1.2.3.4.5'),
    'a long description': await thing('1.0.0', `<description>${'x'.repeat(4_001)}</description>`),
    'many dependencies': await thing(
      '1.0.0',
      `<dependencies>${'<dependency id="Some.Other.Thing" version="1.0.0"/>'.repeat(9_000)}</dependencies>`,
    ),
  }
  for (const [what, bytes] of Object.entries(refused)) {
    const { status, body } = await publish(owner, project, bytes)
    assert.equal(status, 400, what)
    assert.match(body.message, /^Validation failed: /, what)
  }
  assert.equal((await owner.put(`${project.url}/packages/nuget`, { package: 'text' })).status, 400)
  await scene.root.put('/application/plan_limits', { plan_name: 'default', nuget_max_file_size: 99 })
  const large = await publish(owner, project, await thing('1.0.0'))
  await scene.root.put('/application/plan_limits', { plan_name: 'default', nuget_max_file_size: 524_288_000 })
  assert.deepEqual(large, { status: 400, body: { message: '400 Bad request - File is too large' } })
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('concurrent publications of a version make one package, whose newest file is installed', async () => {
  const { project, owner } = await scene.project()
  const files = await Promise.all([1, 2, 3, 4].map(() => thing('1.0.0')))
  const answers = await Promise.all(files.map(bytes => publish(owner, project, bytes)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 201, 201],
  )
  const [{ id }, ...others] = (await owner.get(`${project.url}/packages`)).body
  assert.deepEqual(others, [])
  const kept = (await owner.get(`${project.url}/packages/${id}/package_files`)).body
  assert.equal(kept.length, 4)
  const { bytes } = await owner.get(`${project.url}/packages/nuget/download/team.thing/1.0.0/team.thing.1.0.0.nupkg`)
  assert.equal(sha256(bytes), kept.at(-1).file_sha256)
})

test('a project with a storage limit takes no package beyond it', async () => {
  const { project, owner } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const large = await zipOf({ 'a.nuspec': nuspecOf('Team.Thing', '1.0.0'), 'a.dll': randomBytes(1_100_000) })
  assert.equal((await publish(owner, project, large)).status, 413)
  assert.deepEqual((await owner.get(`${project.url}/packages`)).body, [])
})

test('who may: as with all packages; callers without credentials are asked for them', async () => {
  const { project, owner, ...people } = await scene.project({ members: ['guest', 'reporter', 'developer'] })
  await publish(owner, project, await thing('1.0.0'))
  const at = `${project.url}/packages/nuget`
  const next = await thing('1.0.1')
  const statuses = async (client: Client) => [
    (await client.get(`${at}/index.json`)).status,
    (await client.get(`${at}/metadata/team.thing/index.json`)).status,
    (await client.get(`${at}/download/team.thing/1.0.0/team.thing.1.0.0.nupkg`)).status,
    (await client.get(`${at}/query`)).status,
    (await publish(client, project, next)).status,
  ]
  const [none, reads, writes] = [
    [404, 404, 404, 404, 404],
    [200, 200, 200, 200, 403],
    [200, 200, 200, 200, 201],
  ]
  assert.deepEqual(await statuses(scene.anonymous), [401, 401, 401, 401, 401])
  assert.deepEqual(await statuses(await scene.user()), none)
  assert.deepEqual(await statuses(people.guest), [403, 403, 403, 403, 403])
  assert.deepEqual(await statuses(basic(people.reporter.username, people.reporter.token)), reads)
  assert.deepEqual(await statuses(people.developer), writes)
  // `dotnet nuget push --api-key`.
  assert.deepEqual(await statuses(scene.as({ 'x-nuget-apikey': people.developer.token })), writes)
  const job = await runningJob(scene, project, owner)
  assert.deepEqual(await statuses(basic('gitlab-ci-token', job.token)), writes)
  const make = async (scopes: string[]) => (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes })).body
  const [reader, writer] = [await make(['read_package_registry']), await make(['write_package_registry'])]
  assert.deepEqual(await statuses(basic(reader.username, reader.token)), reads)
  assert.deepEqual(await statuses(basic(writer.username, writer.token)), writes)
  assert.equal((await people.developer.delete(`${at}/Team.Thing/1.0.1`)).status, 403)
  const asked = await scene.anonymous.get(`${at}/index.json`)
  assert.match(asked.headers['www-authenticate'] ?? '', /^Basic /)
  await owner.put(project.url, { packages_enabled: false })
  assert.deepEqual(await statuses(owner), [403, 403, 403, 403, 403])
})

test('a group has the packages of its projects that the caller may read', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ owner, parent: group })
  const [one, two] = [await scene.project({ group, owner }), await scene.project({ group: below, owner })]
  await publish(owner, one.project, await thing('1.0.0'))
  await publish(owner, two.project, await thing('2.0.0'))
  const at = `${group.url}/-/packages/nuget`
  const { resources } = (await owner.get(`${at}/index.json`)).body
  const types = resources.map((resource: Record<string, string>) => resource['@type'])
  assert.ok(types.includes('SearchQueryService') && types.includes('RegistrationsBaseUrl') && !types.includes('PackagePublish/2.0.0'))
  const [{ count, items }] = (await owner.get(`${at}/metadata/team.thing/index.json`)).body.items
  assert.equal(count, 2)
  const inProject = `${scene.url}/api/v4/projects/${two.project.id}/packages/nuget/download/Team.Thing/2.0.0/team.thing.2.0.0.nupkg`
  assert.equal(items[1].packageContent, inProject)
  assert.equal((await owner.get(`${at}/metadata/team.thing/2.0.0.json`)).body.packageContent, inProject)
  assert.deepEqual((await owner.get(`${at}/query`)).body.totalHits, 1)
  const outsider = await scene.user()
  for (const path of ['index.json', 'metadata/team.thing/index.json', 'query']) {
    assert.equal((await outsider.get(`${at}/${path}`)).status, 404)
    assert.equal((await scene.anonymous.get(`${at}/${path}`)).status, 401)
  }
  const token = (await owner.post(`${group.url}/deploy_tokens`, { name: 'ci', scopes: ['read_package_registry'] })).body
  assert.equal((await basic(token.username, token.token).get(`${at}/metadata/team.thing/index.json`)).body.items[0].count, 2)
})

describe('versions', () => {
  const cases = {
    '1.0': '1.0.0',
    '1.00.01': '1.0.1',
    '1.2.3.0': '1.2.3',
    '1.2.3.4': '1.2.3.4',
    '1.0.0-Beta+x.1': '1.0.0-beta',
    '1': undefined,
    'v1.0': undefined,
  }
  for (const [written, expected] of Object.entries(cases))
    test(`${written} is ${expected}`, () => assert.equal(normalizedVersion(written), expected))

  test('their order', () => {
    const ordered = ['none', '1.0.0-alpha', '1.0.0-alpha.2', '1.0.0-alpha.10', '1.0.0', '1.0.0.1', '1.0.10', '1.1']
    assert.deepEqual(ordered.toReversed().sort(compareNugetVersions), ordered)
  })
})
