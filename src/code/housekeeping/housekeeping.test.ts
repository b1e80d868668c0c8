/** Housekeeping keeps repositories packed. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { sql } from 'kysely'
import { extract } from 'tar-stream'
import { openScene } from '../../../test/scene.ts'
import { needsHistoryIndex, needsHousekeeping } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'
import { updateStatistics } from '../repository/statistics.ts'
import { tidyRepository, writeHistoryIndex } from './commands.ts'

const scene = await openScene()

const packsOf = async (path: string) => (await readdir(join(path, 'objects', 'pack'))).filter(name => name.endsWith('.pack'))

/** The scheduled times of the job with this key. */
async function timesOf(key: string): Promise<string[]> {
  const { rows } = await sql<{ run_at: string }>`select run_at from graphile_worker.jobs where key = ${key}`.execute(scene.deps.database.db)
  return rows.map(({ run_at }) => run_at)
}

test('many pushes share one statistics run, some seconds after the first of them', async () => {
  const { project } = await scene.project()
  scene.setTime('2031-01-01T10:00:00Z')
  await scene.commit(project, { 'a.txt': 'a' })
  scene.setTime('2031-01-01T10:00:04Z')
  await scene.commit(project, { 'b.txt': 'b' })
  scene.setTime(undefined)

  assert.deepEqual(await timesOf(`survey_repository ${project.id}`), ['2031-01-01T10:00:05.000Z'])
})

test('a running statistics job does not prevent the next push from scheduling another', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  const { pool } = scene.deps.database
  const key = `survey_repository ${project.id}`
  await pool.query(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'another-worker' where key = $1`, [key])
  await scene.commit(project, { 'b.txt': 'b' })

  const { rows } = await pool.query(`select from graphile_worker.jobs where key = $1 and locked_at is null`, [key])

  assert.equal(rows.length, 1)
})

test('a statistics run schedules housekeeping of a repository with many packs, an hour later', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  const { path } = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const key = `tidy_repository ${project.id}`
  const survey = () => updateStatistics(scene.deps, { project_id: project.id })
  await survey()
  assert.deepEqual(await timesOf(key), [], 'it is in good order')

  await mkdir(join(path, 'objects', '17'), { recursive: true })
  for (let n = 0; n < 9; n++) await writeFile(join(path, 'objects', '17', `${n}`.repeat(38)), '')
  scene.setTime('2031-01-01T10:00:00Z')
  await survey()
  scene.setTime('2031-01-01T10:40:00Z')
  await survey()
  scene.setTime(undefined)

  assert.deepEqual(await timesOf(key), ['2031-01-01T11:00:00.000Z'])
})

test('a repository of many packs becomes one of one pack, with all its commits; a packed one is unchanged', async () => {
  const { project, owner } = await scene.project()
  // A commit of this many objects is stored as a pack of its own.
  for (let n = 0; n < 22; n++)
    await scene.commit(project, Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`${n}/file${i}.txt`, `${n} ${i}`])))
  const { path } = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const before = await packsOf(path)

  await tidyRepository(scene.deps, { project_id: project.id })
  const [pack, ...more] = await packsOf(path)
  await tidyRepository(scene.deps, { project_id: project.id })

  assert.ok(before.length > 20, `${before.length} packs`)
  assert.deepEqual(more, [])
  assert.deepEqual(await packsOf(path), [pack])
  const { body, headers } = await owner.get(`${project.url}/repository/commits`)
  assert.equal(headers['x-total'], '22')
  assert.equal(body[0].title, 'Change files')
})

test('the history of a repository is indexed when pushes have brought many commits, and again when as many are outside', async () => {
  const { project } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const key = `index_history ${project.id}`
  const push = (from: number, to: number) => {
    const commit = (n: number) =>
      `commit refs/heads/main\ncommitter A <a@example.com> ${1_600_000_000 + n} +0000\ndata 1\n.\n${n === from ? 'from refs/heads/main^0\n' : ''}M 100644 inline ${n % 7}.txt\ndata ${`${n}`.length}\n${n}\n\n`
    git(repository, ['fast-import', '--quiet', '--date-format=raw'], Array.from({ length: to - from }, (_, n) => commit(from + n)).join(''))
  }
  const survey = () => updateStatistics(scene.deps, { project_id: project.id })
  push(0, 999)
  await survey()
  assert.deepEqual(await timesOf(key), [], 'so few are read without it')
  push(999, 1_100)
  await survey()
  assert.equal((await timesOf(key)).length, 1)

  await writeHistoryIndex(scene.deps, { project_id: project.id })

  assert.equal(git(repository, ['commit-graph', 'verify', '--no-progress']), '')
  assert.equal(await needsHistoryIndex(repository, 1_101), false)
  assert.equal(await needsHistoryIndex(repository, 2_101), false)
  assert.equal(await needsHistoryIndex(repository, 2_102), true)
  const { body } = await scene.root.get(`${project.url}/repository/commits`, { path: '3.txt', per_page: 1 })
  assert.equal(Date.parse(body[0].committed_date) / 1000, 1_600_000_000 + 1_095)
  await writeFile(join(repository.path, 'objects', 'info', 'other'), 'CGPH')
  await rename(join(repository.path, 'objects', 'info', 'other'), join(repository.path, 'objects', 'info', 'commit-graph'))
  assert.equal(await needsHistoryIndex(repository, 1_101), true, 'one that is cut off counts for nothing')
  await writeHistoryIndex(scene.deps, { project_id: project.id })
  assert.equal(await needsHistoryIndex(repository, 1_101), false)
  await writeHistoryIndex(scene.deps, { project_id: 0 })
})

test('references in files of their own are packed when there are many, at any depth', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { 'a.txt': 'a' })
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  const head = git(repository, ['rev-parse', 'main'])
  const branch = (n: number) => `create refs/heads/team-${n % 7}/work-${n} ${head}\n`
  const create = (from: number, to: number) =>
    git(repository, ['update-ref', '--stdin'], Array.from({ length: to - from }, (_, n) => branch(from + n)).join(''))
  create(0, 990)
  await tidyRepository(scene.deps, { project_id: project.id })
  assert.ok(!existsSync(join(repository.path, 'packed-refs')), 'so many are in good order')

  create(990, 1_001)
  await tidyRepository(scene.deps, { project_id: project.id })

  assert.deepEqual(await readdir(join(repository.path, 'refs', 'heads')), [])
  const { body, headers } = await owner.get(`${project.url}/repository/branches?search=work-1000`)
  assert.deepEqual([headers['x-total'], body[0].name, body[0].commit.id], ['1', 'team-6/work-1000', head])
  assert.equal(await needsHousekeeping(repository), false)
})

test('a deleted project, and one without a repository, need nothing', async () => {
  const { project } = await scene.project()

  await tidyRepository(scene.deps, { project_id: project.id })
  await tidyRepository(scene.deps, { project_id: 0 })
})

test('the statistics of projects do not wait for those of others, and counts do not wait for languages', async () => {
  const queueOf = async (key: string) => {
    const { rows } = await sql<{ queue_name: string }>`
      select queues.queue_name from graphile_worker._private_jobs jobs join graphile_worker._private_job_queues queues on queues.id = jobs.job_queue_id
       where jobs.key = ${key}`.execute(scene.deps.database.db)
    return rows.map(row => row.queue_name)
  }
  const [{ project: one }, { project: other }] = [await scene.project(), await scene.project()]
  for (const project of [one, other]) await scene.commit(project, { 'a.txt': 'a' })
  await updateStatistics(scene.deps, { project_id: one.id })

  const [first, second, languages] = [
    await queueOf(`survey_repository ${one.id}`),
    await queueOf(`survey_repository ${other.id}`),
    await queueOf(`survey_languages ${one.id}`),
  ]
  assert.deepEqual([first.length, second.length, languages], [1, 1, ['languages']])
  assert.notDeepEqual(first, second)
  assert.equal((await scene.root.get(one.url, { statistics: true })).body.statistics.commit_count, 1)
})

/** Puts the files of a tar archive into a folder. */
function extractInto(folder: string) {
  const archive = extract()
  archive.on('entry', async ({ name }, bytes, next) => {
    const parts: Buffer[] = []
    for await (const part of bytes) parts.push(part as Buffer)
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), Buffer.concat(parts))
    next()
  })
  return archive
}

test('administrators download the repository as it is on disk, and see where it is', async () => {
  const { project, owner } = await scene.project({ initialize_with_readme: true })
  const { id } = (await owner.get(`${project.url}/repository/commits/main`)).body

  const storage = await scene.root.get(`${project.url}/storage`)
  assert.deepEqual([storage.body.project_id, storage.body.repository_storage], [project.id, 'default'])
  assert.match(storage.body.disk_path, /^@hashed\/\w\w\/\w\w\/\w{64}$/)

  const answer = await fetch(`${scene.url}/api/v4${project.url}/snapshot`, { headers: { 'private-token': scene.root.token } })
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/x-tar'])
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-'))
  try {
    await pipeline(Readable.fromWeb(answer.body as never), extractInto(folder))
    await mkdir(join(folder, 'refs'), { recursive: true })
    assert.equal(git(folder, ['rev-parse', 'refs/heads/main']), id)
    assert.equal(git(folder, ['fsck', '--full']), '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  assert.equal((await owner.get(`${project.url}/snapshot`)).status, 403)
  assert.equal((await owner.get(`${project.url}/storage`)).status, 403)
  assert.equal((await scene.root.get(`${project.url}/snapshot`, { wiki: true })).status, 404)
  const empty = await scene.project()
  assert.equal((await scene.root.get(`${empty.project.url}/snapshot`)).status, 404)
})
