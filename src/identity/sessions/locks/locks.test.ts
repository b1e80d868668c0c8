import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../../test/scene.ts'
import { RateLimiter } from '../../../platform/kernel/request/rate_limit.ts'
import { outboxOf } from '../../email_confirmations/scene.ts'
import { password } from '../../oauth/scene.ts'

const scene = await openScene({
  settings: {
    rateLimit: 'sign_in=10000',
    trustedProxies: '127.0.0.1',
    smtpUrl: 'smtp://127.0.0.1:1',
    externalUrl: 'https://git.example.com',
  },
})
const { take, work } = outboxOf(scene)
const { db } = scene.deps.database

const [home, elsewhere, afar] = ['198.51.100.7', '203.0.113.5', '192.0.2.9'] as const
const page = (path: string) => `${scene.url}${path}`
const from = (ip: string) => ({ 'x-forwarded-for': ip })
const signIn = (login: string, given: string, ip: string) =>
  scene.anonymous.post(page('/users/sign_in'), new URLSearchParams({ login, password: given }), from(ip))
const use = (link: string, ip: string) => scene.anonymous.post(page(link), new URLSearchParams(), from(ip))
const ask = (email: string) => scene.anonymous.post(page('/users/unlock/new'), new URLSearchParams({ email }), from(elsewhere))

async function fail(login: string, ip: string) {
  for (let number = 0; number < 10; number++) assert.equal((await signIn(login, `wrong ${number}`, ip)).status, 401)
}

const linkIn = (text: string | undefined) =>
  /^https:\/\/git\.example\.com(\/users\/unlock\?unlock_token=\S+)$/m.exec(text ?? '')?.[1] as string

/** A person whose account is locked, with the link of the mail that they got. */
async function locked() {
  const person = await scene.user({ password })
  await fail(person.username, elsewhere)
  const [mail, ...others] = await take(person.email)
  assert.deepEqual([mail?.kind, others.length], ['sign_ins_paused', 0])
  return { person, link: linkIn(mail?.text) }
}

/** One after the other: the tasks of one are those of all. */
describe('an account with too many wrong passwords', () => {
  test('is locked in every process, and unlocked by its link, which works once and from where it was used', async () => {
    const { person, link } = await locked()
    assert.equal((await signIn(person.username, password, afar)).status, 429)
    // Another process counts for itself, and knows of the lock.
    const { limiter } = scene.deps
    Object.assign(scene.deps, { limiter: new RateLimiter(undefined) })
    assert.equal((await signIn(person.username, password, afar)).status, 429)
    Object.assign(scene.deps, { limiter })

    for (let look = 0; look < 2; look++) assert.match((await scene.anonymous.get(page(link))).body, new RegExp(`@${person.username}`))
    const raced = await Promise.all([1, 2, 3].map(() => use(link, afar)))
    assert.deepEqual(raced.map(({ status }) => status).sort(), [303, 422, 422])
    assert.equal((await signIn(person.username, password, afar)).status, 303)

    await fail(person.username, elsewhere)
    assert.equal((await signIn(person.username, password, elsewhere)).status, 429)
    assert.equal((await signIn(person.username, password, afar)).status, 303, 'nobody locks the owner out from elsewhere')
    assert.equal((await use(link, afar)).status, 422, 'the link was of the lock before')
  })

  test('goes on in its sessions, with its tokens, and where it was signed in to', async () => {
    const person = await scene.user({ password })
    const entered = await signIn(person.username, password, home)
    const cookie = String(entered.headers['set-cookie']).split(';', 1)[0] as string
    await fail(person.username, elsewhere)
    assert.equal((await signIn(person.username, password, afar)).status, 429)
    assert.equal((await signIn(person.username, password, home)).status, 303)
    assert.equal((await person.get('/user', {}, from(afar))).status, 200)
    assert.equal((await scene.anonymous.get(page('/-/profile'), {}, { cookie, ...from(afar) })).status, 200)
  })

  test('is unlocked by an administrator, and by setting a forgotten password', async () => {
    const { person } = await locked()
    const list = await scene.root.post(`/users/${person.id}/unlock`)
    assert.deepEqual([list.status, list.body], [201, true])
    assert.deepEqual((await scene.root.post(`/users/${person.id}/unlock`)).body, false)
    assert.equal((await person.post(`/users/${person.id}/unlock`)).status, 403)
    assert.equal((await signIn(person.username, password, afar)).status, 303)

    const { person: other } = await locked()
    await scene.anonymous.post(page('/users/password/new'), new URLSearchParams({ email: other.email }), from(afar))
    await work('send_password_reset')
    const [mail] = await take(other.email)
    const reset = /^https:\/\/git\.example\.com(\/users\/password\/edit\?\S+)$/m.exec(mail?.text ?? '')?.[1] as string
    const fresh = 'seven violet lanterns'
    assert.equal((await scene.anonymous.post(page(reset), new URLSearchParams({ password: fresh }), from(afar))).status, 303)
    assert.equal((await signIn(other.username, fresh, afar)).status, 303)
  })

  test('is unlocked for the networks that are known too', async () => {
    const person = await scene.user({ password })
    assert.equal((await signIn(person.username, password, home)).status, 303)
    await fail(person.username, home)
    assert.equal((await signIn(person.username, password, home)).status, 429)
    assert.equal((await scene.root.post(`/users/${person.id}/unlock`)).body, true)
    assert.equal((await scene.root.post(`/users/${person.id}/unlock`)).body, false)
    assert.equal((await signIn(person.username, password, home)).status, 303)

    // Both networks, whichever of them the owner asks from; and the next ban is no longer than the first.
    assert.equal((await signIn(person.username, password, afar)).status, 303)
    for (const ip of [home, afar]) await fail(person.username, ip)
    await take(person.email)
    await scene.anonymous.post(page('/users/password/new'), new URLSearchParams({ email: person.email }), from(afar))
    await work('send_password_reset')
    const reset = /^https:\/\/git\.example\.com(\/users\/password\/edit\?\S+)$/m.exec(
      (await take(person.email))[0]?.text ?? '',
    )?.[1] as string
    const fresh = 'seven violet lanterns'
    assert.equal((await scene.anonymous.post(page(reset), new URLSearchParams({ password: fresh }), from(afar))).status, 303)
    for (const ip of [home, afar]) assert.equal((await signIn(person.username, fresh, ip)).status, 303)
    await fail(person.username, home)
    const refused = await signIn(person.username, fresh, home)
    assert.ok(refused.status === 429 && Number(refused.headers['retry-after']) <= 600, refused.headers['retry-after'])

    const { rows } = await sql<{ count: number }>`
      select count(*)::int from audit_events where kind = 'user.unlocked' and entity_id = ${person.id}`.execute(db)
    assert.equal(rows[0]?.count, 2)
  })

  test('gets its link again, and every address the same answer', async () => {
    const { person } = await locked()
    const free = await scene.user()
    const answers = []
    for (const email of [person.email, free.email, 'nobody@example.com', "x'; --"]) {
      const { status, headers, body } = await ask(email)
      answers.push(JSON.stringify([status, headers.location, headers['set-cookie'], body]))
    }
    await ask(person.email)
    assert.equal(new Set(answers).size, 1)
    assert.equal(await work('send_unlock'), 5)
    assert.deepEqual(await take(free.email), [])
    const [mail, ...others] = await take(person.email)
    assert.equal(others.length, 0, 'one mail that waits is enough')
    assert.equal((await use(linkIn(mail?.text), afar)).status, 303)
  })

  test('is not unlocked by a link that was changed, or is another account’s', async () => {
    const [{ person, link }, { link: foreign }] = [await locked(), await locked()]
    const [, id = '', until = '', signature = ''] = /=(\d+)\.(\d+)\.(.+)$/.exec(link) ?? []
    const [, , , strange = ''] = /=(\d+)\.(\d+)\.(.+)$/.exec(foreign) ?? []
    for (const token of [
      '',
      'x',
      `${id}.${until}.${strange}`,
      `${Number(id) + 1}.${until}.${signature}`,
      `${id}.${Number(until) + 1}.${signature}`,
    ])
      assert.ok([400, 422].includes((await use(`/users/unlock?unlock_token=${token}`, afar)).status), token)
    assert.equal((await signIn(person.username, password, afar)).status, 429)
  })

  test('takes passwords again when the lock has ended', async () => {
    const { person, link } = await locked()
    await db
      .updateTable('users')
      .set({ locked_until: new Date(Date.now() - 1000) })
      .where('id', '=', person.id)
      .execute()
    assert.equal((await use(link, afar)).status, 422)
  })
})

test('a digest with another cost is made again when its password is given', async () => {
  const person = await scene.user({ password })
  const digest = async () =>
    (await db.selectFrom('users').select('password_digest').where('id', '=', person.id).executeTakeFirstOrThrow()).password_digest
  const present = (await digest()) as string
  const cheap = 'scrypt$1024$8$1$c2FsdHNhbHRzYWx0c2FsdA$'
  const salt = Buffer.from('c2FsdHNhbHRzYWx0c2FsdA', 'base64url')
  const key = scryptSync(password, salt, 32, { N: 1024, r: 8, p: 1 }).toString('base64url')
  await db
    .updateTable('users')
    .set({ password_digest: `${cheap}${key}` })
    .where('id', '=', person.id)
    .execute()

  assert.equal((await signIn(person.username, 'not this one', home)).status, 401)
  assert.equal(await digest(), `${cheap}${key}`)
  assert.equal((await signIn(person.username, password, home)).status, 303)
  assert.equal((await digest())?.split('$').slice(0, 4).join('$'), present.split('$').slice(0, 4).join('$'))
  assert.equal((await signIn(person.username, password, home)).status, 303)
})
