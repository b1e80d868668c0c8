import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()
const none = { emoji: null, message: null, availability: null, message_html: null, clear_status_at: null }

test('a status is public, by id and by username', async () => {
  const person = await scene.user()

  const set = await person.put('/user/status', { emoji: 'coffee', message: 'Back soon', availability: 'busy' })

  assert.deepEqual(set, {
    status: 200,
    body: { emoji: 'coffee', message: 'Back soon', availability: 'busy', message_html: 'Back soon', clear_status_at: null },
  })
  assert.deepEqual((await person.get('/user/status')).body, set.body)
  assert.deepEqual((await scene.anonymous.get(`/users/${person.username}/status`)).body, set.body)
  assert.deepEqual((await scene.anonymous.get(`/users/${person.id}/status`)).body, set.body)
})

test('a user without a status has an empty one, and setting neither emoji nor message clears it', async () => {
  const person = await scene.user()
  assert.deepEqual((await person.get('/user/status')).body, none)

  assert.equal((await person.put('/user/status', { message: 'x' })).body.emoji, 'speech_balloon')
  assert.deepEqual((await person.put('/user/status', { emoji: '', message: '' })).body, none)
})

test('a message is escaped', async () => {
  const person = await scene.user()
  const set = await person.put('/user/status', { message: `<img src=x onerror="a('b')"> & co` })
  assert.equal(set.body.message_html, '&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; co')
})

test('a status expires after the given duration', async t => {
  const person = await scene.user()
  t.after(() => scene.setTime(undefined))
  scene.setTime('2030-01-01T00:00:00.000Z')

  const set = await person.put('/user/status', { message: 'Lunch', clear_status_after: '30_minutes' })
  assert.equal(set.body.clear_status_at, '2030-01-01T00:30:00.000Z')

  scene.setTime('2030-01-01T00:29:59.000Z')
  assert.equal((await person.get('/user/status')).body.message, 'Lunch')
  scene.setTime('2030-01-01T00:30:00.000Z')
  assert.deepEqual((await person.get('/user/status')).body, none)
})

test('a message is at most 100 characters, and an emoji goes by its name', async () => {
  const person = await scene.user()
  assert.deepEqual((await person.put('/user/status', { message: 'x'.repeat(101) })).body, {
    message: { message: ['is too long (maximum is 100 characters)'] },
  })
  assert.deepEqual((await person.put('/user/status', { emoji: '<b>' })).body, { message: { emoji: ['is invalid'] } })
})
