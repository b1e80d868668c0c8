import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { password } from '../oauth/scene.ts'
import { APP_PAGE, requireOf, twoFactorScene } from './scene.ts'

const scene = await openScene()
const { db } = scene.deps.database
const { surfer, guarded, turnOn, token } = twoFactorScene(scene)

const hour = 60 * 60_000

async function at<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  scene.setTime(new Date(Date.now() + milliseconds).toISOString())
  try {
    return await work()
  } finally {
    scene.setTime(undefined)
  }
}

const join = (group: { readonly url: string }, { id }: { readonly id: number }) =>
  scene.root.post(`${group.url}/members`, { user_id: id, access_level: 30 })

test('a group that requires two factors of one whom others have added can be left, though no other page opens', async () => {
  const { group } = await scene.group()
  const one = await surfer()
  await join(group, one.person)
  await requireOf(scene, group, 0)
  await one.get('/explore')
  const led = await at(1_000, () => one.get('/explore'))
  assert.deepEqual([led.status, led.headers.location], [302, '/-/profile/two_factor'])

  const { body } = await at(1_000, () => one.get('/-/profile/two_factor'))
  assert.ok(body.includes(group.full_path), 'the page names the group')
  const { group: other } = await scene.group()
  const another = await at(1_000, () => one.submit('/-/profile/two_factor/groups/leave', { group_id: String(other.id) }))
  assert.equal(another.status, 404)
  const left = await at(1_000, () => one.submit('/-/profile/two_factor/groups/leave', { group_id: String(group.id) }))

  assert.deepEqual([left.status, left.headers.location], [303, '/-/profile/two_factor'])
  assert.equal((await at(1_000, () => one.get('/explore'))).status, 200)
})

test('a group that requires two factors says so, and lets sessions nowhere else after the time for it', async () => {
  const { group } = await scene.group()
  const one = await surfer()
  await join(group, one.person)
  assert.equal((await requireOf(scene, group, 2)).status, 200)

  const warned = await one.get('/explore')
  assert.equal(warned.status, 200)
  assert.match(warned.body, /Your account must have two-factor authentication/)
  assert.equal((await at(hour, () => one.get('/explore'))).status, 200)

  const late = 2 * hour + 1_000
  const led = await at(late, () => one.get('/explore'))
  assert.deepEqual([led.status, led.headers.location], [302, '/-/profile/two_factor'])
  const stream = await at(late, () => one.client.get(`${scene.url}/-/live`, { on: 'activity:1' }, { accept: 'text/event-stream' }))
  assert.equal(stream.status, 403, 'a stream has no other page')
  const api = await at(late, () => one.client.get(`${scene.url}/api/v4/user`))
  assert.equal(api.status, 403)
  assert.match(api.body.message, /Two-factor authentication is required/)
  assert.equal((await at(late, () => one.submit('/-/profile', { name: 'Another Name' }))).status, 302)
  assert.equal((await at(late, () => one.person.get('/user'))).status, 200, 'tokens go on')
  const granted = await at(late, () => token({ grant_type: 'password', username: one.person.username, password }))
  assert.match(granted.body.error_description, /must have two-factor authentication/)

  assert.equal((await at(late, () => one.get('/-/profile/two_factor'))).status, 200)
  // The password of the sign-in counts for an hour.
  await db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() + late) })
    .where('user_id', '=', one.person.id)
    .execute()
  await at(late, () => turnOn(one))
  assert.equal((await at(late, () => one.get('/explore'))).status, 200)
  const { body } = await at(late, () => one.get('/explore'))
  assert.doesNotMatch(body, /must have two-factor authentication/)
})

test('one signs out without a second factor', async () => {
  const { group } = await scene.group()
  const one = await surfer()
  await join(group, one.person)
  await requireOf(scene, group, 0)
  assert.equal((await one.get('/explore')).status, 302)
  const out = await one.submit('/users/sign_out', {})
  assert.deepEqual([out.status, out.headers.location], [303, '/users/sign_in'])
})

test('what a group requires holds for members of the groups below and above it, and for nobody else', async () => {
  const { group: parent, owner } = await scene.group()
  const { group } = await scene.group({ parent, owner })
  const { group: child } = await scene.group({ parent: group, owner })
  const [above, below, outside] = [await surfer(), await surfer(), await surfer()]
  await join(parent, above.person)
  await join(child, below.person)
  await requireOf(scene, group, 0)
  const statuses = await Promise.all([above, below, outside].map(async one => (await one.get('/explore')).status))
  assert.deepEqual(statuses, [302, 302, 200])

  await scene.root.put(group.url, { require_two_factor_authentication: false })
  assert.equal((await above.get('/explore')).status, 200)
})

test('the shortest time counts, and it begins again after the requirement was taken back', async () => {
  const [{ group: long }, { group: short }] = [await scene.group(), await scene.group()]
  const one = await surfer()
  await join(long, one.person)
  await join(short, one.person)
  await requireOf(scene, long, 48)
  await requireOf(scene, short, 1)
  assert.equal((await one.get('/explore')).status, 200)
  assert.equal((await at(1.5 * hour, () => one.get('/explore'))).status, 302)
  for (const { url } of [long, short]) await scene.root.put(url, { require_two_factor_authentication: false })
  assert.equal((await at(1.5 * hour, () => one.get('/explore'))).status, 200)
  await requireOf(scene, short, 1)
  assert.equal((await at(3 * hour, () => one.get('/explore'))).status, 200)
})

test('the instance requires two factors of all, or of administrators', async () => {
  const [admin, one] = [await surfer({ admin: true }), await surfer()]
  const set = (settings: object) => scene.root.put('/application/settings', settings)
  try {
    assert.equal((await set({ require_admin_two_factor_authentication: true, two_factor_grace_period: 0 })).status, 200)
    assert.deepEqual([(await admin.get('/explore')).status, (await one.get('/explore')).status], [302, 200])
    await set({ require_two_factor_authentication: true })
    assert.equal((await one.get('/explore')).status, 302)
  } finally {
    await set({ require_two_factor_authentication: false, require_admin_two_factor_authentication: false, two_factor_grace_period: 48 })
  }
})

test('the last factor stays where one is required', async () => {
  const { group } = await scene.group()
  const one = await guarded()
  await join(group, one.person)
  await requireOf(scene, group, 0)
  assert.equal((await one.submit(`${APP_PAGE}/remove`, {})).status, 400)
  assert.equal((await scene.root.get(`/users/${one.person.id}`)).body.two_factor_enabled, true)
})

test('the time begins with a password too, for those who open no page', async () => {
  const { group } = await scene.group()
  const one = await scene.user({ password })
  await join(group, one)
  await requireOf(scene, group, 1)
  const grant = () => token({ grant_type: 'password', username: one.username, password })
  assert.equal((await grant()).status, 200)
  assert.equal((await at(hour / 2, grant)).status, 200)
  assert.match((await at(hour + 1_000, grant)).body.error_description, /must have two-factor authentication/)
})
