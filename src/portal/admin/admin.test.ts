import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const admin = await surfer({ admin: true })

test('the pages are for administrators', async () => {
  const person = await surfer()
  for (const path of ['/admin', '/admin/users', '/admin/background_jobs', '/admin/application_settings/general']) {
    assert.equal((await admin.get(path)).status, 200, path)
    assert.equal((await person.get(path)).status, 403, path)
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

test('a setting is changed by the form, and every setting has a field', async () => {
  const { body } = await admin.get('/admin/application_settings/general')
  for (const name of Object.keys((await scene.root.get('/application/settings')).body))
    if (name !== 'id') assert.ok(body.includes(`name="${name}"`), name)

  assert.equal((await admin.submit('/admin/application_settings/general', { scim_email_domains: 'example.com, example.org' })).status, 303)
  assert.deepEqual((await scene.root.get('/application/settings')).body.scim_email_domains, ['example.com', 'example.org'])
})
