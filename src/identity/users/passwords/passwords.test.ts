import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { newToken } from '../../../platform/kernel/secrets.ts'
import { passwordProblems } from './passwords.ts'

const scene = await openScene()
const owner = { username: 'ida.example', name: 'Ida Example', email: 'ida@example.com' }

const common = [
  ...['password', 'PassWord', 'p@$$w0rd', 'password123', 'password1', 'iloveyou', 'changeme123', 'drowssap', 'letmein1', 'Test1234'],
  // With a year, a date, a count or signs.
  ...['Welcome1!', 'password2024', 'Summer2024!', 'Winter2025', 'Berlin2024', 'admin123!', 'Hello1234!', '20240101', '01.01.2024'],
  // Repetitions, sequences and walks on the keyboard.
  ...['12345678', '87654321', '12341234', 'zzzzzzzzzz', 'abababab', 'abcabcabca', 'abcdefghij', 'hgfedcba', 'testtest', '11223344aa'],
  ...['qwertyui', 'asdfghjkl', 'poiuytrewq', '1qaz2wsx', '!QAZ2wsx', 'q1w2e3r4', 'qwer1234', 'zxcvbnm1', 'qwerty!@#$'],
  `${'x'.repeat(60)}${'y'.repeat(60)}`,
  // What cannot be seen, and what only looks like Latin letters.
  ...['pass word', 'p a s s w o r d', 'p.a.s.s.w.o.r.d', 'pass\u200bword', 'p\u200b\u200ba\u2060ss\u00adword', '\u202epassword'],
  ...['p\u0430ssword', '\u0440\u0430\u0455\u0455w\u043erd', '\uff50assword', 'p\u00e1ssword', 'p\u0301assword'],
  // The name of the instance.
  ...['ingot123', 'Ingot2024!', 'ingotingot', 'Acme2024!'],
]

const ofNames = [
  'ida.example',
  'IDA@example.com',
  'ida.example1',
  'ida example',
  'Ida.Example1!',
  'ida_example_99',
  'Ida1990!x',
  '\u0456d\u0430-example',
]

const others = ['        ', '\u00a0\u2003      ', '\u200b'.repeat(9), 'short', 'x'.repeat(129), `${'correct horse '.repeat(10)}`]

const problemsOf = (password: string) => passwordProblems(password, [owner], 'forge.acme.com')

for (const [message, passwords] of [
  ['must not contain commonly used combinations of words and letters', common],
  ['must not be made of the username, the name or the email address', ofNames],
  [undefined, others],
] as const)
  for (const password of passwords)
    test(`${JSON.stringify(password.slice(0, 20))} is refused as a password`, async () => {
      const problems = await problemsOf(password)
      assert.equal(problems.length, 1)
      if (message !== undefined) assert.deepEqual(problems, [message])
    })

for (const password of [
  'Passw0rd!23',
  's3cret-passw0rd',
  'correct horse',
  'correct horse 7',
  'ida-rides-a-horse',
  'Päß wörter!',
  't7u2w9x4k6',
  'a-long-password',
  'a:b@c/d %é#?',
  'pä:ß wörd/%@?',
  'fakepassword',
  'лошадь скрепка',
  '正しい馬電池ホチキス',
  'correct horse battery staple '.repeat(4),
])
  test(`${JSON.stringify(password.slice(0, 20))} is accepted as a password`, async () => {
    assert.deepEqual(await problemsOf(password), [])
  })

test('generated passwords are accepted', async () => {
  const generated = Array.from({ length: 100 }, () => newToken().reveal())
  for (const password of [...generated, ...generated.map(token => token.slice(0, 10))])
    assert.deepEqual(await problemsOf(password), [], password)
})

test('estimates hold nothing else up, and those that run together get their own answers', async () => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  await problemsOf('t7u2w9x4k6')
  delay.enable()

  const passwords = Array.from({ length: 10 }, (_, at) =>
    at % 2 === 0 ? 'p@$$w0rd' : `4@8({[<3&69!1|0$57+%2${at}`.repeat(5).slice(0, 120),
  )
  const problems = await Promise.all(passwords.map(problemsOf))

  delay.disable()
  assert.deepEqual(
    problems.map(found => found.length),
    passwords.map((_, at) => (at % 2 === 0 ? 1 : 0)),
  )
  const longest = delay.max / 1e6
  assert.ok(longest < 100, `${longest} ms`)
})

test('a password is held against the names that the same request gives, and those of before', async () => {
  const person = await scene.user()
  const [former, later] = [person.username, `${person.username}x-fjord`]
  for (const password of [`${later}1`, `${former}1`, 'Fjordmann7'])
    assert.deepEqual(await scene.root.put(`/users/${person.id}`, { username: later, name: 'Ida Fjordmann', password }), {
      status: 400,
      body: { message: { password: ['must not be made of the username, the name or the email address'] } },
    })
  assert.equal((await scene.root.get(`/users/${person.id}`)).body.username, former)
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
