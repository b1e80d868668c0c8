/** Limits of a push, and of what a project stores in sum. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { testFolder } from '../../../test/folder.ts'
import { basic } from '../../../test/raw_push.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { startWorker } from '../../platform/events/worker.ts'
import { client, type PackLimit, repositorySize } from '../../platform/git/index.ts'
import { git } from '../../platform/git/scene.ts'
import { tasksOf } from '../../server/tasks.ts'
import { packLimitOf } from './limits.ts'

const scene = await openScene()
const megabyte = 1024 * 1024
let made = 0

const repositoryOf = (project: SceneProject) => scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })

/** A clone of a project, with means to push from it. */
async function checkout(project: SceneProject, person: Person) {
  const work = join(await testFolder(), `work-${++made}`)
  const header = ['-c', `http.extraHeader=Authorization: ${basic(person).authorization}`]
  assert.equal((await client('/', [...header, 'clone', '--quiet', `${scene.url}/${project.full_path}.git`, work])).code, 0)
  const commit = async (files: Record<string, Buffer>) => {
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(work, name), bytes)
    git(work, ['add', '-A'])
    git(work, ['commit', '--quiet', '-m', 'x'])
  }
  const push = (...refs: string[]) => client(work, [...header, '-c', 'http.postBuffer=100000000', 'push', 'origin', ...refs])
  return { work, commit, push }
}

test('a push beyond `receive_max_input_size` is refused with a line, moves nothing and leaves nothing', async t => {
  const limited = await scene.root.put('/application/settings', { receive_max_input_size: 1 })
  t.after(() => scene.root.put('/application/settings', { receive_max_input_size: 0 }))
  assert.equal(limited.body.receive_max_input_size, 1)
  const { project, owner } = await scene.project()
  await scene.commit(project, { a: '1' })
  const { commit, push, work } = await checkout(project, owner)
  await commit({ big: randomBytes(2 * megabyte) })
  const before = await repositorySize(repositoryOf(project))

  const refused = await push('HEAD:refs/heads/big', 'HEAD~1:refs/heads/same')

  assert.equal(refused.code, 1)
  assert.match(refused.output, /! \[remote rejected\] HEAD -> big \(The push is larger than the 1 MB that it may have\.\)/)
  assert.match(refused.output, /remote unpack failed: The push is larger/)
  assert.deepEqual(
    (await owner.get(`${project.url}/repository/branches`)).body.map(({ name }: { name: string }) => name),
    ['main'],
  )
  assert.ok((await repositorySize(repositoryOf(project))) - before < 10_000, 'what was received is gone')
  const content = randomBytes(2 * megabyte).toString('base64')
  const byApi = await owner.post(`${project.url}/repository/files/big`, {
    branch: 'main',
    commit_message: 'x',
    content,
    encoding: 'base64',
  })
  assert.deepEqual(byApi, { status: 400, body: { message: 'The push is larger than the 1 MB that it may have.' } })
  git(work, ['reset', '--quiet', '--hard', 'HEAD~1'])
  await commit({ small: randomBytes(megabyte / 2) })
  assert.equal((await push('HEAD:refs/heads/small')).code, 0)
})

test('a project takes no more than its limit: pushes, commits, LFS objects and uploads together', async () => {
  const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
  await scene.commit(project, { a: '1' })
  await maintainer.put(project.url, { repository_size_limit: 100 })
  assert.equal((await scene.root.get(project.url)).body.repository_size_limit, null, 'only administrators set it')
  assert.equal((await scene.root.put(project.url, { repository_size_limit: 2 })).body.repository_size_limit, 2)
  const { commit, push } = await checkout(project, owner)
  await commit({ first: randomBytes(1.5 * megabyte) })
  assert.equal((await push('HEAD:refs/heads/topic')).code, 0)

  await commit({ second: randomBytes(megabyte) })
  assert.match((await push('HEAD:refs/heads/more')).output, /\(The project would exceed its size limit of 2 MB\./)
  const content = randomBytes(megabyte).toString('base64')
  const byApi = await owner.post(`${project.url}/repository/files/big`, {
    branch: 'main',
    commit_message: 'x',
    content,
    encoding: 'base64',
  })
  assert.equal(byApi.status, 400)
  assert.match(byApi.body.message, /would exceed its size limit of 2 MB/)
  const bytes = randomBytes(megabyte)
  const oid = createHash('sha256').update(bytes).digest('hex')
  const lfs = (path: string, method: string, body: object | Buffer) =>
    fetch(`${scene.url}/${project.full_path}.git/${path}`, {
      method,
      headers: { ...basic(owner), 'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/vnd.git-lfs+json' },
      body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
    })
  const asked = await lfs('info/lfs/objects/batch', 'POST', { operation: 'upload', objects: [{ oid, size: bytes.length }] })
  assert.equal(asked.status, 413)
  assert.match(((await asked.json()) as { message: string }).message, /would exceed its size limit/)
  assert.equal((await lfs(`gitlab-lfs/objects/${oid}/${bytes.length}`, 'PUT', bytes)).status, 413)
  const upload = (size: number) => {
    const form = new FormData()
    form.set('file', new Blob([randomBytes(size)]), 'a.bin')
    return fetch(`${scene.url}/api/v4${project.url}/uploads`, { method: 'POST', headers: { 'private-token': owner.token }, body: form })
  }
  assert.equal((await upload(megabyte)).status, 413)
  // Pushes that need no room go on, and concurrent ones are counted together.
  assert.equal((await push(':refs/heads/topic', 'HEAD~2:refs/heads/same')).code, 0)
  const statuses = (await Promise.all([1, 2, 3].map(() => upload(0.3 * megabyte)))).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [201, 413, 413])

  await scene.root.put(project.url, { repository_size_limit: 0 })
  assert.equal((await push('HEAD:refs/heads/more')).code, 0)
})

test('the limit of the instance holds where a project has none of its own, and what a push brings takes no more on disk than on the way', async t => {
  await scene.root.put('/application/settings', { repository_size_limit: 10 })
  t.after(() => scene.root.put('/application/settings', { repository_size_limit: 0 }))
  const { project, owner } = await scene.project()
  const { commit, push } = await checkout(project, owner)
  const base = randomBytes(megabyte)
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`file-${index}`, Buffer.concat([base, Buffer.from(`${index}`)])] as const),
  )
  await commit(files)
  assert.equal((await push('HEAD:refs/heads/main')).code, 0)
  const size = await repositorySize(repositoryOf(project))
  assert.ok(size < 2 * megabyte, `${size} bytes`)
  await commit({ noise: randomBytes(9.5 * megabyte) })
  assert.match((await push('HEAD:refs/heads/main')).output, /The project would exceed its size limit of 10 MB/)
})

test('concurrent pushes and commits share the room of a project', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { a: '1' })
  await scene.root.put(project.url, { repository_size_limit: 4 })
  const clones = await Promise.all([1, 2, 3].map(() => checkout(project, owner)))
  for (const { commit } of clones) await commit({ noise: randomBytes(2.5 * megabyte) })
  const content = randomBytes(2.5 * megabyte).toString('base64')

  const [commit, ...pushes] = await Promise.all([
    owner.post(`${project.url}/repository/files/big`, {
      branch: 'api',
      start_branch: 'main',
      commit_message: 'x',
      content,
      encoding: 'base64',
    }),
    ...clones.map(({ push }, index) => push(`HEAD:refs/heads/b${index}`)),
  ])

  const taken = pushes.filter(({ code }) => code === 0).length + (commit.status === 201 ? 1 : 0)
  assert.equal(taken, 1, 'one of the four fits')
  for (const { code, output } of pushes) if (code !== 0) assert.match(output, /would exceed its size limit of 4 MB/)
  // What was refused has left nothing, and takes no room from the next one.
  assert.ok((await repositorySize(repositoryOf(project))) < 4 * megabyte)
  const [clone] = await Promise.all([checkout(project, owner)])
  await clone.commit({ little: randomBytes(megabyte) })
  assert.equal((await clone.push('HEAD:refs/heads/little')).code, 0)
})

test('what a push that breaks off has sent is given back, and a limit that changes holds for the next push', async () => {
  const { project } = await scene.project()
  await scene.root.put(project.url, { repository_size_limit: 10 })
  const { deps } = scene
  const stored = { id: project.id, repository_storage: 'default' }
  const limitOf = async () => (await packLimitOf(deps, stored))!
  const [stalled, broken] = [await limitOf(), await limitOf()]
  const takes = async (limit: PackLimit, megabytes: number) =>
    (await limit.refusalOf({ bytes: megabytes * megabyte, indexBytes: 0 })) === undefined

  assert.equal(await takes(broken, 9), true)
  assert.equal(await takes(stalled, 3), false)
  await broken.end()
  assert.equal(await takes(stalled, 3), true)
  await scene.root.put(project.url, { repository_size_limit: 4 })
  const later = await limitOf()
  assert.deepEqual([await takes(later, 0.5), await takes(later, 1.5)], [true, false])
  await stalled.end()
  assert.equal(await takes(later, 3.5), true)
  await later.end()
})

test('messages of commits and tags count too, and nothing is added to a project that is full', async () => {
  const { project, owner } = await scene.project()
  await scene.commit(project, { a: '1' })
  await scene.root.put(project.url, { repository_size_limit: 1 })
  const large = randomBytes(0.9 * megabyte)
    .toString('base64')
    .slice(0, 0.9 * megabyte)
  const commitOf = (file: string, commit_message: string) =>
    owner.post(`${project.url}/repository/files/${file}`, { branch: 'main', commit_message, content: 'x' })
  assert.equal((await commitOf('first', large)).status, 201)

  const commit = await commitOf('second', large)
  const tag = await owner.post(`${project.url}/repository/tags`, { tag_name: 'large', ref: 'main', message: large })
  const little = await owner.post(`${project.url}/repository/tags`, { tag_name: 'little', ref: 'main', message: 'x' })

  assert.deepEqual([commit.status, tag.status, little.status], [400, 400, 201])
  for (const { body } of [commit, tag]) assert.match(body.message, /would exceed its size limit of 1 MB/)
})

test('forks, commits that begin in a fork, and merges from one keep to the limit of the project they come into', async t => {
  const worker = await startWorker({ database: scene.deps.database, tasks: tasksOf(scene.deps), log: scene.deps.log, concurrency: 1 })
  t.after(() => worker.stop())
  const { project, owner } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { a: '1' })
  const [forker, another] = [await scene.user(), await scene.user()]
  const settled = (person: Person, id: number) =>
    eventually(async () => {
      const { body } = await person.get(`/projects/${id}`)
      return !['scheduled', 'started'].includes(body.import_status) && body
    }, `project ${id} to be filled`)
  const fork = await settled(forker, (await forker.post(`${project.url}/fork`)).body.id)
  const content = randomBytes(2 * megabyte).toString('base64')
  const big = { branch: 'big', start_branch: 'main', commit_message: 'x', content, encoding: 'base64' }
  assert.equal((await forker.post(`/projects/${fork.id}/repository/files/big`, big)).status, 201)
  await scene.root.put(project.url, { repository_size_limit: 1 })

  const start = { branch: 'new', start_branch: 'big', start_project: fork.id, commit_message: 'x', actions: [] }
  const begun = await owner.post(`${project.url}/repository/commits`, start)
  const small = await owner.post(`${project.url}/repository/commits`, { ...start, branch: 'small', start_branch: 'main' })
  const proposal = { source_branch: 'big', target_branch: 'main', title: 'Big', target_project_id: project.id }
  const proposed = await forker.post(`/projects/${fork.id}/merge_requests`, proposal)
  const { content: _, ...little } = big
  const grown = { ...little, branch: 'grows', content: 'eA==' }
  assert.equal((await forker.post(`/projects/${fork.id}/repository/files/small`, grown)).status, 201)
  const { body: mergeRequest } = await forker.post(`/projects/${fork.id}/merge_requests`, { ...proposal, source_branch: 'grows' })
  const path = `${project.url}/merge_requests/${mergeRequest.iid}`
  assert.equal(
    (await forker.post(`/projects/${fork.id}/repository/files/big`, { ...big, branch: 'grows', start_branch: undefined })).status,
    201,
  )
  const refused = await eventually(async () => {
    const { body } = await owner.get(path)
    return body.merge_error !== null && body
  }, 'the merge request to say why it stays behind')
  const merged = await owner.put(`${path}/merge`)
  // A user who may fork cannot fill the project of others.
  const own = await owner.post(`${project.url}/repository/files/own`, { branch: 'main', commit_message: 'x', content: 'x' })
  await scene.root.put('/application/settings', { repository_size_limit: 1 })
  const failed = await settled(another, (await another.post(`/projects/${fork.id}/fork`)).body.id)
  await scene.root.put('/application/settings', { repository_size_limit: 0 })

  assert.deepEqual([begun.status, small.status, proposed.status, merged.status, own.status], [400, 201, 400, 400, 201])
  for (const { body } of [begun, proposed, merged]) assert.match(body.message, /would exceed its size limit of 1 MB/)
  assert.equal(refused.sha, mergeRequest.sha)
  assert.match(refused.merge_error, /would exceed its size limit of 1 MB/)
  assert.equal(failed.import_status, 'failed')
  assert.match(failed.import_error, /would exceed its size limit of 1 MB/)
})

test('a rebase brings no more of the target into a fork than the fork may have', async t => {
  const worker = await startWorker({ database: scene.deps.database, tasks: tasksOf(scene.deps), log: scene.deps.log, concurrency: 1 })
  t.after(() => worker.stop())
  const { project, owner } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { a: '1' })
  const forker = await scene.user()
  const { body: fork } = await forker.post(`${project.url}/fork`)
  const isFilled = async () => (await forker.get(`/projects/${fork.id}`)).body.import_status === 'finished'
  await eventually(isFilled, 'the fork to be filled')
  const file = (size: number) => ({
    branch: 'main',
    commit_message: 'x',
    content: randomBytes(size).toString('base64'),
    encoding: 'base64',
  })
  await forker.post(`/projects/${fork.id}/repository/files/side`, { ...file(10), branch: 'side', start_branch: 'main' })
  const proposal = { source_branch: 'side', target_branch: 'main', title: 'Side', target_project_id: project.id }
  const { body: mergeRequest } = await forker.post(`/projects/${fork.id}/merge_requests`, proposal)
  assert.equal((await owner.post(`${project.url}/repository/files/big`, file(2 * megabyte))).status, 201)
  const path = `${project.url}/merge_requests/${mergeRequest.iid}`
  const rebased = async () => {
    assert.equal((await forker.put(`${path}/rebase`)).status, 202)
    return eventually(async () => {
      const { body } = await forker.get(path, { include_rebase_in_progress: true })
      return !body.rebase_in_progress && body
    }, 'the rebase to end')
  }

  await scene.root.put(`/projects/${fork.id}`, { repository_size_limit: 1 })
  const refused = await rebased()
  const size = await repositorySize(repositoryOf(fork))
  await scene.root.put(`/projects/${fork.id}`, { repository_size_limit: 10 })
  const done = await rebased()

  assert.match(refused.merge_error, /^Rebase failed: The project would exceed its size limit of 1 MB/)
  assert.equal(refused.sha, mergeRequest.sha)
  assert.ok(size < megabyte, `${size} bytes`)
  assert.equal(done.merge_error, null)
  assert.ok((await repositorySize(repositoryOf(fork))) > 2 * megabyte)
})

/** Tables whose rows name stored objects, with the table or column by which the measure of a project counts them. */
const kinds: Readonly<Record<string, string>> = {
  container_blobs: 'container_blobs',
  container_upload_parts: 'container_uploads',
  lfs_objects: 'lfs_objects_size',
  metric_images: 'metric_images',
  package_files: 'packages_size',
  uploads: 'uploads',
}
/** The others, with the reason. May only shrink. */
const uncounted: Readonly<Record<string, string>> = {
  account_exports: 'one archive of each account, for a day (SECURITY.md)',
  appearance_images: 'three small pictures of the instance',
  avatars: 'one small picture of each project, group and account',
  dependency_proxy_blobs: 'what a group keeps of public images, while its members pull them (SECURITY.md)',
  group_exports: 'one archive of each group, for a day (SECURITY.md)',
  group_imports: 'an archive until its import has ended (SECURITY.md)',
  job_artifacts: 'bounded by plan limits and their end (SECURITY.md)',
  project_exports: 'one archive of each project, for a day (SECURITY.md)',
  project_imports: 'an archive until its import has ended (SECURITY.md)',
  project_sites: 'the archive of a job, bounded as artifacts are',
}

test('every kind of file that is kept for a project counts, or there is a reason', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct conrelid::regclass::text as name from pg_constraint
     where contype = 'f' and confrelid = 'stored_objects'::regclass`.execute(scene.deps.database.db)
  assert.deepEqual(
    rows.map(({ name }) => name).toSorted(),
    [...Object.keys(kinds), ...Object.keys(uncounted)].toSorted(),
    'you are here because a new table names stored objects: count them in `attachedBytes` and reserve their room by `withRoomForFile`',
  )
  const measure = await readFile(new URL('./queries.ts', import.meta.url), 'utf8')
  for (const column of Object.values(kinds)) assert.match(measure, new RegExp(`\\b${column}\\b`))
})
