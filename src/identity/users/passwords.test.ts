import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { passwordProblems } from './passwords.ts'

const scene = await openScene()
const owner = { username: 'ida.example', name: 'Ida Example', email: 'ida@example.com' }

const refused = [
  'password',
  'PassWord',
  'p@$$w0rd',
  'password123',
  '12345678',
  '87654321',
  'qwertyui',
  'asdfghjkl',
  'abcdefghij',
  'hgfedcba',
  'zzzzzzzzzz',
  'abababab',
  'abcabcabca',
  '        ',
  '\u00a0\u2003      ',
  'iloveyou',
  'ida.example',
  'IDA@example.com',
  'ida.example1',
  'ida example',
  'short',
  'x'.repeat(129),
  `${'correct horse '.repeat(10)}`,
]

for (const password of refused)
  test(`${JSON.stringify(password.slice(0, 20))} is refused as a password`, async () => {
    assert.equal((await passwordProblems(password, owner)).length, 1)
  })

for (const password of [
  'Passw0rd!23',
  's3cret-passw0rd',
  'correct horse 7',
  'ida-rides-a-horse',
  'Päß wörter!',
  't7u2w9x4k6',
  'x'.repeat(60) + 'y'.repeat(60),
])
  test(`${JSON.stringify(password.slice(0, 20))} is accepted as a password`, async () => {
    assert.deepEqual(await passwordProblems(password, owner), [])
  })

test('weak passwords are refused where an account is made and where its password is changed, in the form of a validation', async () => {
  const person = await scene.user({ password: 'a very long pass phrase' })
  for (const password of ['password', '12345678', '        ', 'newcomer1']) {
    const made = await scene.root.post('/users', { name: 'New', username: 'newcomer1', email: 'newcomer1@example.com', password })
    assert.equal(made.status, 400, password)
    assert.deepEqual(Object.keys(made.body.message), ['password'])
  }
  for (const password of ['password', person.username]) {
    const changed = await scene.root.put(`/users/${person.id}`, { password })
    assert.equal(changed.status, 400, password)
    assert.deepEqual(Object.keys(changed.body.message), ['password'])
  }
  const signIn = await scene.anonymous.post(
    `${scene.url}/users/sign_in`,
    new URLSearchParams({ login: person.username, password: 'a very long pass phrase' }),
  )
  assert.equal(signIn.status, 303, 'the old password still counts')
})
