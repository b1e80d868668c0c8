import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pino from 'pino'
import { testDatabase } from '../../../test/database.ts'
import { openScene } from '../../../test/scene.ts'
import { canArchive } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'
import { tasksOf } from '../../server/tasks.ts'
import { initializeRepository } from './lifecycle/initialize.ts'
import { sweepRepositories } from './lifecycle/removal.ts'

const scene = await openScene()

async function world() {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const commit = await scene.commit(project, { 'README.md': '# A\n', 'src/a.txt': 'a\n', 'src/deep/b.txt': 'b\n' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  return { project, owner, commit, repository, url: `${project.url}/repository` }
}

const paths = (rows: { path: string }[]) => rows.map(({ path }) => path)

test('a tree is listed by directory, recursively and by pages', async () => {
  const { owner, commit, repository, url } = await world()
  const tree = async (query = {}) => (await owner.get(`${url}/tree`, query)).body

  assert.deepEqual(await tree(), [
    { id: git(repository, ['rev-parse', 'main:src']), name: 'src', type: 'tree', path: 'src', mode: '040000' },
    { id: git(repository, ['rev-parse', 'main:README.md']), name: 'README.md', type: 'blob', path: 'README.md', mode: '100644' },
  ])
  assert.deepEqual(paths(await tree({ path: 'src', ref: commit })), ['src/deep', 'src/a.txt'])
  assert.deepEqual(paths(await tree({ recursive: 'True' })), ['src', 'src/deep', 'README.md', 'src/a.txt', 'src/deep/b.txt'])
  const page = await owner.get(`${url}/tree`, { recursive: 1, per_page: 2, page: 2 })
  assert.deepEqual([paths(page.body), page.headers['x-total']], [['README.md', 'src/a.txt'], '5'])
  assert.deepEqual(await tree({ path: 'none' }), [])
  assert.deepEqual(await tree({ ref: 'none' }), { message: '404 Tree Not Found' })
  const empty = await scene.project()
  assert.deepEqual((await empty.owner.get(`${empty.project.url}/repository/tree`)).body, { message: '404 Tree Not Found' })
})

test('anyone reads the repository of a public project', async () => {
  const { url } = await world()
  for (const path of [
    'tree',
    'branches',
    'tags',
    'commits',
    'commits/main',
    'files/README.md/raw',
    'contributors',
    'compare?from=main&to=main',
  ])
    assert.equal((await scene.anonymous.get(`${url}/${path}`)).status, 200, path)
  assert.equal((await scene.anonymous.post(`${url}/branches`, { branch: 'x', ref: 'main' })).status, 401)
})

test('a repository for members only is hidden, not forbidden', async () => {
  const { project, owner, url } = await world()
  await owner.put(project.url, { repository_access_level: 'private' })
  const stranger = await scene.user()
  assert.equal((await stranger.get(`${url}/tree`)).status, 404)
  assert.equal((await stranger.get(project.url)).status, 200)
  assert.equal((await owner.get(`${url}/tree`)).status, 200)
})

test('a blob is read by its id', async () => {
  const { owner, repository, url } = await world()
  const id = git(repository, ['rev-parse', 'main:src/a.txt'])
  assert.deepEqual((await owner.get(`${url}/blobs/${id}`)).body, { size: 2, encoding: 'base64', content: 'YQo=', sha: id })
  const raw = await owner.get(`${url}/blobs/${id}/raw`)
  assert.equal(raw.body, 'a\n')
  assert.equal((await owner.get(`${url}/blobs/${id}/raw`, {}, { 'if-none-match': raw.headers.etag as string })).status, 304)
  const commit = git(repository, ['rev-parse', 'main'])
  for (const other of ['main', 'f'.repeat(40), commit])
    assert.deepEqual(await owner.get(`${url}/blobs/${other}`), { status: 404, body: { message: '404 Blob Not Found' } })
})

test('revisions are compared from their merge base, or directly', async () => {
  const { project, owner, commit, url } = await world()
  await owner.post(`${url}/branches`, { branch: 'topic', ref: 'main' })
  const onMain = await scene.commit(project, { main: 'x\n' })
  const onTopic = await scene.commit(project, { topic: 'other\n' }, { branch: 'topic' })
  const compare = async (query: { [key: string]: string }) => (await owner.get(`${url}/compare`, query)).body

  const parted = await compare({ from: 'main', to: 'topic' })
  assert.deepEqual([parted.commit.id, parted.commits.length], [onTopic, 1])
  assert.deepEqual(
    parted.diffs.map((diff: { new_path: string }) => diff.new_path),
    ['topic'],
  )
  assert.deepEqual([parted.compare_same_ref, parted.compare_timeout], [false, false])
  const straight = await compare({ from: onMain, to: 'topic', straight: 'true' })
  assert.deepEqual(
    straight.diffs.map((diff: { new_path: string }) => diff.new_path),
    ['main', 'topic'],
  )
  assert.equal((await compare({ from: commit, to: commit })).compare_same_ref, true)
  assert.deepEqual(await compare({ from: 'main', to: 'none' }), { message: '404 Ref Not Found' })

  const bases = (refs: string[]) => owner.get(`${url}/merge_base`, { refs })
  assert.equal((await bases(['main', 'topic'])).body.id, commit)
  assert.deepEqual(await bases(['main']), { status: 400, body: { message: 'Provide at least 2 refs' } })
  assert.deepEqual(await bases(['main', 'x', 'y']), { status: 400, body: { message: 'Could not find refs: x, y' } })
})

test('contributors are counted and ordered', async () => {
  const { project, owner, url } = await world()
  await scene.commit(project, { b: '1' })
  await owner.post(`${url}/files/c`, { branch: 'main', commit_message: 'x', content: 'c' })
  const counted = async (query = {}) =>
    (await owner.get(`${url}/contributors`, query)).body.map((row: { email: string; commits: number }) => [row.email, row.commits])
  assert.deepEqual(await counted(), [
    [owner.email, 1],
    [scene.root.email, 2],
  ])
  assert.deepEqual(await counted({ sort: 'desc' }), [
    [scene.root.email, 2],
    [owner.email, 1],
  ])
})

test('an archive has the files of a revision below one directory, named after project and revision', async t => {
  const { project, owner, commit, url } = await world()
  const directory = await mkdtemp(join(tmpdir(), 'ingot-archive-'))
  t.after(() => rm(directory, { recursive: true }))
  const unpack = async (path: string) => {
    const answer = await owner.get(`${url}/${path}`)
    assert.equal(answer.status, 200, path)
    await writeFile(join(directory, 'archive'), answer.bytes)
    const listed = execFileSync('tar', ['-tf', join(directory, 'archive')], { encoding: 'utf8' })
    return { name: /filename="([^"]+)"/.exec(answer.headers['content-disposition'] ?? '')?.[1], files: listed.trim().split('\n') }
  }
  const whole = `${project.path}-main-${commit}`

  assert.deepEqual(await unpack('archive'), {
    name: `${whole}.tar.gz`,
    files: [`${whole}/`, `${whole}/README.md`, `${whole}/src/`, `${whole}/src/a.txt`, `${whole}/src/deep/`, `${whole}/src/deep/b.txt`],
  })
  assert.equal((await unpack('archive.tar?sha=main')).name, `${whole}.tar`)
  assert.equal((await unpack(`archive.tgz?sha=${commit}`)).name, `${project.path}-${commit}.tar.gz`)
  assert.deepEqual((await unpack('archive.tar.gz?path=src/deep')).files.at(-1), `${whole}-src-deep/src/deep/b.txt`)
  const zip = await owner.get(`${url}/archive.zip`)
  assert.deepEqual([zip.headers['content-type'], zip.bytes.subarray(0, 2).toString()], ['application/zip', 'PK'])
  assert.equal((await owner.get(`${url}/archive.rar`)).status, 400)
  assert.deepEqual(await owner.get(`${url}/archive?sha=none`), { status: 404, body: { message: '404 File Not Found' } })
})

test('formats whose programs the machine lacks are detected', async () => {
  assert.equal(await canArchive({ searchPath: '/nonexistent' }, 'tar.bz2'), false)
  assert.equal(await canArchive({ searchPath: '/nonexistent' }, 'tar.gz'), true)
})

test('a project can be created with a README', async () => {
  const { project, owner } = await scene.project({ name: 'Deploy tool', description: 'Deploys.', initialize_with_readme: true })
  assert.equal((await owner.get(`${project.url}/repository/files/README.md/raw`)).body, '# Deploy tool\n\nDeploys.\n')
  const [commit] = (await owner.get(`${project.url}/repository/commits`)).body
  assert.deepEqual([commit.title, commit.author_email], ['Initial commit', owner.email])
  const { default_branch, empty_repo, readme_url } = (await owner.get(project.url)).body
  assert.deepEqual([default_branch, empty_repo, readme_url.split('/-/')[1]], ['main', false, 'blob/main/README.md'])
  const other = await scene.project({ initialize_with_readme: true, default_branch: 'trunk' })
  assert.equal((await other.owner.get(`${other.project.url}/repository/branches/trunk`)).body.default, true)
})

test('the default branch can be changed to an existing one, which updates the README', async () => {
  const { project, owner, commit, url } = await world()
  await owner.post(`${url}/branches`, { branch: 'next', ref: commit })
  await owner.delete(`${url}/files/README.md`, { branch: 'next', commit_message: 'x' })
  assert.equal((await owner.put(project.url, { default_branch: 'none' })).status, 400)
  const { default_branch, readme_url } = (await owner.put(project.url, { default_branch: 'next' })).body
  assert.deepEqual([default_branch, readme_url], ['next', null])
  assert.deepEqual(paths((await owner.get(`${url}/tree`)).body), ['src'])
})

test('the repository is deleted with its project, and repositories without a project are swept after a day', async t => {
  const { storages } = scene.deps
  const storage = storages.get('default')
  const deleted = await world()
  // Of more than half without an owner none would be swept.
  const [kept] = await Promise.all([world(), world(), world()])
  await scene.run(deleted.owner, async ctx => {
    await ctx.db.deleteFrom('projects').where('id', '=', deleted.project.id).execute()
  })
  // A repository whose project was rolled back.
  const rolledBack = { id: 987_654, name: 'x', description: null, repository_storage: 'default' }
  await assert.rejects(
    scene.run(kept.owner, async ctx => {
      await initializeRepository(ctx, rolledBack)
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  const exists = (id: number) => storage.exists(storage.repository(id))

  await sweepRepositories(scene.deps)
  assert.deepEqual([await exists(deleted.project.id), await exists(rolledBack.id)], [true, true])

  t.after(() => scene.setTime(undefined))
  scene.setTime(new Date(Date.now() + 25 * 60 * 60 * 1000).toISOString())
  await sweepRepositories(scene.deps)
  assert.deepEqual([await exists(deleted.project.id), await exists(rolledBack.id), await exists(kept.project.id)], [false, false, true])
  assert.equal((await kept.owner.get(`${kept.url}/branches`)).body.length, 1)

  await sweepRepositories({ ...scene.deps, database: await testDatabase(), log: pino({ level: 'silent' }) })
  assert.equal(await exists(kept.project.id), true, 'the database of another instance owns none')
})

test('a deleted project’s repository is removed by the worker, and again if it was interrupted', async () => {
  const { project, owner, repository } = await world()
  await owner.delete(project.url)
  const { id } = await scene.deps.database.db
    .selectFrom('events')
    .select('id')
    .where('kind', '=', 'project.deleted')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { deliver_event } = tasksOf(scene.deps)
  await deliver_event({ event_id: id }, undefined)
  await deliver_event({ event_id: id }, undefined)
  await assert.rejects(readFile(join(repository.path, 'HEAD')), { code: 'ENOENT' })
})
