/** The endpoints of exports and imports: who may, what they answer, where archives go. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openScene } from '../../../test/scene.ts'
import { tasksOf } from '../../server/tasks.ts'
import { formWith } from '../../spaces/uploads/scene.ts'
import { importArchive } from './importing/task.ts'
import { archiveWith, exported, imported, runExport } from './scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1', rateLimit: 'on' } })
const { db } = scene.deps.database
const archive = await archiveWith({})

/** A server that keeps what is sent to it, and gives an archive. `meanwhile` runs before it answers. */
async function fileServer(answer = 200, meanwhile?: () => Promise<void>) {
  const received: { method: string | undefined; type: string | undefined; length: string | undefined; bytes: Buffer }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.method !== 'GET')
      received.push({
        method: request.method,
        type: request.headers['content-type'],
        length: request.headers['content-length'],
        bytes: Buffer.concat(chunks),
      })
    await meanwhile?.()
    response.writeHead(answer).end(request.method === 'GET' ? archive : '')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/lamp.tar.gz`, received }
}

const send = (fields: Record<string, string>, bytes = archive, name = 'export.tar.gz') => formWith('file', name, bytes, fields)

describe('an export', () => {
  test('is none, queued, finished, and then made again while the archive of before is there', async () => {
    const { project, owner } = await scene.project({ description: 'Lamps' })
    const status = async () => (await owner.get(`${project.url}/export`)).body
    assert.deepEqual([(await status()).export_status, '_links' in (await status())], ['none', false])
    assert.deepEqual(await owner.get(`${project.url}/export/download`), { status: 404, body: { message: '404 Not found or has expired' } })
    scene.deps.limiter.forgetCounts()

    const asked = await owner.post(`${project.url}/export`)
    assert.deepEqual([asked.status, asked.body], [202, { message: '202 Accepted' }])
    assert.equal((await status()).export_status, 'queued')

    await runExport(scene, project.id)
    assert.deepEqual(await status(), {
      id: project.id,
      description: 'Lamps',
      name: project.name,
      name_with_namespace: (await owner.get(project.url)).body.name_with_namespace,
      path: project.path,
      path_with_namespace: project.full_path,
      created_at: (await owner.get(project.url)).body.created_at,
      export_status: 'finished',
      _links: {
        api_url: `${scene.url}/api/v4/projects/${project.id}/export/download`,
        web_url: `${scene.url}/${project.full_path}/download_export`,
      },
    })
    const got = await owner.get(`${project.url}/export/download`)
    assert.equal(got.headers['content-type'], 'application/gzip')
    assert.match(got.headers['content-disposition'] as string, new RegExp(`_${project.full_path.replace('/', '_')}_export\\.tar\\.gz`))
    const files = gunzipSync(got.bytes).toString('latin1')
    for (const name of ['./VERSION', './GITLAB_VERSION', './tree/project.json', './tree/project/issues.ndjson'])
      assert.ok(files.includes(name), name)
    const [entry] = (await owner.get(`${project.url}/audit_events`)).body
    assert.deepEqual([entry.author_id, entry.details.custom_message], [owner.id, 'Export file download started'])

    await owner.post(`${project.url}/export`)
    assert.equal((await status()).export_status, 'regeneration_in_progress')
  })

  test('takes the role Maintainer; an archived project is exported, too', async () => {
    const { project, owner, maintainer, developer, guest } = await scene.project({ members: ['maintainer', 'developer', 'guest'] })
    const outsider = await scene.user()
    const statuses = await Promise.all(
      [maintainer, developer, guest, outsider, scene.anonymous].map(async person => (await person.post(`${project.url}/export`)).status),
    )
    assert.deepEqual(statuses, [202, 403, 403, 404, 401])
    await owner.post(`${project.url}/archive`)
    assert.equal((await owner.post(`${project.url}/export`)).status, 202)
  })

  test('of an account that may not export the project any more is not made', async () => {
    const { project, maintainer, owner } = await scene.project({ members: ['maintainer'] })
    await maintainer.post(`${project.url}/export`)
    await owner.put(`${project.url}/members/${maintainer.id}`, { access_level: 10 })
    await runExport(scene, project.id)
    assert.equal((await owner.get(`${project.url}/export`)).body.export_status, 'none')
  })

  test('has what its user may read: only they and administrators download it', async () => {
    const { project, owner, maintainer } = await scene.project({ members: ['maintainer'] })
    scene.deps.limiter.forgetCounts()
    const download = async (person: typeof owner) => {
      const status = (await person.get(`${project.url}/export/download`)).status
      scene.deps.limiter.forgetCounts()
      return status
    }
    const all = async () => [await download(owner), await download(maintainer), await download(scene.root)]
    await exported(scene, owner, project)
    scene.deps.limiter.forgetCounts()
    assert.deepEqual(await all(), [200, 404, 200])
    await maintainer.post(`${project.url}/export`)
    assert.deepEqual(await all(), [404, 404, 404], 'the archive of the owner does not become that of the maintainer')
    assert.equal((await maintainer.get(`${project.url}/export`)).body.export_status, 'queued')
    await runExport(scene, project.id)
    assert.deepEqual(await all(), [404, 200, 200])
  })

  test('has a description of its own, where one is given', async () => {
    const { project, owner } = await scene.project({ description: 'Lamps' })
    const { url } = await imported(scene, owner, await exported(scene, owner, project, { description: 'Other lamps' }))
    assert.equal((await owner.get(url)).body.description, 'Other lamps')
  })

  test('is sent where it was asked for, and not kept', async () => {
    const { project, owner } = await scene.project()
    const seen: unknown[] = []
    const server = await fileServer(200, async () => {
      seen.push((await owner.get(`${project.url}/export`)).body.export_status, (await owner.get(`${project.url}/export/download`)).status)
    })
    assert.equal((await owner.post(`${project.url}/export`, { upload: { url: server.url } })).status, 202)
    await runExport(scene, project.id)
    assert.deepEqual(seen, ['started', 404], 'until it has arrived it is not finished')
    const [file] = server.received
    assert.deepEqual([file?.method, file?.type, file?.length], ['PUT', 'application/gzip', String(file?.bytes.length)])
    assert.equal((await imported(scene, owner, file?.bytes as Buffer)).state.import_status, 'finished')
    assert.equal((await owner.get(`${project.url}/export`)).body.export_status, 'none')
    const { upload_address } = await db
      .selectFrom('project_exports')
      .select('upload_address')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    assert.equal(upload_address, null)
  })

  test('is sent by POST, where that is asked for; a server that refuses it is no failure of ours', async () => {
    const { project, owner } = await scene.project()
    const server = await fileServer(500)
    await owner.post(`${project.url}/export`, new URLSearchParams({ 'upload[url]': server.url, 'upload[http_method]': 'POST' }))
    await runExport(scene, project.id)
    assert.equal(server.received[0]?.method, 'POST')
    const { error } = await db.selectFrom('project_exports').select('error').where('project_id', '=', project.id).executeTakeFirstOrThrow()
    assert.equal(error, 'The archive could not be sent: The server answered 500')
  })

  test('goes to no address of a private network, and by no other method', async () => {
    const { project, owner } = await scene.project()
    for (const url of ['http://10.0.0.1/x', 'http://169.254.169.254/x', 'ftp://example.com/x', 'whatever']) {
      const refused = await owner.post(`${project.url}/export`, { upload: { url } })
      assert.deepEqual(
        [refused.status, refused.body],
        [400, { message: { 'upload[url]': ['is blocked: it is not a public web address'] } }],
        url,
      )
    }
    const { status, body } = await owner.post(`${project.url}/export`, { upload: { url: 'https://example.com/x', http_method: 'DELETE' } })
    assert.deepEqual([status, body], [400, { message: { 'upload[http_method]': ['does not have a valid value'] } }])
  })

  test('is forgotten after a day', async () => {
    const { project, owner } = await scene.project()
    scene.deps.limiter.forgetCounts()
    await exported(scene, owner, project)
    const later = { ...scene.deps, now: () => new Date(Date.now() + 25 * 3_600_000) }
    await tasksOf(later).drop_unused_objects({}, undefined)
    assert.equal((await owner.get(`${project.url}/export`)).body.export_status, 'none')
  })
})

test('exports and imports are asked for six times a minute, and an archive is downloaded once', async () => {
  const { project, owner } = await scene.project()
  const refused = { message: { error: 'This endpoint has been requested too many times. Try again later.' } }
  for (let count = 0; count < 6; count++) assert.equal((await owner.post(`${project.url}/export`)).status, 202)
  const over = await owner.post(`${project.url}/export`)
  assert.deepEqual([over.status, over.body], [429, refused])
  assert.match(over.headers['retry-after'] as string, /^\d+$/)
  assert.equal((await owner.get(`${project.url}/export/download`)).status, 404, 'it is not made yet')
  assert.deepEqual(await owner.get(`${project.url}/export/download`), { status: 429, body: refused })
  for (let count = 0; count < 6; count++)
    assert.equal((await owner.post('/projects/import', send({ path: 'x' }, archive, 'x.zip'))).status, 422)
  assert.equal((await owner.post('/projects/import', send({ path: 'x' }))).status, 429)
  scene.deps.limiter.forgetCounts()
})

describe('an import', () => {
  test('begins as scheduled, and knows its request', async () => {
    const owner = await scene.user()
    const { status, body } = await owner.post('/projects/import', send({ path: 'lamp' }))
    assert.equal(status, 201)
    const { id, created_at, name_with_namespace, correlation_id, ...rest } = body
    assert.deepEqual(rest, {
      description: null,
      name: 'lamp',
      path: 'lamp',
      path_with_namespace: `${owner.username}/lamp`,
      import_status: 'scheduled',
      import_type: 'gitlab_project',
      failed_relations: [],
      import_error: null,
    })
    assert.ok(correlation_id.length > 0)
    await importArchive(scene.deps, { project_id: id })
    await importArchive(scene.deps, { project_id: id })
    assert.equal((await owner.get(`/projects/${id}/import`)).body.import_status, 'finished')
    const kept = await db.selectFrom('project_imports').select('object_id').where('project_id', '=', id).executeTakeFirstOrThrow()
    assert.equal(kept.object_id, null)
  })

  test('is refused for what is no archive, an unknown namespace, and a path that is taken', async () => {
    const { project, owner } = await scene.project({ path: 'taken', name: 'Taken' })
    const { group } = await scene.group({ visibility: 'public' })
    scene.deps.limiter.forgetCounts()
    const outcomes = [
      [send({ path: 'x' }, archive, 'export.zip'), 422, { error: 'You need to upload a GitLab project export archive (ending in .gz).' }],
      [send({ path: 'x', namespace: 'no/such' }), 404, '404 Namespace Not Found'],
      [send({ path: 'x', namespace: group.full_path }), 404, '404 Namespace Not Found'],
      [send({ path: project.path }), 400, 'Path has already been taken'],
      [send({ path: 'x', name: project.name }), 400, 'Name has already been taken'],
    ] as const
    for (const [form, status, message] of outcomes) {
      const answer = await owner.post('/projects/import', form)
      assert.deepEqual([answer.status, answer.body], [status, { message }])
    }
    const missing = new FormData()
    missing.set('path', 'x')
    assert.deepEqual((await owner.post('/projects/import', missing)).body, { message: '400 (Bad request) "file" not given' })
    assert.equal((await scene.anonymous.post('/projects/import', send({ path: 'x' }))).status, 401)
  })

  test('takes attributes that win over those of the archive', async () => {
    const owner = await scene.user()
    const { url } = await imported(scene, owner, archive, {
      name: 'A lamp',
      'override_params[description]': 'Mine',
      'override_params[issues_access_level]': 'private',
    })
    const { name, description, issues_access_level, visibility } = (await owner.get(url)).body
    assert.deepEqual([name, description, issues_access_level, visibility], ['A lamp', 'Mine', 'private', 'public'])
  })

  test('attributes for administrators stay as they are for others', async () => {
    const owner = await scene.user()
    const { id } = await imported(scene, owner, archive, { 'override_params[repository_size_limit]': '1' })
    const row = await db.selectFrom('projects').select('repository_size_limit').where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(row.repository_size_limit, null)
  })

  test('takes the place of a project when it has succeeded, and only then', async () => {
    const { project, owner } = await scene.project({ path: 'old', name: 'Old' })
    const broken = await imported(scene, owner, await archiveWith({ VERSION: '9' }), { path: 'old', name: 'Old', overwrite: 'true' })
    assert.equal(broken.state.import_status, 'failed')
    assert.equal((await owner.get(`/projects/${encodeURIComponent(project.full_path)}`)).body.id, project.id)
    const whole = await imported(scene, owner, archive, { path: 'old', name: 'Old', overwrite: 'true' })
    assert.equal(whole.state.import_status, 'finished', whole.state.import_error)
    const now = (await owner.get(`/projects/${encodeURIComponent(project.full_path)}`)).body
    assert.deepEqual([now.id, now.name, now.path], [whole.id, 'Old', 'old'])
    assert.equal((await owner.get(project.url)).status, 404)
  })

  test('leaves the project that it overwrites for the deletion delay, at another path', async () => {
    const { project, owner } = await scene.project({ path: 'slow', name: 'Slow' })
    scene.deps.limiter.forgetCounts()
    const form = send({ path: 'slow', name: 'Slow', overwrite: 'true' })
    const { id } = (await owner.post('/projects/import', form)).body
    await importArchive({ ...scene.deps, config: { ...scene.deps.config, deletionDelay: 7 } }, { project_id: id })
    const state = (await owner.get(`/projects/${id}/import`)).body
    assert.equal(state.import_status, 'finished', state.import_error)
    const [before, now] = [(await owner.get(project.url)).body, (await owner.get(`/projects/${id}`)).body]
    assert.deepEqual([before.path, before.name, before.archived], [`slow-deleted-${project.id}`, `Slow-deleted-${project.id}`, true])
    assert.match(before.marked_for_deletion_on, /^\d{4}-/)
    assert.deepEqual([now.path, now.name], ['slow', 'Slow'])
    assert.equal((await owner.get(`/projects/${encodeURIComponent(project.full_path)}`)).body.id, id)
    assert.equal((await owner.post(`${project.url}/restore`)).status, 201)
  })

  test('comes into a group that forbids shared runners; asking for them is refused in a sentence', async () => {
    const { group, owner } = await scene.group({})
    await owner.put(group.url, { shared_runners_setting: 'disabled_and_unoverridable' })
    scene.deps.limiter.forgetCounts()
    const bytes = await archiveWith({ 'tree/project.json': '{"shared_runners_enabled":true}' })
    const { url, state } = await imported(scene, owner, bytes, { namespace: group.full_path })
    assert.equal(state.import_status, 'finished', state.import_error)
    assert.equal((await owner.get(url)).body.shared_runners_enabled, false)
    const asked = { namespace: group.full_path, 'override_params[shared_runners_enabled]': 'true' }
    const second = (await imported(scene, owner, bytes, asked)).state
    assert.deepEqual(
      [second.import_status, second.import_error],
      ['failed', 'shared_runners_enabled cannot be enabled because parent group does not allow it'],
    )
  })

  test('does not overwrite for those who may not delete', async () => {
    const { group, maintainer, owner } = await scene.group({ members: ['maintainer'] })
    const { project } = await scene.project({ group, owner, path: 'kept', name: 'kept' })
    const answer = await maintainer.post('/projects/import', send({ path: 'kept', overwrite: 'true', namespace: group.full_path }))
    assert.deepEqual([answer.status, answer.body], [400, { message: 'Name has already been taken' }])
    assert.equal((await owner.get(project.url)).status, 200)
  })

  test('from an address fetches the archive in the background', async () => {
    const owner = await scene.user()
    const server = await fileServer()
    const { status, body } = await owner.post('/projects/remote-import', { path: 'remote', url: server.url })
    assert.deepEqual([status, body.import_status], [201, 'scheduled'])
    await importArchive(scene.deps, { project_id: body.id })
    assert.equal((await owner.get(`/projects/${body.id}/import`)).body.import_status, 'finished')
    const gone = await fileServer(404)
    const second = (await owner.post('/projects/remote-import', { path: 'second', url: gone.url })).body
    await importArchive(scene.deps, { project_id: second.id })
    const state = (await owner.get(`/projects/${second.id}/import`)).body
    assert.deepEqual([state.import_status, state.import_error], ['failed', 'The archive could not be fetched: The server answered 404'])
    const refused = await owner.post('/projects/remote-import', { path: 'third', url: 'http://10.0.0.1/x' })
    assert.deepEqual([refused.status, refused.body], [400, { message: { url: ['is blocked: it is not a public web address'] } }])
    assert.equal((await owner.post('/projects/remote-import', { path: 'fourth', url: server.url, namespace: 'no/such' })).status, 404)
  })

  test('that was interrupted begins again', async () => {
    const { project, owner } = await scene.project()
    await scene.commit(project, { 'a.txt': 'a' })
    const bytes = await exported(scene, owner, project)
    const { id } = (await owner.post('/projects/import', send({ path: 'again' }, bytes))).body
    // As a crash leaves it: begun, with a repository on disk that no row knows of.
    await db.updateTable('projects').set({ import_status: 'started' }).where('id', '=', id).execute()
    await scene.deps.storages.get('default').create(id, { defaultBranch: 'main' })
    await importArchive(scene.deps, { project_id: id })
    assert.equal((await owner.get(`/projects/${id}/import`)).body.import_status, 'finished')
    assert.equal((await owner.get(`/projects/${id}/repository/files/a.txt?ref=main`)).status, 200)
  })

  test('into a project that was pushed to fails, and leaves what was pushed', async () => {
    const owner = await scene.user()
    scene.deps.limiter.forgetCounts()
    for (const [path, bytes, error] of [
      ['pushed', archive, 'The project was pushed to before it was imported.'],
      ['pushed-too', Buffer.from('lamp'), 'The archive is damaged or is no tar.gz file.'],
    ] as const) {
      const { body } = await owner.post('/projects/import', send({ path }, bytes))
      const file = { branch: 'main', content: 'a', commit_message: 'Begin' }
      assert.equal((await owner.post(`/projects/${body.id}/repository/files/a.txt`, file)).status, 201)
      await importArchive(scene.deps, { project_id: body.id })
      const state = (await owner.get(`/projects/${body.id}/import`)).body
      assert.deepEqual([state.import_status, state.import_error], ['failed', error])
      assert.equal((await owner.get(`/projects/${body.id}/repository/files/a.txt?ref=main`)).status, 200)
    }
  })

  test('fails where the user has lost the group since it was asked for', async () => {
    const { group, owner, maintainer } = await scene.group({ members: ['maintainer'] })
    scene.deps.limiter.forgetCounts()
    const { body } = await maintainer.post('/projects/import', send({ path: 'lost', namespace: group.full_path }))
    await owner.delete(`${group.url}/members/${maintainer.id}`)
    await importArchive(scene.deps, { project_id: body.id })
    const state = (await owner.get(`/projects/${body.id}/import`)).body
    assert.deepEqual(
      [state.import_status, state.import_error],
      ['failed', 'The account that asked for the import may not administer the project any more.'],
    )
    assert.equal((await owner.get(`/projects/${body.id}`)).body.description, null)
  })

  test('survives the deletion of the project, and of the account that asked for it', async () => {
    const owner = await scene.user()
    const { group } = await scene.group({ owner })
    await scene.root.post(`${group.url}/members`, { user_id: scene.root.id, access_level: 50 })
    const { body } = await owner.post('/projects/import', send({ path: 'orphan', namespace: group.full_path }))
    await scene.root.delete(`/users/${owner.id}`)
    await importArchive(scene.deps, { project_id: body.id })
    const state = (await scene.root.get(`/projects/${body.id}/import`)).body
    assert.deepEqual([state.import_status, state.import_error], ['failed', 'The account that asked for the import is not active.'])
    await scene.root.delete(`/projects/${body.id}`)
    await importArchive(scene.deps, { project_id: body.id })
  })
})
