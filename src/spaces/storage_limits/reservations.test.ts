/** Room that is reserved before something is stored: what comes at the same time shares it, whatever it is and whichever process takes it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'
import { startWorker } from '../../platform/events/worker.ts'
import { repositorySize } from '../../platform/git/index.ts'
import { tasksOf } from '../../server/tasks.ts'
import { withRestOfRoom, withRoomForFile } from './limits.ts'

const scene = await openScene()
const { deps } = scene
const { db } = deps.database
const megabyte = 1024 * 1024

const stored = ({ id }: Pick<SceneProject, 'id'>) => ({ id, repository_storage: 'default' })
const reserved = (project: SceneProject) =>
  db.selectFrom('storage_reservations').select('bytes').where('project_id', '=', project.id).execute()
const limit = async (project: SceneProject, repository_size_limit: number) =>
  assert.equal((await scene.root.put(project.url, { repository_size_limit })).status, 200)
const sorted = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status).sort()

/** The smallest image there is, with as many bytes behind it. */
const image = (bytes: number) =>
  Buffer.concat([Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'), randomBytes(bytes)])

test('metric images that come at the same time keep to the limit together, and count with what comes later', async () => {
  const { project, owner } = await scene.project()
  const { body: incident } = await owner.post(`${project.url}/issues`, { title: 'All is down', issue_type: 'incident' })
  await limit(project, 1)
  const form = () => {
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(image(0.4 * megabyte))]), 'load.gif')
    return form
  }

  const answers = await Promise.all([1, 2, 3, 4].map(() => owner.post(`${project.url}/issues/${incident.iid}/metric_images`, form())))

  assert.deepEqual(sorted(answers), [201, 201, 413, 413])
  assert.match(answers.find(({ status }) => status === 413)?.body.message, /would exceed its size limit of 1 MB/)
  assert.equal((await owner.post(`${project.url}/uploads`, form())).status, 413)
  assert.deepEqual(await reserved(project), [])
})

test('copies from several forks at the same time keep to the limit together', async t => {
  const worker = await startWorker({ database: deps.database, tasks: tasksOf(deps), log: deps.log, concurrency: 2 })
  t.after(() => worker.stop())
  const { project, owner } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { a: '1' })
  const fork = async () => {
    const forker = await scene.user()
    const { body } = await forker.post(`${project.url}/fork`)
    await eventually(async () => (await forker.get(`/projects/${body.id}`)).body.import_status === 'finished', 'the fork to be filled')
    const content = randomBytes(2 * megabyte).toString('base64')
    const big = { branch: 'big', start_branch: 'main', commit_message: 'x', content, encoding: 'base64' }
    assert.equal((await forker.post(`/projects/${body.id}/repository/files/big`, big)).status, 201)
    return { forker, id: body.id }
  }
  const forks = [await fork(), await fork(), await fork(), await fork()]
  await limit(project, 3)

  const answers = await Promise.all(
    forks.map(({ forker, id }: { forker: Person; id: number }, index) =>
      index % 2 === 0
        ? forker.post(`/projects/${id}/merge_requests`, {
            source_branch: 'big',
            target_branch: 'main',
            title: 'Big',
            target_project_id: project.id,
          })
        : owner.post(`${project.url}/repository/commits`, {
            branch: `big-${index}`,
            start_branch: 'big',
            start_project: id,
            commit_message: 'x',
            actions: [],
          }),
    ),
  )

  assert.deepEqual(sorted(answers), [201, 400, 400, 400])
  assert.ok((await repositorySize(deps.storages.repository(stored(project)))) < 3 * megabyte)
  assert.deepEqual(await reserved(project), [])
})

test('a fork counts the LFS objects that it gets', async t => {
  const worker = await startWorker({ database: deps.database, tasks: tasksOf(deps), log: deps.log, concurrency: 1 })
  t.after(() => worker.stop())
  const { project } = await scene.project({ visibility: 'public' })
  await scene.commit(project, { a: '1' })
  await db
    .updateTable('project_statistics')
    .set({ lfs_objects_size: 2 * megabyte })
    .where('project_id', '=', project.id)
    .execute()
  await scene.root.put('/application/settings', { repository_size_limit: 1 })
  t.after(() => scene.root.put('/application/settings', { repository_size_limit: 0 }))
  const forker = await scene.user()
  const { body } = await forker.post(`${project.url}/fork`)

  const failed = await eventually(async () => {
    const { body: fork } = await forker.get(`/projects/${body.id}`)
    return fork.import_status === 'failed' && fork
  }, 'the fork to fail')

  assert.match(failed.import_error, /would exceed its size limit of 1 MB/)
})

test('while an import takes what room there is, nothing else comes in, and afterwards it does', async () => {
  const { project, owner } = await scene.project()
  await limit(project, 1)
  const upload = () => {
    const form = new FormData()
    form.set('file', new Blob([Uint8Array.from(image(1_000))]), 'a.gif')
    return owner.post(`${project.url}/uploads`, form)
  }

  const [most, during] = await withRestOfRoom(deps, stored(project), async most => [most, (await upload()).status] as const)

  assert.deepEqual([most, during, (await upload()).status], [megabyte, 413, 201])
})

test('what another process has reserved counts until it expires, and work that fails gives its room back', async () => {
  const { project } = await scene.project()
  await limit(project, 1)
  const reserve = (bytes: number, expires_at: string) =>
    db.insertInto('storage_reservations').values({ project_id: project.id, bytes, expires_at }).execute()
  const file = (bytes: number) => withRoomForFile(deps, stored(project), { bytes }, async () => 'stored')
  await reserve(megabyte / 2, '2100-01-01T00:00:00Z')
  await reserve(megabyte, '2020-01-01T00:00:00Z')

  await assert.rejects(file(600_000), { kind: 'too_large' })
  assert.equal(await file(400_000), 'stored')
  const failing = withRoomForFile(deps, stored(project), { bytes: 400_000 }, async () => {
    assert.equal((await reserved(project)).length, 2)
    throw new Error('no disk')
  })

  await assert.rejects(failing, /no disk/)
  assert.deepEqual(await reserved(project), [{ bytes: megabyte / 2 }])
})

test('commits that the server writes by request need room too: picked ones, and suggestions', async () => {
  const { project, developer } = await scene.project({ members: ['developer'] })
  await scene.commit(project, { big: randomBytes(0.7 * megabyte).toString('base64') })
  const mergeRequest = await scene.mergeRequest(project, { author: developer, files: { 'f.txt': `one\n${'x'.repeat(0.6 * megabyte)}\n` } })
  const { body } = await developer.get(mergeRequest.url)
  const position = { ...body.diff_refs, position_type: 'text', old_path: 'f.txt', new_path: 'f.txt', new_line: 1 }
  const { body: thread } = await developer.post(`${mergeRequest.url}/discussions`, { body: '```suggestion\nOne\n```', position })
  const sha = await scene.commit(project, { b: '1' }, { branch: 'side', start_branch: 'main' })
  await limit(project, 1)

  const picked = await developer.post(`${project.url}/repository/commits/${sha}/cherry_pick`, {
    branch: mergeRequest.source_branch,
    message: randomBytes(0.4 * megabyte).toString('base64'),
  })
  const applied = await developer.put(`/suggestions/${thread.notes[0].suggestions[0].id}/apply`)

  for (const answer of [picked, applied]) {
    assert.equal(answer.status, 400)
    assert.match(answer.body.message, /would exceed its size limit of 1 MB/)
  }
})
