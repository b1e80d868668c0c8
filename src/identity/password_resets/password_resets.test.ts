import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openScene } from '../../../test/scene.ts'
import { contentOf } from '../../platform/mail/outbox.ts'
import { startMailServer } from '../../platform/mail/scene.ts'
import { tasksOf } from '../../server/tasks.ts'
import { oauthScene, password } from '../oauth/scene.ts'

const server = await startMailServer()
const scene = await openScene({ settings: { smtpUrl: `smtp://127.0.0.1:${server.port}`, externalUrl: 'https://git.example.com' } })
const { surfer } = oauthScene(scene)
const tasks = tasksOf(scene.deps)
const { db } = scene.deps.database

const other = 'seven violet lanterns'
const address = (path: string) => `${scene.url}${path}`
const ask = (email: string) => scene.anonymous.post(address('/users/password/new'), new URLSearchParams({ email }))
const signIn = (login: string, given: string) =>
  scene.anonymous.post(address('/users/sign_in'), new URLSearchParams({ login, password: given }))

interface QueuedTask {
  readonly id: number
  readonly task: 'send_password_reset' | 'send_mail'
  readonly payload: never
}

/** Runs what was queued for mails, as the worker would. @returns the number of mails that it sent */
async function work(): Promise<number> {
  const before = server.received.length
  for (;;) {
    const { rows } = await sql<QueuedTask>`
      delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
       where tasks.id = jobs.task_id and tasks.identifier in ('send_password_reset', 'send_mail')
      returning jobs.id::int as id, tasks.identifier as task, jobs.payload`.execute(db)
    if (rows.length === 0) return server.received.length - before
    for (const { task, payload } of rows) await tasks[task](payload, undefined)
  }
}

/** Asks for a link and takes it from the mail. */
async function linkFor(email: string, to = email): Promise<URL> {
  assert.equal((await ask(email)).status, 303)
  await work()
  const { text } = await server.mailTo(to)
  return new URL(/^https:\/\/git\.example\.com\/users\/password\/edit\?\S+$/m.exec(text)?.[0] as string)
}

const use = ({ search }: URL, given: string) =>
  scene.anonymous.post(address(`/users/password/edit${search}`), new URLSearchParams({ password: given }))

const audited = async (userId: number) =>
  (
    await db
      .selectFrom('audit_events')
      .select(['kind', 'author_name', 'ip_address'])
      .where('entity_type', '=', 'User')
      .where('entity_id', '=', userId)
      .where('kind', 'in', ['password_reset.requested', 'password_reset.used', 'user.password_changed'])
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind)

/** Its tests come one after the other: each runs all that was queued. */
describe('a forgotten password', () => {
  test('is set again by a link that comes by mail, and ends all sessions', async () => {
    const { person, get } = await surfer()
    const link = await linkFor(` ${person.email.toUpperCase()} `, person.email)

    const form = await scene.anonymous.get(address(link.pathname + link.search))
    assert.equal(form.status, 200)
    assert.match(form.body, /New password/)
    assert.equal(form.headers['referrer-policy'], 'same-origin')
    const set = await use(link, other)

    assert.deepEqual([set.status, set.headers.location], [303, '/users/sign_in'])
    assert.equal((await signIn(person.username, password)).status, 401)
    assert.equal((await signIn(person.username, other)).status, 303)
    assert.match(String((await get('/-/profile')).headers.location), /^\/users\/sign_in/, 'the session of before has ended')
    assert.deepEqual(await audited(person.id), ['password_reset.requested', 'user.password_changed', 'password_reset.used'])
    await work()
    const news = await server.mailTo(person.email)
    assert.equal(news.header('subject'), 'Your password was changed')
    assert.doesNotMatch(news.text + news.html, /violet|reset_password_token/)
  })

  test('is asked for with the same answer, and the same statements, for every address', async () => {
    const person = await scene.user()
    const bot = (await scene.project()).project
    const { body: token } = await scene.root.post(`${bot.url}/access_tokens`, { name: 'Bot', scopes: ['api'] })
    const blocked = await scene.user()
    await scene.root.post(`/users/${blocked.id}/block`)
    const deactivated = await scene.user()
    await db
      .updateTable('users')
      .set({ last_activity_on: '2020-01-01', created_at: new Date('2020-01-01') })
      .where('id', '=', deactivated.id)
      .execute()
    assert.equal((await scene.root.post(`/users/${deactivated.id}/deactivate`)).status, 201)
    const unconfirmed = await scene.user({ confirmed: false })
    const squatted = 'squatted@example.com'
    await person.post('/user/emails', { email: squatted })
    const { email: ofBot } = (await scene.root.get(`/users/${token.user_id}`)).body
    await work()

    const answers = []
    const addresses = [
      person.email,
      'nobody@example.com',
      ofBot,
      blocked.email,
      deactivated.email,
      unconfirmed.email,
      squatted,
      "x'; --",
      'a\r\nBcc: b@example.com',
    ]
    for (const email of addresses) {
      const { status, headers, body } = await ask(email)
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
         where identifier = 'send_password_reset'`.execute(db)
      answers.push({ status, location: headers.location, notice: headers['set-cookie'], body, queued: rows[0]?.count })
    }
    for (const [index, { queued }] of answers.entries()) assert.equal(queued, index + 1, addresses[index])
    assert.equal(new Set(answers.map(({ queued: _, ...answer }) => JSON.stringify(answer))).size, 1)
    assert.equal(await work(), 1)
    assert.deepEqual(server.received.at(-1)?.to, [person.email])
    const links = await db
      .selectFrom('password_resets')
      .select('user_id')
      .where('user_id', 'in', [blocked.id, deactivated.id, unconfirmed.id])
      .execute()
    assert.deepEqual(links, [])
  })

  test('is set once by a link, by the first who sends it, and not by one that has ended', async () => {
    const person = await scene.user({ password })
    const link = await linkFor(person.email)

    const raced = await Promise.all(['orange quiet harbor', 'purple loud harbor', 'yellow dim harbor'].map(given => use(link, given)))
    assert.deepEqual(raced.map(({ status }) => status).sort(), [303, 422, 422])
    const again = await use(link, other)
    assert.equal(again.status, 422)
    assert.match(again.body, /used before, or has ended/)
    const shown = await scene.anonymous.get(address(link.pathname + link.search))
    assert.match(shown.body, /href="\/users\/password\/new"/)

    await work()
    assert.equal((await server.mailTo(person.email)).header('subject'), 'Your password was changed')
    const late = await linkFor(person.email)
    try {
      scene.setTime(new Date(Date.now() + 3 * 60 * 60 * 1000).toISOString())
      assert.equal((await use(late, other)).status, 422)
    } finally {
      scene.setTime(undefined)
    }
    for (const search of ['', '?reset_password_token=', `?reset_password_token=${'0'.repeat(64)}`, '?reset_password_token[]=a'])
      assert.ok([400, 422].includes((await use(new URL(search, 'https://git.example.com'), other)).status), search)
  })

  test('stays what it is where the new one is weak, and the link can be used again', async () => {
    const person = await scene.user({ password })
    const link = await linkFor(person.email)

    const weak = await use(link, 'password')
    assert.equal(weak.status, 422)
    assert.match(weak.body, /commonly used combinations/)
    assert.match(weak.body, /reset_password_token=[0-9a-f]{64}/)
    assert.equal((await signIn(person.username, password)).status, 303)
    assert.equal((await use(link, other)).status, 303)
  })

  test('is not set by links that were there when another password was, or the account was blocked, or lost the address', async () => {
    const change = async (after: (person: { id: number; email: string }) => Promise<unknown>) => {
      const person = await scene.user({ password })
      const link = await linkFor(person.email)
      await after(person)
      await work()
      assert.equal((await use(link, other)).status, 422, String(after))
    }
    await change(({ id }) => scene.root.put(`/users/${id}`, { password: 'green slow harbor' }))
    await change(({ id }) => scene.root.post(`/users/${id}/block`))
    await change(({ id }) => scene.root.put(`/users/${id}`, { email: `moved${id}@example.com` }))
  })

  test('is mailed to a confirmed additional address too, as it is kept', async () => {
    const person = await scene.user({ password })
    await scene.root.post(`/users/${person.id}/emails`, { email: 'Second.One@example.com', skip_confirmation: true })
    const link = await linkFor('second.one@EXAMPLE.com', 'Second.One@example.com')
    assert.equal((await use(link, other)).status, 303)
    await work()
  })

  test('is mailed five times an hour at most, and once for each request', async () => {
    const person = await scene.user()
    for (let n = 0; n < 7; n++) await ask(person.email)
    assert.equal(await work(), 5)

    const again = await scene.user()
    const request = { id: 'the-same-request', ip: '192.0.2.1', userAgent: '' }
    for (let n = 0; n < 2; n++) await tasks.send_password_reset({ email: again.email, request }, undefined)
    assert.equal(await work(), 1)
    const { text } = await server.mailTo(again.email)
    assert.match(text, /Asked from: 192\.0\.2\.1/)
  })

  test('is kept as a digest alone, and the mail encrypted', async () => {
    const person = await scene.user()
    await ask(person.email)
    const { rows } = await sql<{ payload: never }>`
      delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
       where tasks.id = jobs.task_id and identifier = 'send_password_reset' returning payload`.execute(db)
    await tasks.send_password_reset(rows[0]?.payload as never, undefined)
    const mail = await db.selectFrom('mails').selectAll().where('user_id', '=', person.id).executeTakeFirstOrThrow()
    const kept = await db.selectFrom('password_resets').selectAll().where('user_id', '=', person.id).executeTakeFirstOrThrow()
    await work()
    const { text } = await server.mailTo(person.email)
    const secret = /reset_password_token=(\w+)/.exec(text)?.[1] as string
    assert.ok(!JSON.stringify([mail, kept]).includes(secret))
  })

  test('of a new account is set by a link that comes with the news of it', async () => {
    const made = await scene.root.post('/users', {
      name: 'Nia New',
      username: 'nia.new',
      email: 'nia.new@example.com',
      reset_password: true,
    })
    assert.equal(made.status, 201)
    await work()
    const { text } = await server.mailTo('nia.new@example.com')
    const link = new URL(/^https:\S+$/m.exec(text)?.[0] as string)

    assert.equal((await use(link, other)).status, 303)
    assert.equal((await signIn('nia.new', other)).status, 303)
  })
})

test('the former address gets a mail about another one, and the new one none', async () => {
  const person = await scene.user()
  assert.equal((await scene.root.put(`/users/${person.id}`, { email: 'newer@example.com' })).status, 200)
  await work()
  const { text } = await server.mailTo(person.email)
  assert.match(text, /New address: newer@example\.com/)
  assert.ok(!server.received.some(({ to }) => to.includes('newer@example.com')))
})

test('too many requests from one network are refused', async () => {
  const limited = await openScene({ settings: { rateLimit: 'sign_in=2' } })
  const post = (email: string) => limited.anonymous.post(`${limited.url}/users/password/new`, new URLSearchParams({ email }))
  const statuses = [await post('a@example.com'), await post('b@example.com'), await post('c@example.com')].map(({ status }) => status)
  assert.deepEqual(statuses.slice(0, 2), [303, 303])
  assert.ok([422, 429].includes(statuses[2] as number))
  assert.match((await limited.anonymous.get(`${limited.url}/users/password/new`)).body, /This server sends no mail/)
})

test('the link leads to the instance, whatever host the request names', async () => {
  const plain = await openScene()
  const person = await plain.user()
  const form = new URLSearchParams({ email: person.email })
  assert.equal((await plain.anonymous.post(`${plain.url}/users/password/new`, form, { host: 'elsewhere.example' })).status, 303)
  const { rows } = await sql<{ payload: never }>`
    select payload from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
     where tasks.identifier = 'send_password_reset'`.execute(plain.deps.database.db)
  for (const { payload } of rows) await tasksOf(plain.deps).send_password_reset(payload, undefined)
  const mail = await plain.deps.database.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
  const { text } = contentOf(mail, plain.deps.secrets)
  assert.ok(text.includes(`${plain.url}/users/password/edit?`), text)
  assert.ok(!text.includes('elsewhere.example'))
})
