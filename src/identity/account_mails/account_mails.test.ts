import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { contentOf } from '../../platform/mail/outbox.ts'
import { tasksOf } from '../../server/tasks.ts'
import { password } from '../oauth/scene.ts'

const scene = await openScene({ settings: { rateLimit: 'sign_in=1000', trustedProxies: '127.0.0.1' } })
const { db } = scene.deps.database

const signIn = (login: string, from: string, given = password) =>
  scene
    .as({ 'x-forwarded-for': from, 'user-agent': 'Lynx' })
    .post(`${scene.url}/users/sign_in`, new URLSearchParams({ login, password: given }))

/** The mails to a person: no mail server takes them, so they are kept. */
async function mailsTo(person: { readonly id: number }) {
  const rows = await db.selectFrom('mails').selectAll().where('user_id', '=', person.id).orderBy('id').execute()
  return rows.map(row => ({ kind: row.kind, ...contentOf(row, scene.deps.secrets) }))
}

const kindsTo = async (person: { readonly id: number }) => (await mailsTo(person)).map(({ kind }) => kind)

test('a sign-in from a network that is not known is mailed to the owner, and the first one of all is not', async () => {
  const person = await scene.user({ password })
  for (const from of ['192.0.2.1', '192.0.2.1', '2001:db8:1:2::1', '2001:db8:1:2::9', '192.0.2.1'])
    assert.equal((await signIn(person.username, from)).status, 303, from)

  const [mail, ...others] = await mailsTo(person)
  assert.deepEqual(others, [])
  assert.equal(mail?.kind, 'new_sign_in')
  assert.match(mail?.text ?? '', /^From: 2001:db8:1:2::1$/m)
})

test('a pause after too many wrong passwords is mailed once a day', async () => {
  const person = await scene.user({ password })
  const fail = async (from: string) => {
    for (let n = 0; n < 10; n++) assert.equal((await signIn(person.username, from, 'wrong')).status, 401)
  }
  await fail('198.51.100.1')
  assert.equal((await signIn(person.username, '198.51.100.1')).status, 429)

  const [mail, ...others] = await mailsTo(person)
  assert.deepEqual(others, [])
  assert.equal(mail?.kind, 'sign_ins_paused')
  assert.match(mail?.text ?? '', /takes no passwords for 10 minutes/)
})

test('tokens and keys that end within a week are mailed once, a mail for each owner', async () => {
  const [person, blocked] = [await scene.user(), await scene.user()]
  const day = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  for (const { id } of [person, blocked])
    for (const [name, days] of [
      ['tomorrow', 1],
      ['in a week', 7],
      ['later', 9],
      ['over', -1],
      ['short life', 3],
    ] as const)
      await db
        .insertInto('personal_access_tokens')
        .values({
          user_id: id,
          name,
          digest: `${name} ${id}`,
          scopes: ['api'],
          expires_at: day(days),
          created_at: name === 'short life' ? new Date() : new Date(Date.now() - 60 * 24 * 60 * 60 * 1000),
        })
        .execute()
  await db
    .insertInto('keys')
    .values({
      user_id: person.id,
      title: 'Laptop',
      key: 'ssh-ed25519 AAAA',
      fingerprint: 'a',
      fingerprint_sha256: 'expiring',
      expires_at: new Date(Date.now() + 2 * 24 * 60 * 60 * 1000),
      created_at: new Date(Date.now() - 60 * 24 * 60 * 60 * 1000),
    })
    .execute()
  await scene.root.post(`/users/${blocked.id}/block`)

  const tasks = tasksOf(scene.deps)
  for (let n = 0; n < 2; n++) await tasks.mail_expiring({}, undefined)

  const mails = await mailsTo(person)
  assert.deepEqual(
    mails.map(({ kind }) => kind),
    ['expiring_tokens', 'expiring_keys'],
  )
  const [tokens, keys] = mails
  assert.match(tokens?.text ?? '', /Name: tomorrow\n/)
  assert.match(tokens?.text ?? '', /Name: in a week\n/)
  assert.doesNotMatch(tokens?.text ?? '', /later|over|short life/)
  assert.match(keys?.text ?? '', /Name: Laptop\n/)
  assert.deepEqual(await kindsTo(blocked), [])
})
