/** Imports of repositories (decision 50). */

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { fetchRemote, remoteHead } from '../../platform/git/index.ts'
import { Secret } from '../../platform/secret.ts'
import { importProject } from './task.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const host = new URL(scene.url).host
const owner = await scene.user()
const { project: source } = await scene.project({ owner })
await scene.commit(source, { 'README.md': 'Taken over' })
await owner.post(`${source.url}/repository/branches`, { branch: 'topic', ref: 'main' })
await owner.post(`${source.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
const withToken = `http://oauth2:${owner.token}@${host}/${source.full_path}.git`

function* endless(chunk: Buffer) {
  for (;;) yield chunk
}

let count = 0
/** A project imported from a URL, after the worker has processed it. */
async function imported(import_url: string) {
  const created = await owner.post('/projects', { name: `Imported ${++count}`, import_url })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  assert.equal(created.body.import_status, 'scheduled')
  await importProject(scene.deps, { project_id: created.body.id })
  const url = `/projects/${created.body.id}`
  return { url, project: (await owner.get(url)).body }
}

test('branches, tags and the default branch are imported; the credentials of the URL are not shown', async () => {
  const { url, project } = await imported(withToken)
  assert.deepEqual(
    [project.import_status, project.import_error, project.empty_repo, project.default_branch],
    ['finished', null, false, 'main'],
  )
  assert.match(project.readme_url, /README\.md$/)
  assert.equal((await owner.get(`${url}/repository/branches/topic`)).status, 200)
  assert.equal((await owner.get(`${url}/repository/tags/v1`)).status, 200)
  assert.equal(JSON.stringify(project).includes(owner.token), false)
  const stored = await scene.deps.database.db
    .selectFrom('projects')
    .select(['import_url', 'import_credentials'])
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow()
  assert.equal(stored.import_url, `http://${host}/${source.full_path}.git`)
  assert.equal(stored.import_credentials?.includes(owner.token), false)
})

test('an empty repository is imported as empty', async () => {
  const { project: empty } = await scene.project({ owner })
  const { project } = await imported(`http://oauth2:${owner.token}@${host}/${empty.full_path}.git`)
  assert.deepEqual([project.import_status, project.empty_repo], ['finished', true])
})

describe('a source that cannot be read leaves a usable project with a failed import and its reason', async () => {
  const redirecting = createServer((_request, response) =>
    response.writeHead(302, { location: `http://${host}/${source.full_path}.git/` }).end(),
  )
  const addressOf = async (server: typeof redirecting) => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`
  }
  const cases: readonly (readonly [what: string, url: string, error: string])[] = [
    ['a wrong password', `http://oauth2:wrong@${host}/${source.full_path}.git`, 'The remote repository could not be read'],
    ['nothing there', `http://${host}/no/such.git`, 'The remote repository could not be read'],
    ['nobody listens', 'http://127.0.0.1:1/x.git', 'The remote repository could not be read'],
    ['a redirect, which could lead anywhere', await addressOf(redirecting), 'The remote repository could not be read'],
    ['a private network', 'http://10.0.0.1/x.git', 'Requests to the local network are not allowed: 10.0.0.1'],
    ['the machine itself by another name', 'http://[::1]/x.git', 'Requests to the local network are not allowed: ::1'],
    ['an unknown host', 'http://nothing.invalid/x.git', 'Host cannot be resolved: nothing.invalid'],
  ]
  for (const [what, address, error] of cases)
    test(what, async () => {
      const { url, project } = await imported(address)
      assert.deepEqual([project.import_status, project.import_error], ['failed', error])
      const commit = await owner.post(`${url}/repository/files/a.txt`, { branch: 'main', content: 'a', commit_message: 'Begin' })
      assert.equal(commit.status, 201)
    })
})

test('a failed import can be repeated with another URL, as long as there are no commits', async () => {
  const { url } = await imported('http://127.0.0.1:1/x.git')
  const changed = await owner.put(url, { import_url: withToken })
  assert.equal(changed.body.import_status, 'scheduled')
  await importProject(scene.deps, { project_id: changed.body.id })
  assert.deepEqual((await owner.get(url)).body.import_status, 'finished')
})

test('repeating the task changes nothing', async () => {
  const { url, project } = await imported(withToken)
  await owner.post(`${url}/repository/files/a.txt`, { branch: 'main', content: 'a', commit_message: 'Mine' })
  await importProject(scene.deps, { project_id: project.id })
  assert.equal((await owner.get(`${url}/repository/files/a.txt?ref=main`)).status, 200)
})

describe('URLs that are refused immediately', () => {
  for (const import_url of [
    'nonsense',
    'file:///etc',
    'git@example.com:a/b.git',
    'ssh://git@example.com/a.git',
    'ext::sh -c true',
    'http://%zz:x@example.com/',
  ])
    test(import_url, async () => {
      const { status, body } = await owner.post('/projects', { name: 'Never', import_url })
      assert.equal(status, 400)
      assert.ok(body.message.import_url)
      // Also for a project with a repository, where nothing would be imported.
      const changed = await owner.put(source.url, { import_url })
      assert.deepEqual({ status: changed.status, body: changed.body }, { status, body })
    })

  test('an import URL together with a README', async () => {
    const { status, body } = await owner.post('/projects', { name: 'Never', import_url: withToken, initialize_with_readme: true })
    assert.deepEqual(
      { status, body },
      { status: 400, body: { message: { initialize_with_readme: ['cannot be given together with import_url'] } } },
    )
  })
})

describe('imports from a hostile server', () => {
  const place = scene.deps.storages.repository({ id: source.id, repository_storage: 'default' })
  const port = Number(new URL(scene.url).port)
  const credentials = { username: 'oauth2', password: new Secret(owner.token) }

  test('git connects to the address that was checked, whatever the name resolves to by then', async () => {
    const url = new URL(`http://pinned.invalid:${port}/${source.full_path}.git`)
    assert.equal(await remoteHead(place, { url, address: '127.0.0.1', port, credentials }), 'main')
  })

  test('a repository that exceeds the limit is not imported', async () => {
    const url = new URL(`http://${host}/${source.full_path}.git`)
    await assert.rejects(() => fetchRemote(place, { url, address: '127.0.0.1', port, credentials }, 100), {
      message: 'The remote repository is too large',
    })
  })

  test('a default branch with an invalid name is ignored', async () => {
    const server = createServer((_request, response) => {
      const lines = [
        '# service=git-upload-pack\n',
        null,
        `${'1'.repeat(40)} HEAD\0symref=HEAD:refs/heads/-x agent=git/2\n`,
        `${'1'.repeat(40)} refs/heads/-x\n`,
        null,
      ]
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
      response.end(lines.map(line => (line === null ? '0000' : (line.length + 4).toString(16).padStart(4, '0') + line)).join(''))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    const { port } = server.address() as AddressInfo
    const url = new URL(`http://127.0.0.1:${port}/a.git`)
    assert.equal(await remoteHead(place, { url, address: '127.0.0.1', port, credentials: undefined }), undefined)
  })

  test('a list of references without an end is given up before it fills the memory', async () => {
    const packet = (line: string) => (line.length + 4).toString(16).padStart(4, '0') + line
    const many = Buffer.from(Array.from({ length: 10_000 }, (_, n) => packet(`${'1'.repeat(40)} refs/heads/branch-${n}\n`)).join(''))
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' })
      response.write(`${packet('# service=git-upload-pack\n')}0000`)
      pipeline(Readable.from(endless(many)), response, () => undefined)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    after(() => server.close())
    const { port } = server.address() as AddressInfo
    const url = new URL(`http://127.0.0.1:${port}/a.git`)

    await assert.rejects(
      remoteHead(place, { url, address: '127.0.0.1', port, credentials: undefined }),
      /The remote repository could not be read/,
    )
    await assert.rejects(
      fetchRemote(place, { url, address: '127.0.0.1', port, credentials: undefined }, 1024 ** 3, { resident: 100 }),
      /The remote repository takes more memory than there is for one/,
    )
  })
})
