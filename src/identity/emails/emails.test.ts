import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { isEmail } from './commands.ts'

const scene = await openScene()

test('an added address is unconfirmed, and is listed, read and deleted', async () => {
  const person = await scene.user()

  const added = await person.post('/user/emails', { email: 'second.one@example.com' })

  const { id } = added.body
  assert.deepEqual(added, { status: 201, body: { id, email: 'second.one@example.com', confirmed_at: null } })
  assert.deepEqual((await person.get('/user/emails')).body, [added.body])
  assert.deepEqual((await person.get(`/user/emails/${id}`)).body, added.body)
  assert.equal((await person.delete(`/user/emails/${id}`)).status, 204)
  assert.deepEqual(await person.get(`/user/emails/${id}`), { status: 404, body: { message: '404 Email Not Found' } })
})

test('an administrator adds an address, confirmed immediately on request', async () => {
  const person = await scene.user()
  const path = `/users/${person.id}/emails`

  const added = await scene.root.post(path, { email: 'given@example.com', skip_confirmation: true })
  assert.match(added.body.confirmed_at, /Z$/)
  assert.deepEqual((await scene.root.get(path)).body, [added.body])
  assert.equal((await person.get(path)).status, 403)
  assert.equal((await scene.root.delete(`${path}/${added.body.id}`)).status, 204)
})

test('an address of any user is a conflict (decision 13), and an invalid one is refused', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  await scene.root.post(`/users/${other.id}/emails`, { email: 'theirs@example.com', skip_confirmation: true })
  const taken = { status: 409, body: { message: 'Email has already been taken' } }

  assert.deepEqual(await person.post('/user/emails', { email: 'THEIRS@example.com' }), taken)
  assert.deepEqual(await person.post('/user/emails', { email: other.email }), taken)
  assert.deepEqual(await scene.root.post(`/users/${person.id}/emails`, { email: 'theirs@example.com', skip_confirmation: true }), taken)
  assert.deepEqual(await person.post('/user/emails', { email: person.email }), taken)
  assert.deepEqual((await person.post('/user/emails', { email: 'no address' })).body, { message: { email: ['is invalid'] } })
})

test('if one address is concurrently confirmed as additional and as primary, one of the users gets it', async () => {
  const [person, other] = [await scene.user(), await scene.user()]

  const answers = await Promise.all([
    scene.root.post(`/users/${person.id}/emails`, { email: 'contested@example.com', skip_confirmation: true }),
    scene.root.put(`/users/${other.id}`, { email: 'contested@example.com' }),
  ])

  assert.equal(answers.filter(answer => answer.status === 409).length, 1)
})

test('an address is refused in spellings of its domain that lists of domains would not recognize', async () => {
  for (const domain of ['corp.example', 'CORP.example', 'bücher.example', 'xn--bcher-kva.example', 'localhost', '192.0.2.1'])
    assert.ok(isEmail(`ida@${domain}`), domain)
  for (const domain of [
    'corp.example.',
    'ｃorp.example',
    'corp。example',
    'cor\u00adp.example',
    'corp%2eexample',
    '[192.0.2.1]',
    '0xc0.1',
    'a/b',
  ])
    assert.ok(!isEmail(`ida@${domain}`), domain)
  const person = await scene.user()
  assert.equal((await person.post('/user/emails', { email: 'ida@corp.example.' })).status, 400)
})

test('an address that a user has no more is neither on their profile nor in their commits', async () => {
  const person = await scene.user()
  const added = await scene.root.post(`/users/${person.id}/emails`, { email: 'Former@corp.example', skip_confirmation: true })
  const show = { public_email: 'former@corp.example', commit_email: 'former@corp.example' }
  assert.equal((await person.put('/user', show)).status, 200)

  assert.equal((await person.delete(`/user/emails/${added.body.id}`)).status, 204)

  const { body: user } = await person.get('/user')
  assert.deepEqual([user.public_email, user.commit_email], ['', user.email])

  assert.equal((await person.put('/user', { public_email: user.email, commit_email: user.email })).status, 200)
  assert.equal((await scene.root.put(`/users/${person.id}`, { email: 'other@corp.example' })).status, 200)
  const { body: after } = await person.get('/user')
  assert.deepEqual([after.public_email, after.commit_email], ['', 'other@corp.example'])
})

test('an unconfirmed address blocks no other user, and is removed when another user confirms it', async () => {
  const squatter = await scene.user()
  const named = async () => (await squatter.get('/user/emails')).body.map(({ email }: { email: string }) => email)
  const contested = ['first@corp.example', 'second@corp.example', 'third@corp.example', 'fourth@corp.example']
  for (const email of contested) assert.equal((await squatter.post('/user/emails', { email })).status, 201)
  assert.equal((await squatter.post('/user/emails', { email: 'FIRST@corp.example' })).status, 409, 'once is enough')
  const other = await scene.user()

  assert.equal((await other.post('/user/emails', { email: contested[0] })).status, 201, 'another user names it too')
  assert.equal((await scene.root.post(`/users/${other.id}/emails`, { email: contested[1], skip_confirmation: true })).status, 201)
  assert.equal((await scene.root.put(`/users/${other.id}`, { email: contested[2] })).status, 200)
  const made = { email: contested[3], username: 'fourth.corp', name: 'Fourth', password: 'a rather long one 7', skip_confirmation: true }
  assert.equal((await scene.root.post('/users', made)).status, 201)

  assert.deepEqual(await named(), [contested[0]])
  for (const email of contested.slice(1)) assert.equal((await squatter.post('/user/emails', { email })).status, 409)
})

test('an invitation to an address goes to the user who has confirmed it, not to one who has only added it', async () => {
  const [squatter, other] = [await scene.user(), await scene.user()]
  const { project, owner } = await scene.project()
  await squatter.post('/user/emails', { email: 'invited@corp.example' })
  await owner.post(`${project.url}/invitations`, { email: 'invited@corp.example', access_level: 30 })

  assert.equal((await squatter.get(project.url)).status, 404)
  await scene.root.post(`/users/${other.id}/emails`, { email: 'invited@corp.example', skip_confirmation: true })
  assert.equal((await other.get(project.url)).status, 200)
  assert.equal((await squatter.get(project.url)).status, 404)
})

test('another user’s address is not found among one’s own', async () => {
  const [person, other] = [await scene.user(), await scene.user()]
  const { id } = (await other.post('/user/emails', { email: 'private@example.com' })).body
  assert.equal((await person.delete(`/user/emails/${id}`)).status, 404)
})

test('concurrent requests of an account name no more addresses in an hour than one after the other', async () => {
  const person = await scene.user()
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => person.post('/user/emails', { email: `${person.username}${index}@many.example.com` })),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 20)
  assert.ok(answers.every(({ status }) => status === 201 || status === 429))
})
