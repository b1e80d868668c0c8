/** Administrators are such in the browser only in admin mode, where the instance has it. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene, password, type Surfer } from '../../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const { db } = scene.deps.database
const api = (path: string) => `/api/v4${path}`

const setMode = async (admin_mode: boolean) =>
  assert.equal((await scene.root.put('/application/settings', { admin_mode })).body.admin_mode, admin_mode)

before(() => setMode(true))

/** Moves what the session of a person remembers into the past, by minutes. */
async function ago({ person }: Surfer, column: 'confirmed_at' | 'admin_mode_since', minutes: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ [column]: new Date(Date.now() - minutes * 60_000) })
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow()
  assert.equal(numUpdatedRows, 1n)
}

const enter = (by: Surfer, fields: Record<string, string> = {}) => by.submit('/admin/session', fields)

test('out of admin mode an administrator is a user like any other, and is shown the way in', async () => {
  const admin = await surfer({ admin: true })
  const { project } = await scene.project({ visibility: 'private' })
  for (const path of ['/admin', '/admin/users', `/${project.full_path}`]) {
    const { status, body } = await admin.get(path)
    assert.equal(status, 404, path)
    assert.match(body, new RegExp(`href="/admin/session/new\\?redirect=${encodeURIComponent(path)}">enter admin mode`))
  }
  assert.equal((await admin.get(api('/application/settings'))).status, 403)
  assert.equal((await admin.get(api(`/projects/${project.id}`))).status, 404)
  const home = (await admin.get('/')).body
  assert.match(home, /href="\/admin\/session\/new\?redirect=%2F"[^>]*>.*Enter admin mode/)
  assert.doesNotMatch(home, /href="\/admin"/)
  // Tokens are as before.
  const byToken = scene.as({ 'private-token': admin.person.token })
  assert.equal((await byToken.get('/application/settings')).status, 200)
})

test('in admin mode they administer, until they leave it, or six hours are over', async () => {
  const admin = await surfer({ admin: true })
  assert.match((await admin.get('/admin/session/new?redirect=/admin/users')).body, /name="redirect" value="\/admin\/users"/)
  const entered = await enter(admin, { redirect: '/admin/users' })
  assert.deepEqual([entered.status, entered.headers.location], [303, '/admin/users'])
  const shown = await admin.get('/admin/users')
  assert.equal(shown.status, 200)
  assert.match(shown.body, /Admin mode is on/)
  assert.match(shown.body, /Leave admin mode/)
  assert.equal((await admin.get(api('/application/settings'))).status, 200)
  assert.equal((await admin.get('/admin/session/new')).headers.location, '/admin', 'it is on already')

  await admin.submit('/admin/session/destroy', {})
  await admin.submit('/admin/session/destroy', {})
  assert.equal((await admin.get('/admin')).status, 404)

  await enter(admin)
  await ago(admin, 'admin_mode_since', 359)
  assert.equal((await admin.get('/admin')).status, 200)
  await ago(admin, 'admin_mode_since', 361)
  assert.equal((await admin.get('/admin')).status, 404)

  const { body } = await scene.root.get('/audit_events', { entity_type: 'User', entity_id: admin.person.id })
  const said = body.map(({ details }: { details: { custom_message?: string } }) => details.custom_message)
  assert.deepEqual(
    said.filter((text?: string) => text?.includes('admin mode')),
    ['Entered admin mode', 'Left admin mode', 'Entered admin mode'],
  )
})

test('who did not prove lately that it is them is asked, also within the hour for which other forms are not', async () => {
  const admin = await surfer({ admin: true })
  await ago(admin, 'confirmed_at', 6)
  const asked = await enter(admin)
  assert.equal(asked.status, 403)
  assert.match(asked.body, /Confirm that it is you[\s\S]*not asked again for 5 minutes/)
  assert.equal((await enter(admin, { confirmation_password: 'not this one' })).status, 403)
  assert.equal((await admin.get('/admin')).status, 404)
  assert.equal((await enter(admin, { confirmation_password: password })).status, 307)
  assert.equal((await enter(admin, { confirmation_password: password })).status, 303)
  assert.equal((await admin.get('/admin')).status, 200)
})

test('acting as another user needs admin mode, and ends with it', async () => {
  const [admin, other] = [await surfer({ admin: true }), await surfer()]
  assert.equal((await admin.submit(`/admin/users/${other.person.id}/impersonate`, {})).status, 403)
  await enter(admin)
  await admin.submit(`/admin/users/${other.person.id}/impersonate`, {})
  const acting = (await admin.get('/')).body
  assert.match(acting, new RegExp(`You act as <strong>${other.person.name}</strong>`))
  assert.doesNotMatch(acting, /admin mode/i)
  await ago(admin, 'admin_mode_since', 361)
  assert.doesNotMatch((await admin.get('/')).body, /You act as/)
})

test('for other people, and where the instance has none, there is no admin mode', async () => {
  const [admin, other] = [await surfer({ admin: true }), await surfer()]
  assert.equal((await other.get('/admin/session/new')).status, 404)
  assert.equal((await enter(other)).status, 404)
  assert.doesNotMatch((await other.get('/admin')).body, /admin mode/)
  await setMode(false)
  try {
    assert.equal((await admin.get('/admin')).status, 200)
    assert.equal((await admin.get('/admin/session/new')).status, 404)
    assert.doesNotMatch((await admin.get('/')).body, /admin mode/i)
  } finally {
    await setMode(true)
  }
})
