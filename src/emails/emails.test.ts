import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../test/scene.ts'

const scene = await openScene()

test('an address that one adds waits for its confirmation, is listed, read and deleted', async () => {
  const person = await scene.user()

  const added = await person.post('/user/emails', { email: 'second.one@example.com' })

  const { id } = added.body
  assert.deepEqual(added, { status: 201, body: { id, email: 'second.one@example.com', confirmed_at: null } })
  assert.deepEqual((await person.get('/user/emails')).body, [added.body])
  assert.deepEqual((await person.get(`/user/emails/${id}`)).body, added.body)
  assert.equal((await person.delete(`/user/emails/${id}`)).status, 204)
  assert.deepEqual(await person.get(`/user/emails/${id}`), { status: 404, body: { message: '404 Email Not Found' } })
})

test('an administrator adds an address, confirmed at once where they say so', async () => {
  const person = await scene.user()
  const path = `/users/${person.id}/emails`

  const added = await scene.root.post(path, { email: 'given@example.com', skip_confirmation: true })
  assert.match(added.body.confirmed_at, /Z$/)
  assert.deepEqual((await scene.root.get(path)).body, [added.body])
  assert.equal((await person.get(path)).status, 403)
  assert.equal((await scene.root.delete(`${path}/${added.body.id}`)).status, 204)
})

test('an address that anybody has is a conflict (decision 13), and one that is none is refused', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  await other.post('/user/emails', { email: 'theirs@example.com' })
  const taken = { status: 409, body: { message: 'Email has already been taken' } }

  assert.deepEqual(await person.post('/user/emails', { email: 'THEIRS@example.com' }), taken)
  assert.deepEqual(await person.post('/user/emails', { email: other.email }), taken)
  assert.deepEqual(await person.post('/user/emails', { email: person.email }), taken)
  assert.deepEqual((await person.post('/user/emails', { email: 'no address' })).body, { message: { email: ['is invalid'] } })
})

test('of two who take one address at once, as additional and as their account’s own, one gets it', async () => {
  const [person, other] = [await scene.user(), await scene.user()]

  const answers = await Promise.all([
    person.post('/user/emails', { email: 'contested@example.com' }),
    scene.root.put(`/users/${other.id}`, { email: 'contested@example.com' }),
  ])

  assert.equal(answers.filter(answer => answer.status === 409).length, 1)
})

test('another person’s address is none of one’s own', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const { id } = (await other.post('/user/emails', { email: 'private@example.com' })).body
  assert.equal((await person.delete(`/user/emails/${id}`)).status, 404)
})
