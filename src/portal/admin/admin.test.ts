import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { formWith, png } from '../../spaces/uploads/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const admin = await surfer({ admin: true })

test('the pages are for administrators', async () => {
  const person = await surfer()
  for (const path of ['/admin', '/admin/users', '/admin/background_jobs', '/admin/runners', '/admin/applications']) {
    assert.equal((await admin.get(path)).status, 200, path)
    assert.equal((await person.get(path)).status, 404, path)
    assert.equal((await scene.anonymous.get(`${scene.url}${path}`)).status, 302, path)
  }
})

test('an account is made, changed, blocked and unblocked', async () => {
  const made = await admin.submit('/admin/users/new', {
    name: 'New Person',
    username: 'new-person',
    email: 'new-person@example.com',
    password: 'correct horse battery',
    admin: 'false',
    projects_limit: '',
  })
  assert.equal(made.status, 303)
  const find = async () => (await scene.root.get('/users', { username: 'new-person' })).body[0]
  const { id } = await find()

  assert.equal((await admin.submit(`/admin/users/${id}/edit`, { name: 'Other Name', password: '', external: 'true' })).status, 303)
  assert.deepEqual([(await find()).name, (await find()).external], ['Other Name', true])

  assert.equal((await admin.submit(`/admin/users/${id}/block`, {})).status, 303)
  assert.equal((await find()).state, 'blocked')
  assert.match((await admin.get('/admin/users', { filter: 'blocked' })).body, /Other Name/)
  assert.equal((await admin.submit(`/admin/users/${id}/unblock`, {})).status, 303)
  assert.equal((await find()).state, 'active')
})

test('an account is banned and found by its state, and a button leads back to the page that it stands on', async () => {
  const { person } = await surfer()
  const pressed = async (move: string, from: string) => {
    const answer = await admin.submit(`/admin/users/${person.id}/${move}`, {}, { referer: `${scene.url}${from}` })
    return [answer.status, answer.headers.location]
  }
  assert.match((await admin.get('/admin/users')).body, new RegExp(`/admin/users/${person.id}/ban"`))
  assert.deepEqual(await pressed('ban', '/admin/users?filter=active&search=x'), [303, '/admin/users?filter=active&search=x'])
  assert.match((await admin.get('/admin/users', { filter: 'banned' })).body, new RegExp(`/admin/users/${person.id}/unban"`))
  assert.deepEqual(await pressed('unban', `/admin/users/${person.username}`), [303, `/admin/users/${person.username}`])
  assert.deepEqual(await pressed('deactivate', '/elsewhere'), [303, '/admin/users'])
  assert.match((await admin.get('/admin/users', { filter: 'deactivated' })).body, new RegExp(`/admin/users/${person.id}/activate"`))
  assert.deepEqual(await pressed('delete', `/admin/users/${person.username}`), [303, '/admin/users'])
})

test('a password is needed for a new account, and may be left out where an account is changed', async () => {
  const field = (body: string) => /<input type="password"[^>]*>/.exec(body)?.[0]
  const { id } = (await scene.root.get('/user')).body

  assert.match(String(field((await admin.get('/admin/users/new')).body)), / required/)
  assert.doesNotMatch(String(field((await admin.get(`/admin/users/${id}/edit`)).body)), / required/)
})

test('what is wrong with a new account is at its fields, and the password is not sent back', async () => {
  const answer = await admin.submit('/admin/users/new', { name: 'X', username: 'no spaces', email: 'y@example.com', password: 'short' })
  assert.equal(answer.status, 422)
  assert.match(answer.body, /aria-invalid="true"/)
  assert.match(answer.body, /value="no spaces"/)
  assert.ok(!answer.body.includes('short"'))
})

test('a queue that nobody serves is shown, with the jobs that failed', async () => {
  const { db } = scene.deps.database
  await sql`select graphile_worker.add_job('sweep_nothing', '{}'::json, run_at := now() - interval '1 hour')`.execute(db)
  await sql`update graphile_worker._private_jobs set attempts = 25, max_attempts = 25, last_error = 'the disk is <full>'
    where id = (select max(id) from graphile_worker._private_jobs)`.execute(db)
  await sql`select graphile_worker.add_job('sweep_nothing', '{}'::json, run_at := now() - interval '1 hour')`.execute(db)

  const { body } = await admin.get('/admin/background_jobs')

  assert.match(body, /The queue is stuck/)
  assert.match(body, /sweep_nothing/)
  assert.match(body, /the disk is &lt;full&gt;/)
  assert.match(body, /given up/)
})

test('a job that failed is tried again or deleted, and nothing else is', async () => {
  const { db } = scene.deps.database
  const add = async (failed: boolean): Promise<number> => {
    const { rows } = await sql<{ id: number }>`select (graphile_worker.add_job('task_of_nobody', '{}'::json)).id::int as id`.execute(db)
    const id = rows[0]?.id as number
    if (failed)
      await sql`update graphile_worker._private_jobs set attempts = 25, max_attempts = 25, last_error = E'it <broke>\\n  at work' where id = ${id}`.execute(
        db,
      )
    return id
  }
  const attemptsOf = async (id: number) =>
    (await sql<{ attempts: number }>`select attempts::int as attempts from graphile_worker._private_jobs where id = ${id}`.execute(db))
      .rows[0]?.attempts
  const [first, second, waiting, running, kept] = [await add(true), await add(true), await add(false), await add(true), await add(true)]
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'test' where id = ${running}`.execute(db)
  assert.match(
    (await admin.get('/admin/background_jobs')).body,
    /it &lt;broke&gt;<\/div>\s*<details class="small"><summary>Where it came from/,
  )

  assert.equal((await admin.submit(`/admin/background_jobs/${first}/retry`, {})).status, 303)
  assert.equal((await admin.submit(`/admin/background_jobs/${second}/delete`, {})).status, 303)

  assert.deepEqual([await attemptsOf(first), await attemptsOf(second)], [0, undefined])
  for (const id of [waiting, running, second]) assert.equal((await admin.submit(`/admin/background_jobs/${id}/delete`, {})).status, 404)
  assert.deepEqual([await attemptsOf(waiting), await attemptsOf(running)], [0, 25])
  assert.equal((await (await surfer()).submit(`/admin/background_jobs/${kept}/retry`, {})).status, 404)
  await sql`delete from graphile_worker._private_jobs where id in (${first}, ${waiting}, ${running}, ${kept})`.execute(db)
})

test('sources of imports that the form does not offer stay as they were set', async () => {
  const sources = async () => (await scene.root.get('/application/settings')).body.import_sources
  const before = await sources()
  await scene.root.put('/application/settings', { import_sources: ['git', 'gitea', 'manifest'] })
  const { body } = await admin.get('/admin/application_settings/repository')
  assert.ok(body.includes('value="github"') && !body.includes('value="gitea"'))
  const sent = { project_export_enabled: '1', import_sources: 'github', max_import_size: '0' }
  assert.equal((await admin.submit('/admin/application_settings/repository/moving', sent)).status, 303)
  assert.deepEqual(await sources(), ['github', 'gitea', 'manifest'])
  await scene.root.put('/application/settings', { import_sources: before })
})

test('a setting is changed by the form of its section', async () => {
  const sent = {
    scim_provisioning: 'owners',
    scim_email_domains: 'example.com, example.org',
    scim_accounts_per_group: '7',
    scim_accounts_per_owner: '9',
    scim_existing_users: 'refused',
  }
  assert.equal((await admin.submit('/admin/application_settings/accounts/scim', { ...sent, session_expire_delay: '1' })).status, 303)
  const { body } = await scene.root.get('/application/settings')
  assert.deepEqual(body.scim_email_domains, ['example.com', 'example.org'])
  assert.equal(body.scim_accounts_per_group, 7)
  assert.notEqual(body.session_expire_delay, 1, 'a form changes its own settings and no others')
})

test('an administrator takes off a profile what does not belong there, and links and unlinks accounts elsewhere', async () => {
  const { person } = await surfer()
  const at = `/admin/users/${person.id}`
  await person.put('/user', { bio: 'Cheap lamps', website_url: 'https://lamps.example.com' })
  assert.match((await admin.get(`${at}/profile`)).body, /value="Cheap lamps"/)
  const saved = await admin.submit(`${at}/profile`, { bio: '', website_url: '', job_title: 'Keeper', private_profile: 'true' })
  assert.equal(saved.headers.location, `/admin/users/${person.username}`)
  const { body } = await scene.root.get(`/users/${person.id}`)
  assert.deepEqual([body.bio, body.website_url, body.job_title, body.private_profile], ['', '', 'Keeper', true])

  await person.put('/user/avatar', formWith('avatar', 'lamp.png', png(8)))
  assert.match((await admin.get(`${at}/profile`)).body, /Remove the picture/)
  assert.equal((await admin.submit(`${at}/picture/delete`, {})).headers.location, `/admin/users/${person.username}`)
  assert.equal((await scene.root.get(`/users/${person.id}`)).body.avatar_url, null)

  const half = await admin.submit(`${at}/identities/new`, { provider: 'works', extern_uid: '' })
  assert.deepEqual([half.status, /name="extern_uid"[^>]*aria-invalid="true"/.test(half.body)], [422, true])
  assert.equal((await admin.submit(`${at}/identities/new`, { provider: 'works', extern_uid: 'keeper-7' })).status, 303)
  const page = `/admin/users/${person.username}`
  assert.match((await admin.get(page)).body, /works[\s\S]*keeper-7/)
  assert.equal((await admin.submit(`${at}/identities/works/delete`, {})).status, 303)
  assert.match((await admin.get(page)).body, /signs in with a password/)
  const other = await surfer()
  for (const rest of ['/profile', '/identities/new']) assert.equal((await other.get(at + rest)).status, 404)
  assert.equal((await other.submit(`${at}/picture/delete`, {})).status, 404)
})
