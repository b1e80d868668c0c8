/** What administrators do with applications, keys, flags, limits, runners and places, and what of it the audit log says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const admin = await surfer({ admin: true })

const PAGES = [
  '/admin/users',
  '/admin/groups',
  '/admin/projects',
  '/admin/storage',
  '/admin/runners',
  '/admin/jobs',
  '/admin/applications',
  '/admin/applications/new',
  '/admin/deploy_keys',
  '/admin/audit_logs',
  '/admin/features',
  '/admin/features/similarity_search/edit',
  '/admin/background_jobs',
  '/admin/rate_limits',
  '/admin/licences',
  '/admin/system_info',
  '/admin',
]

test('the pages exist for administrators alone', async () => {
  const person = await surfer()
  for (const path of PAGES) {
    assert.equal((await admin.get(path)).status, 200, path)
    assert.equal((await person.get(path)).status, 404, path)
    assert.equal((await scene.anonymous.get(`${scene.url}${path}`)).status, 302, path)
  }
})

test('what is not there and what one may not see are one answer', async () => {
  const person = await surfer()
  const { id } = (await scene.root.post('/applications', application)).body
  for (const one of [id, 999_999]) assert.equal((await person.submit(`/admin/applications/${one}/delete`, {})).status, 404)
  assert.equal((await admin.get(`/admin/applications/${id}`)).status, 200)
})

const application = { name: 'Clock <b>', redirect_uri: 'https://clock.example.com/back', scopes: 'read_user' }

test('the secret of an application is shown once, when it is registered and when it is renewed', async () => {
  const { status, body } = await admin.submit('/admin/applications/new', { ...application, confidential: 'true' })
  assert.equal(status, 200)
  const [, secret] = /<code>([0-9a-f]{64})<\/code>/.exec(body) ?? []
  assert.ok(secret)
  assert.match(body, /The secret of “Clock &lt;b&gt;” is <code>/)
  assert.ok(!body.includes('Clock <b>'))
  const { id } = (await scene.root.get('/applications', { per_page: 100 })).body.at(-1)
  assert.ok(!(await admin.get(`/admin/applications/${id}`)).body.includes(secret))

  const renewed = await admin.submit(`/admin/applications/${id}/renew_secret`, {})
  const [, other] = /<code>([0-9a-f]{64})<\/code>/.exec(renewed.body) ?? []
  assert.ok(other)
  assert.notEqual(other, secret)

  assert.equal((await admin.submit(`/admin/applications/${id}/edit`, { name: 'Watch', scopes: 'api read_user' })).status, 303)
  assert.match((await admin.get('/admin/applications')).body, /Watch.*api, read_user/s)
  const refused = await admin.submit(`/admin/applications/${id}/edit`, { redirect_uri: 'javascript:alert(1)' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /is forbidden by the server/)
})

test('a flag is switched on, set for some, and forgotten', async () => {
  const stateOf = async () =>
    (await scene.root.get('/features')).body.find(({ name }: { name: string }) => name === 'similarity_search')?.state
  const project = await scene.project()
  assert.equal((await admin.submit('/admin/features/similarity_search/set', { value: 'true' })).status, 303)
  assert.equal(await stateOf(), 'on')
  assert.equal((await admin.submit('/admin/features/similarity_search/set', { value: 'false' })).status, 303)
  assert.equal(
    (await admin.submit('/admin/features/similarity_search/edit', { value: 'true', project: project.project.full_path })).status,
    303,
  )
  assert.equal(await stateOf(), 'conditional')
  assert.match((await admin.get('/admin/features')).body, new RegExp(`Project:${project.project.id}`))
  const refused = await admin.submit('/admin/features/similarity_search/edit', { value: 'true', user: 'no-such-person' })
  assert.equal(refused.status, 422)
  assert.equal((await admin.submit('/admin/features/similarity_search/delete', {})).status, 303)
  assert.equal(await stateOf(), undefined)
})

test('the audit log is narrowed to who changed which setting', async () => {
  const other = await surfer({ admin: true })
  await admin.submit('/admin/application_settings/ci_cd/plan_limits', { plan_name: 'default', ci_instance_level_variables: '17' })
  await other.submit('/admin/application_settings/ci_cd/plan_limits', { plan_name: 'default', ci_instance_level_variables: '18' })

  const all = await admin.get('/admin/audit_logs', { event_name: 'plan_limits.updated' })
  assert.match(all.body, /to <code>17<\/code>/)
  assert.match(all.body, /from <code>17<\/code> to <code>18<\/code>/)
  const theirs = await admin.get('/admin/audit_logs', {
    author: other.person.username,
    entity: '',
    event_name: '',
    from: '2020-01-01',
  })
  assert.match(theirs.body, /from <code>17<\/code> to <code>18<\/code>/)
  assert.doesNotMatch(theirs.body, /to <code>17<\/code>/)
  assert.doesNotMatch((await admin.get('/admin/audit_logs', { until: '2020-01-01' })).body, /to <code>18<\/code>/)
  assert.match((await admin.get('/admin/audit_logs', { author: 'no-such-person' })).body, /There is no account no-such-person/)

  const { project } = await scene.project()
  await scene.root.put(project.url, { visibility: 'public' })
  const ofProject = await admin.get('/admin/audit_logs', { entity: project.full_path })
  assert.match(ofProject.body, /<strong>visibility<\/strong>: from <code>private<\/code> to <code>public<\/code>/)
  assert.doesNotMatch(ofProject.body, /<code>18<\/code>/)
})

test('a runner is found by its tag, paused, changed and deleted', async () => {
  const { token } = (await scene.root.post('/runners/reset_registration_token')).body
  assert.ok((await admin.get('/admin/runners')).body.includes(`INGOT_RUNNER_TOKEN=${token}`))
  const { id } = (await scene.anonymous.post('/runners', { token, description: 'shed', tag_list: 'arm,slow' })).body
  await scene.anonymous.post('/runners', { token, description: 'attic', tag_list: 'arm' })
  const found = await admin.get('/admin/runners', { tags: 'arm, slow', type: '', status: '' })
  assert.match(found.body, /shed/)
  assert.doesNotMatch(found.body, /attic/)

  const get = async () => (await scene.root.get(`/runners/${id}`)).body
  assert.equal((await admin.submit(`/admin/runners/${id}/change`, { active: 'false' })).status, 303)
  assert.equal((await get()).active, false)
  assert.equal((await admin.submit(`/admin/runners/${id}/change`, { active: 'true' })).status, 303)
  assert.equal((await get()).active, true)
  const edited = await admin.submit(`/admin/runners/${id}/edit`, { description: 'barn', tag_list: 'arm', maximum_timeout: '700' })
  assert.equal(edited.status, 303)
  assert.deepEqual([(await get()).description, (await get()).tag_list, (await get()).maximum_timeout], ['barn', ['arm'], 700])
  assert.match((await admin.get(`/admin/runners/${id}`)).body, /barn/)
  const renewed = await admin.submit(`/admin/runners/${id}/reset_token`, {})
  const [, fresh] = /is <code>([^<]+)<\/code>/.exec(renewed.body) ?? []
  assert.equal((await scene.anonymous.post('/runners/verify', { token: fresh })).status, 200)
  assert.equal((await admin.submit(`/admin/runners/${id}/delete`, {})).status, 303)
  assert.equal((await scene.root.get(`/runners/${id}`)).status, 404)
})

test('a project is archived, moved and deleted from the list', async () => {
  const { project } = await scene.project()
  const to = `/admin/projects/${project.id}`
  const shown = () => admin.get('/admin/projects', { search: project.path, archived: '', visibility: '', order_by: 'storage_size' })
  assert.match((await shown()).body, new RegExp(project.full_path))
  assert.equal((await admin.submit(`${to}/archive`, {})).status, 303)
  assert.match((await shown()).body, /Unarchive/)
  assert.equal((await admin.submit(`${to}/unarchive`, {})).status, 303)
  const { group } = await scene.group()
  assert.equal((await admin.submit(`${to}/transfer`, { to: 'no/such/group' })).status, 422)
  assert.equal((await admin.submit(`${to}/transfer`, { to: group.full_path })).status, 303)
  assert.match((await admin.get('/admin/storage', { search: project.path })).body, new RegExp(`${group.full_path}/${project.path}`))
  assert.match((await admin.get(`${to}/delete`)).body, new RegExp(`<h1[^>]*>Delete ${group.full_path}/${project.path}<`))
  const wrong = await admin.submit(`${to}/delete`, { full_path: project.full_path })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /Full path, to confirm is not the path of this place/)
  assert.equal((await admin.submit(`${to}/delete`, { full_path: `${group.full_path}/${project.path}` })).status, 303)
  assert.equal((await admin.submit(`/admin/groups/${group.id}/delete`, {})).status, 422)
  assert.equal((await admin.submit(`/admin/groups/${group.id}/delete`, { full_path: group.full_path })).status, 303)
})

test('a deploy key that every project may enable is added and deleted', async () => {
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA8ODQwLCgkIBwYFBAMCAQAPDg0MCwoJCAcGBQQDAgEA mirror'
  const wrong = await admin.submit('/admin/deploy_keys/new', { title: 'Mirror <i>', key: 'nonsense', expires_at: '' })
  // The API names the parameter as `deploy_key.key`; the form says it at its field.
  assert.match(wrong.body, /name="key"[^>]*aria-invalid="true"/)
  assert.doesNotMatch(wrong.body, /deploy_key\.key/)
  assert.equal((await admin.submit('/admin/deploy_keys/new', { title: 'Mirror <i>', key, expires_at: '' })).status, 303)
  assert.match((await admin.get('/admin/deploy_keys', { show: 'public' })).body, /Mirror &lt;i&gt;/)
  const { id } = (await scene.root.get('/deploy_keys', { public: true })).body[0]
  assert.equal((await admin.submit(`/admin/deploy_keys/${id}/delete`, {})).status, 303)
  assert.deepEqual((await scene.root.get('/deploy_keys', { public: true })).body, [])
})

test('a background job is looked into, without its secrets', async () => {
  const { db } = scene.deps.database
  const payload = JSON.stringify({ project_id: 7, token: 'glpat-hidden', inner: [{ password: 'hidden too' }] })
  const { rows } = await sql<{ id: number }>`
    select (graphile_worker.add_job('task_of_nobody', ${payload}::json)).id::int as id`.execute(db)
  const id = rows[0]?.id as number
  const { body } = await admin.get(`/admin/background_jobs/${id}`)
  assert.match(body, /&quot;project_id&quot;: 7/)
  assert.doesNotMatch(body, /hidden too|glpat-hidden/)
  assert.match((await admin.get('/admin/background_jobs', { state: 'waiting', task: 'task_of_nobody' })).body, new RegExp(`Job ${id}`))
  assert.doesNotMatch(
    (await admin.get('/admin/background_jobs', { state: 'failed', task: 'task_of_nobody' })).body,
    new RegExp(`Job ${id}`),
  )
  await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(db)
})
