/** Notification settings (notification settings API of the v4 level 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { customEvents } from './levels.ts'

const scene = await openScene()
const { db } = scene.deps.database

test('people who have chosen nothing take part, and mails go to their primary address', async () => {
  const person = await scene.user()
  const { project, owner } = await scene.project()

  assert.deepEqual(await person.get('/notification_settings'), {
    status: 200,
    body: { level: 'participating', notification_email: person.email },
  })
  assert.deepEqual(await owner.get(`${project.url}/notification_settings`), { status: 200, body: { level: 'global' } })
})

test('a level is chosen everywhere, in a group and in a project, each by itself', async () => {
  const { group, guest: person } = await scene.group({ members: ['guest'] })
  const { project } = await scene.project({ visibility: 'public' })

  assert.equal((await person.put('/notification_settings', { level: 'watch' })).body.level, 'watch')
  assert.deepEqual((await person.put(`${group.url}/notification_settings`, { level: 'disabled' })).body, { level: 'disabled' })
  assert.deepEqual((await person.put(`${project.url}/notification_settings`, { level: 'mention' })).body, { level: 'mention' })
  assert.deepEqual((await person.put(`${project.url}/notification_settings`, { level: 'participating' })).body, { level: 'participating' })

  assert.equal((await person.get('/notification_settings')).body.level, 'watch')
  assert.equal((await person.get(`${group.url}/notification_settings`)).body.level, 'disabled')
})

test('the level custom answers its events: each as chosen, others as usual', async () => {
  const { project, owner } = await scene.project()
  const address = `${project.url}/notification_settings`

  const chosen = await owner.put(address, { level: 'custom', new_note: true, failed_pipeline: false })
  const { events } = chosen.body
  assert.deepEqual(Object.keys(events), [...customEvents])
  const on = (all: Record<string, boolean>) => Object.keys(all).filter(name => all[name])
  assert.deepEqual(on(events), ['new_note', 'fixed_pipeline', 'moved_project'])
  const later = await owner.put(address, { new_issue: true })
  assert.deepEqual(on(later.body.events), ['new_note', 'new_issue', 'fixed_pipeline', 'moved_project'])

  assert.deepEqual((await owner.put(address, { level: 'watch' })).body, { level: 'watch' })
  const again = await owner.put(address, { level: 'custom' })
  assert.deepEqual(again.body.events, later.body.events, 'the choice is kept meanwhile')
})

test('mails go to an address that the person has confirmed, as long as it is theirs', async () => {
  const person = await scene.user()
  const { body: added } = await scene.root.post(`/users/${person.id}/emails`, {
    email: 'ida.at.work@example.com',
    skip_confirmation: true,
  })
  await person.post('/user/emails', { email: 'ida.unconfirmed@example.com' })

  for (const notification_email of ['someone@example.com', 'ida.unconfirmed@example.com', '']) {
    const refused = await person.put('/notification_settings', { notification_email })
    assert.deepEqual([refused.status, refused.body.message], [400, { notification_email: ['must be an email you have verified'] }])
  }
  const set = await person.put('/notification_settings', { notification_email: 'Ida.At.Work@example.com' })
  assert.equal(set.body.notification_email, 'ida.at.work@example.com')
  assert.equal((await person.put('/notification_settings', { level: 'mention' })).body.notification_email, 'ida.at.work@example.com')

  await person.delete(`/user/emails/${added.id}`)
  assert.deepEqual((await person.get('/notification_settings')).body, { level: 'mention', notification_email: person.email })
})

test('a level that is none is refused, as is “global” where nothing is above it', async () => {
  const { project, owner } = await scene.project()
  assert.equal((await owner.put('/notification_settings', { level: 'global' })).status, 400)
  assert.equal((await owner.put(`${project.url}/notification_settings`, { level: 'loud' })).status, 400)
})

test('projects show the level that the reader chose', async () => {
  const { project, owner } = await scene.project()
  const person = await scene.user()
  await owner.post(`${project.url}/members`, { user_id: person.id, access_level: 20 })
  const shown = async () => (await person.get(project.url)).body.permissions.project_access.notification_level

  assert.equal(await shown(), 3)
  await person.put(`${project.url}/notification_settings`, { level: 'watch' })
  assert.equal(await shown(), 2)
})

test('two calls at the same time leave one setting', async () => {
  const { project, owner } = await scene.project()
  const levels = ['watch', 'mention', 'disabled', 'watch'] as const
  const answers = await Promise.all(levels.map(level => owner.put(`${project.url}/notification_settings`, { level })))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const rows = await db.selectFrom('notification_settings').select('id').where('project_id', '=', project.id).execute()
  assert.equal(rows.length, 1)
})
