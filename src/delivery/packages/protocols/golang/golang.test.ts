/** The proxy for modules of Go as it comes over the wire. The tests with the real `go`: test/clients/go.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, openScene, type Person, type SceneProject } from '../../../../../test/scene.ts'
import { runningJob } from '../../../../ci/jobs/scene.ts'
import { commitFiles } from '../../../../code/repository/scene.ts'

const scene = await openScene()
const host = new URL(scene.url).hostname

const basic = (username: string, password: string) =>
  scene.as({ authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` })

/** The address of a module as `go` writes it. */
const proxyOf = (project: SceneProject, module: string) =>
  `${project.url}/packages/go/${module.replace(/[A-Z]/g, letter => `!${letter.toLowerCase()}`)}/@v`

async function tag(owner: Person, project: SceneProject, name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const commit = await commitFiles(owner, project, files)
  const { status } = await owner.post(`${project.url}/repository/tags`, { tag_name: name, ref: commit })
  assert.equal(status, 201)
  return commit
}

/** The names of the files in a zip, from its directory. */
function namesIn(zip: Buffer): string[] {
  const names: string[] = []
  let at = zip.readUInt32LE(zip.lastIndexOf('PK\x05\x06', undefined, 'latin1') + 16)
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28))
    if (!name.endsWith('/')) names.push(name)
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return names.sort()
}

test('tags are versions, with their time, their go.mod and their files', async () => {
  const { project, owner } = await scene.project()
  const module = `${host}/${project.full_path}`
  const goMod = `// The module.\nmodule ${module}\n\ngo 1.19\n`
  await tag(owner, project, 'v1.2.0', {
    'go.mod': goMod,
    'thing.go': 'package thing\n',
    'vendor/modules.txt': '# none\n',
    'vendor/example.com/other/other.go': 'package other\n',
    'tools/go.mod': `module ${module}/tools\n`,
    'tools/tools.go': 'package tools\n',
    'docs/vendor/a.txt': 'a\n',
  })
  for (const name of ['v1.10.0', 'v1.2.0-rc.1', '1.3.0', 'v1.4', 'v1.5.0+build', 'v2.0.0', 'release'])
    await tag(owner, project, name, { 'NEWS.md': `${name}\n` })
  const commit = await tag(owner, project, 'v1.3.0', { 'go.mod': 'module example.com/renamed\n' })

  const list = await owner.get(`${proxyOf(project, module)}/list`)
  assert.deepEqual([list.status, list.headers['content-type'], list.body], [200, 'text/plain', 'v1.2.0-rc.1\nv1.2.0\nv1.10.0'])
  const encoded = await owner.get(`${project.url}/packages/go/${encodeURIComponent(module)}/@v/list`)
  assert.equal(encoded.body, list.body)
  const info = (await owner.get(`${proxyOf(project, module)}/v1.2.0.info`)).body
  const [{ commit: made }] = (await owner.get(`${project.url}/repository/tags`, { search: '^v1.2.0$' })).body
  assert.deepEqual(info, { Version: 'v1.2.0', Time: new Date(`${made.committed_date.slice(0, 19)}Z`).toISOString() })
  assert.equal((await owner.get(`${proxyOf(project, module)}/v1.2.0.mod`)).body, goMod)
  const zip = await owner.get(`${proxyOf(project, module)}/v1.2.0.zip`)
  assert.equal(zip.headers['content-type'], 'application/zip')
  assert.deepEqual(
    namesIn(zip.bytes),
    ['go.mod', 'thing.go', 'vendor/modules.txt'].map(name => `${module}@v1.2.0/${name}`),
  )
  assert.equal((await owner.get(`${proxyOf(project, 'example.com/renamed')}/list`)).body, 'v1.3.0')
  for (const version of ['v1.3.0', 'v2.0.0', 'v1.4', 'v9.9.9', '1.3.0', 'release', 'main', commit]) {
    const answer = await owner.get(`${proxyOf(project, module)}/${version}.info`)
    assert.deepEqual(answer, { status: 404, body: { message: '404 Module Version Not Found' } }, version)
  }
  // `go` asks the next proxy for a module that is none of here.
  const unknown = await owner.get(`${proxyOf(project, 'example.com/unknown')}/list`)
  assert.deepEqual(unknown, { status: 404, body: { message: '404 Module Not Found' } })
  assert.equal((await owner.get(`${proxyOf(project, `${module}/none`)}/list`)).status, 200)
})

test('modules in folders, of major versions and of single commits', async () => {
  const { project, owner } = await scene.project()
  const module = `${host}/${project.full_path}`
  await tag(owner, project, 'v1.0.0', {
    'go.mod': `module ${module}\n`,
    'lib/go.mod': `module ${module}/lib\n`,
    'lib/lib.go': 'package lib\n',
  })
  await tag(owner, project, 'lib/v0.1.0', { 'lib/lib.go': 'package lib // Better.\n' })
  await tag(owner, project, 'v2.1.0', {
    'go.mod': `module ${module}/v2\n`,
    'v3/go.mod': `module "${module}/v3"\n`,
    'v3/Three.go': 'package three\n',
  })
  const commit = await tag(owner, project, 'v3.0.0', { 'extra/go.mod': `module ${module}/extra\n` })
  const listed = async (path: string) => (await owner.get(`${proxyOf(project, path)}/list`)).body
  assert.equal(await listed(module), 'v1.0.0')
  assert.equal(await listed(`${module}/lib`), 'v0.1.0')
  assert.equal(await listed(`${module}/v2`), 'v2.1.0')
  assert.equal(await listed(`${module}/v3`), 'v3.0.0')
  // A folder without tags of its own has those of the repository.
  assert.equal(await listed(`${module}/extra`), undefined)
  await tag(owner, project, 'v1.1.0', { 'extra/extra.go': 'package extra\n' })
  assert.equal(await listed(`${module}/extra`), 'v1.1.0')
  const three = await owner.get(`${proxyOf(project, `${module}/v3`)}/v3.0.0.zip`)
  assert.deepEqual(namesIn(three.bytes), [`${module}/v3@v3.0.0/Three.go`, `${module}/v3@v3.0.0/go.mod`])
  assert.deepEqual(namesIn((await owner.get(`${proxyOf(project, `${module}/lib`)}/v0.1.0.zip`)).bytes), [
    `${module}/lib@v0.1.0/go.mod`,
    `${module}/lib@v0.1.0/lib.go`,
  ])

  const { Time } = (await owner.get(`${proxyOf(project, `${module}/v3`)}/v3.0.0.info`)).body
  const time = Time.replace(/\D/g, '').slice(0, 14)
  const pseudo = (version: string) => owner.get(`${proxyOf(project, `${module}/v2`)}/${version}.info`)
  const version = `v2.1.1-0.${time}-${commit.slice(0, 12)}`
  assert.deepEqual((await pseudo(version)).body, { Version: version, Time })
  for (const wrong of [
    `v2.1.1-0.20010101000000-${commit.slice(0, 12)}`,
    `v2.1.1-0.${time}-${'0'.repeat(12)}`,
    `v1.0.1-0.${time}-${commit.slice(0, 12)}`,
  ])
    assert.equal((await pseudo(wrong)).status, 404, wrong)
})

test('the path of a module is looked for in the beginning of its go.mod', async () => {
  const { project, owner } = await scene.project()
  const module = `${host}/${project.full_path}`
  const lines = '\n'.repeat(70_000)
  await tag(owner, project, 'v1.0.0', { 'go.mod': `${lines}module ${module}\n` })
  await tag(owner, project, 'v1.1.0', { 'go.mod': `// module none\r\n\tmodule\t\`${module}\` // That.\r\n${lines}` })
  await tag(owner, project, 'v1.2.0', { 'other.go': 'package other\n' })
  assert.equal((await owner.get(`${proxyOf(project, module)}/list`)).body, 'v1.1.0\nv1.2.0')
  assert.equal((await owner.get(`${proxyOf(project, module)}/v1.0.0.mod`)).status, 404)
  assert.equal((await owner.get(`${proxyOf(project, module)}/v1.1.0.mod`)).bytes.length, lines.length + module.length + 37)
})

test('letters in upper case are written as `!` and the lower one, and nothing else is', async () => {
  const { project, owner } = await scene.project()
  await tag(owner, project, 'v1.0.0-RC1', { 'go.mod': 'module example.com/Team/Thing\n' })
  assert.equal((await owner.get(`${proxyOf(project, 'example.com/Team/Thing')}/list`)).body, 'v1.0.0-RC1')
  assert.equal((await owner.get(`${proxyOf(project, 'example.com/Team/Thing')}/v1.0.0-!r!c1.mod`)).status, 200)
  const plain = await owner.get(`${project.url}/packages/go/example.com/Team/Thing/@v/list`)
  assert.deepEqual(plain, { status: 404, body: { message: '404 Module Not Found' } })
  for (const path of ['example.com/!Team', 'example.com/!!team', 'example.com/..%2F..', 'a%00b'])
    assert.ok([200, 404].includes((await owner.get(`${project.url}/packages/go/${path}/@v/list`)).status), path)
  const { project: empty } = await scene.project({ owner })
  assert.equal((await owner.get(`${proxyOf(empty, 'example.com/thing')}/list`)).status, 404)
})

test('who may: those who may read packages and the code that they are made of', async () => {
  const { project, owner, ...people } = await scene.project({ members: ['guest', 'reporter'] })
  const module = `${host}/${project.full_path}`
  await tag(owner, project, 'v1.0.0', { 'go.mod': `module ${module}\n` })
  const statuses = async (client: Client) =>
    Promise.all(
      ['list', 'v1.0.0.info', 'v1.0.0.mod', 'v1.0.0.zip'].map(
        async name => (await client.get(`${proxyOf(project, module)}/${name}`)).status,
      ),
    )
  const all = (status: number) => [status, status, status, status]
  assert.deepEqual(await statuses(scene.anonymous), all(401))
  assert.deepEqual(await statuses(await scene.user()), all(404))
  assert.deepEqual(await statuses(people.guest), all(403))
  assert.deepEqual(await statuses(basic(people.reporter.username, people.reporter.token)), all(200))
  const job = await runningJob(scene, project, owner)
  assert.deepEqual(await statuses(basic('gitlab-ci-token', job.token)), all(200))
  const token = (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes: ['read_package_registry'] })).body
  assert.deepEqual(await statuses(basic(token.username, token.token)), all(200))
  const writer = (await owner.post(`${project.url}/deploy_tokens`, { name: 'ci', scopes: ['write_package_registry'] })).body
  assert.deepEqual(await statuses(basic(writer.username, writer.token)), all(403))
  const asked = await scene.anonymous.get(`${proxyOf(project, module)}/list`)
  assert.match(asked.headers['www-authenticate'] ?? '', /^Basic /)
  await owner.put(project.url, { visibility: 'public', repository_access_level: 'private' })
  assert.deepEqual(await statuses(await scene.user()), all(403))
  assert.deepEqual(await statuses(people.reporter), all(200))
  await owner.put(project.url, { packages_enabled: false })
  assert.deepEqual(await statuses(owner), all(403))
})
