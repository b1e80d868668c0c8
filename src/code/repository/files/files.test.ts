import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { git, importCommits } from '../../../platform/git/scene.ts'
import { ensureRepository } from '../../../spaces/projects/repository/store.ts'

const scene = await openScene()

async function world() {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const commit = await scene.commit(project, { 'README.md': '# A\n', 'docs/ü b.txt': 'eins\nzwei\n' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const url = `${project.url}/repository/files`
  return { project, owner, developer, commit, repository, url }
}

/** Encodes slashes and dots, as Go clients do (clients.md 0.5). */
const encoded = (path: string) => encodeURIComponent(path).replaceAll('.', '%2E')

test('a file has content and headers, by GET and HEAD (clients.md 0.7)', async () => {
  const { owner, commit, repository, url } = await world()
  const path = 'docs/ü b.txt'
  const blob = git(repository, ['rev-parse', `main:${path}`])
  const sha256 = createHash('sha256').update('eins\nzwei\n').digest('hex')

  const answer = await owner.get(`${url}/${encoded(path)}`, { ref: 'main' })

  assert.deepEqual(answer.body, {
    file_name: 'ü b.txt',
    file_path: path,
    size: 10,
    encoding: 'base64',
    content_sha256: sha256,
    ref: 'main',
    blob_id: blob,
    commit_id: commit,
    last_commit_id: commit,
    content: Buffer.from('eins\nzwei\n').toString('base64'),
  })
  const said = {
    'x-gitlab-blob-id': blob,
    'x-gitlab-commit-id': commit,
    'x-gitlab-content-sha256': sha256,
    'x-gitlab-encoding': 'base64',
    'x-gitlab-file-name': '%C3%BC b.txt',
    'x-gitlab-file-path': 'docs/%C3%BC b.txt',
    'x-gitlab-last-commit-id': commit,
    'x-gitlab-ref': 'main',
    'x-gitlab-size': '10',
  }
  const head = await owner.head(`${url}/${encoded(path)}`, { ref: 'main' })
  const raw = await owner.get(`${url}/${encoded(path)}/raw`)
  for (const { status, headers } of [answer, head, raw]) {
    assert.equal(status, 200)
    for (const [name, value] of Object.entries(said)) assert.equal(headers[name], value, name)
  }
  assert.equal(head.bytes.length, 0)
})

test('raw content is served unchanged and never as active content', async () => {
  const { owner, developer, url } = await world()
  const content = randomBytes(3 * 1024 * 1024)
  await owner.post(`${url}/big.html`, { branch: 'main', commit_message: 'x', encoding: 'base64', content: content.toString('base64') })

  const answer = await developer.get(`${url}/${encoded('big.html')}/raw`, { ref: 'main' })

  assert.equal(Buffer.compare(answer.bytes, content), 0)
  assert.equal(answer.headers['content-type'], 'text/plain')
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  assert.equal(answer.headers['content-disposition'], 'inline; filename="big.html"')
  assert.equal(answer.headers['content-length'], String(content.length))
  const current = await developer.get(`${url}/big.html/raw`, {}, { 'if-none-match': answer.headers.etag as string })
  assert.deepEqual([current.status, current.bytes.length], [304, 0])
  const head = await developer.head(`${url}/big.html/raw`)
  assert.deepEqual([head.status, head.headers['x-gitlab-size']], [200, String(content.length)])
})

test('missing files and missing revisions have different errors', async () => {
  const { owner, url } = await world()
  const cases: [path: string, query: object, status: number, message: unknown][] = [
    ['none', { ref: 'main' }, 404, '404 File Not Found'],
    ['docs', { ref: 'main' }, 404, '404 File Not Found'],
    ['README.md', { ref: 'none' }, 404, '404 Commit Not Found'],
    ['README.md', {}, 400, '400 (Bad request) "ref" not given'],
    ['../README.md', { ref: 'main' }, 400, { file_path: ['should be a valid file path'] }],
    ['a/.git/b', { ref: 'main' }, 400, { file_path: ['should be a valid file path'] }],
  ]
  for (const [path, query, status, message] of cases)
    assert.deepEqual(await owner.get(`${url}/${encoded(path)}`, { ...query }), { status, body: { message } }, path)
  const empty = await scene.project()
  assert.equal((await empty.owner.get(`${empty.project.url}/repository/files/a`, { ref: 'main' })).status, 404)
  assert.equal((await empty.owner.head(`${empty.project.url}/repository/files/a`, { ref: 'main' })).status, 404)
})

test('a file is created, changed and deleted, each in a commit of its own', async () => {
  const { owner, repository, url } = await world()
  const change = { branch: 'main', commit_message: 'x', author_name: 'Eve', author_email: 'eve@example.com' }

  assert.deepEqual(await owner.post(`${url}/${encoded('a/new.txt')}`, { ...change, content: 'one' }), {
    status: 201,
    body: { file_path: 'a/new.txt', branch: 'main' },
  })
  assert.deepEqual((await owner.post(`${url}/${encoded('a/new.txt')}`, { ...change, content: 'one' })).body, {
    message: 'A file with this name already exists',
  })
  const { last_commit_id } = (await owner.get(`${url}/${encoded('a/new.txt')}`, { ref: 'main' })).body
  const updated = await owner.put(`${url}/${encoded('a/new.txt')}`, { ...change, content: 'dHdv', encoding: 'base64', last_commit_id })
  assert.deepEqual(updated, { status: 200, body: { file_path: 'a/new.txt', branch: 'main' } })
  assert.equal(git(repository, ['log', '-1', '--format=%an <%ae> %cn', 'main']), `Eve <eve@example.com> ${owner.name}`)
  const stale = await owner.put(`${url}/${encoded('a/new.txt')}`, { ...change, content: 'x', last_commit_id })
  assert.deepEqual(stale, {
    status: 400,
    body: { message: 'You are attempting to update a file that has changed since you started editing it.' },
  })
  assert.equal(git(repository, ['show', 'main:a/new.txt']), 'two')
  assert.deepEqual(await owner.delete(`${url}/${encoded('a/new.txt')}`, { ...change }), { status: 204, body: undefined })
  const gone = await owner.delete(`${url}/${encoded('a/new.txt')}`, { ...change })
  assert.deepEqual(gone, { status: 400, body: { message: "A file with this name doesn't exist" } })
})

test('a file can be created on a new branch, and on a protected one by users who may push', async () => {
  const { developer, url } = await world()
  const given = { commit_message: 'x', content: 'x' }
  assert.equal((await developer.post(`${url}/x`, { ...given, branch: 'main' })).status, 403)
  assert.equal((await developer.post(`${url}/x`, { ...given, branch: 'topic', start_branch: 'main' })).status, 201)
  assert.equal((await developer.get(`${url}/x`, { ref: 'topic' })).status, 200)
})

test('a token with scope read_repository reads files, and nothing else of the API', async () => {
  const { project, developer, url } = await world()
  const reader = scene.as({ 'private-token': await scene.token(developer, { scopes: ['read_repository'] }) })
  assert.equal((await reader.get(`${url}/README.md`, { ref: 'main' })).status, 200)
  assert.equal((await reader.get(`${url}/README.md/raw`)).status, 200)
  assert.equal((await reader.get(project.url)).status, 403)
  assert.equal((await reader.post(`${url}/x`, { branch: 'topic', start_branch: 'main', commit_message: 'x', content: 'x' })).status, 403)
})

test('blame lists the commits of lines', async () => {
  const { owner, commit, url } = await world()
  await owner.put(`${url}/${encoded('docs/ü b.txt')}`, { branch: 'main', commit_message: 'Change', content: 'eins\n2\n' })
  const { body } = await owner.get(`${url}/${encoded('docs/ü b.txt')}/blame`, { ref: 'main' })
  assert.deepEqual(
    body.map((part: { commit: { message: string }; lines: string[] }) => [part.commit.message, part.lines]),
    [
      ['Change files', ['eins']],
      ['Change', ['2']],
    ],
  )
  assert.equal(body[0].commit.id, commit)
})

test('a submodule that is there names another commit', async () => {
  const { project, owner } = await scene.project()
  const repository = await ensureRepository(scene.deps.database.db, scene.deps.storages, {
    id: project.id,
    repository_storage: 'default',
    default_branch: 'main',
  })
  const [old, next] = ['1'.repeat(40), '2'.repeat(40)]
  await owner.post(`${project.url}/repository/files/README.md`, { branch: 'main', content: 'x', commit_message: 'Begin' })
  importCommits(repository, 'modules', [{ message: 'Add', files: { 'lib/sub': { mode: '160000', content: old }, a: 'a' } }])
  const url = `${project.url}/repository/submodules/lib%2Fsub`
  const send = (body: object) => owner.put(url, { branch: 'modules', commit_sha: next, ...body })

  const updated = await send({})

  assert.deepEqual([updated.status, updated.body.message.trim()], [200, `Update submodule lib/sub with oid ${next}`])
  const [entry] = (await owner.get(`${project.url}/repository/tree`, { ref: 'modules', path: 'lib' })).body
  assert.deepEqual([entry.id, entry.type], [next, 'commit'])
  assert.equal((await send({})).status, 400)
  assert.equal((await send({ commit_sha: 'short' })).status, 400)
  assert.equal((await send({ branch: 'none' })).status, 400)
  assert.deepEqual(await owner.put(`${project.url}/repository/submodules/a`, { branch: 'modules', commit_sha: next }), {
    status: 400,
    body: { message: 'Invalid submodule path' },
  })
})
