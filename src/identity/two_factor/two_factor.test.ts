import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { currentActor, passwordProof } from '../../platform/access/current_actor.ts'
import { password } from '../oauth/scene.ts'
import { APP_PAGE, appWith, codesOn, setupOn, twoFactorScene } from './scene.ts'

const scene = await openScene()
const { db } = scene.deps.database
const { surfer, guarded, turnOn, firstStep, secondStep } = twoFactorScene(scene)

const sessionOf = (answer: { headers: Record<string, unknown> }) =>
  /_service_session=([0-9a-f]{64})/.exec(String(answer.headers['set-cookie']))?.[1]

const messagesOf = async (id: number): Promise<string[]> =>
  (await scene.root.get('/audit_events', { entity_type: 'User', entity_id: id, per_page: 100 })).body.map(
    ({ details }: { details: { custom_message?: string; failed_login?: string } }) => details.custom_message ?? details.failed_login,
  )

const mailsTo = async (id: number): Promise<string[]> =>
  (await db.selectFrom('mails').select('subject').where('user_id', '=', id).orderBy('id').execute()).map(({ subject }) => subject)

async function at<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  scene.setTime(new Date(Date.now() + milliseconds).toISOString())
  try {
    return await work()
  } finally {
    scene.setTime(undefined)
  }
}

test('an app is turned on with a code of it, and the codes for losing it are shown once', async () => {
  const one = await surfer()
  const page = await one.get(APP_PAGE)
  const { secret, setup } = setupOn(page)
  assert.match(page.body, /src="data:image\/svg\+xml,/)
  const app = appWith(secret)

  const wrong = await one.submit(APP_PAGE, { setup, code: app.code(-5) })
  assert.equal(wrong.status, 422)
  assert.equal(setupOn(wrong).secret, secret, 'a mistyped code keeps the secret that the app has')
  const on = await one.submit(APP_PAGE, { setup, code: app.code() })

  assert.equal(on.status, 200)
  const codes = codesOn(on)
  assert.deepEqual([codes.length, new Set(codes).size], [10, 10])
  assert.equal((await scene.root.get(`/users/${one.person.id}`)).body.two_factor_enabled, true)
  assert.equal((await one.person.get('/user')).body.two_factor_enabled, true)
  const stored = JSON.stringify([
    await db.selectFrom('totp_factors').selectAll().where('user_id', '=', one.person.id).execute(),
    await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', one.person.id).execute(),
  ])
  for (const text of [secret.replaceAll(' ', ''), ...codes]) assert.ok(!stored.includes(text), 'nothing of it is readable in the database')
  const later = await one.get('/-/profile/two_factor')
  assert.match(later.body, /10 of 10 left/)
  assert.deepEqual(codesOn(later), [])
  assert.deepEqual(await mailsTo(one.person.id), ['Two-factor authentication is on'])
  assert.ok((await messagesOf(one.person.id)).includes('Two-factor authentication turned on'))
})

test('the sessions that the password alone has opened end when two factors are turned on', async () => {
  const one = await surfer()
  const other = { digest: 'a session elsewhere', user_id: one.person.id, expires_at: '2999-01-01T00:00:00Z' }
  await db.insertInto('sessions').values(other).execute()

  await turnOn(one)

  const left = await db.selectFrom('sessions').select('digest').where('user_id', '=', one.person.id).execute()
  assert.equal(left.filter(({ digest }) => digest === other.digest).length, 0)
  assert.deepEqual([left.length, (await one.get('/-/profile')).status], [1, 200])
})

test('a set-up of another account, or of long ago, adds nothing', async () => {
  const [one, other] = [await surfer(), await surfer()]
  const { secret, setup } = setupOn(await other.get(APP_PAGE))
  const app = appWith(secret)
  assert.equal((await one.submit(APP_PAGE, { setup, code: app.code() })).status, 422)
  assert.equal((await one.submit(APP_PAGE, { setup: `${setup}x`, code: app.code() })).status, 422)
  const old = await at(61 * 60_000, () => other.submit(APP_PAGE, { setup, code: appWith(secret, scene.deps.now).code() }))
  assert.notEqual(old.status, 200)
  assert.equal((await scene.root.get(`/users/${other.person.id}`)).body.two_factor_enabled, false)
})

test('a sign-in with two factors has a session only after the code', async () => {
  const one = await guarded()
  const { answer, cookie } = await firstStep(one.person.username)
  assert.equal(answer.status, 303)
  assert.match(String(answer.headers.location), /^\/users\/two_factor\?/)
  assert.equal(sessionOf(answer), undefined)
  assert.match(String(answer.headers['set-cookie']), /HttpOnly/)
  assert.equal((await scene.as({ cookie }).get('/user')).status, 401, 'the cookie of the second step is no session')

  const shown = await scene.as({ cookie }).get(`${scene.url}/users/two_factor`)
  assert.match(shown.body, /autocomplete="one-time-code"/)
  const wrong = await secondStep(cookie, '000000')
  assert.deepEqual([wrong.status, sessionOf(wrong)], [401, undefined])
  const entered = await secondStep(cookie, one.app.code())
  assert.equal(entered.status, 303)
  assert.ok(sessionOf(entered))
  const again = await secondStep(cookie, one.app.code(1))
  assert.match(String(again.headers.location), /^\/users\/sign_in/, 'the second step is done once')
})

test('a code counts once: not again, not an older one, and of a race one wins', async () => {
  const one = await guarded()
  const cookies = await Promise.all([1, 2, 3, 4].map(async () => (await firstStep(one.person.username)).cookie))
  const code = one.app.code()

  const raced = await Promise.all(cookies.slice(0, 3).map(cookie => secondStep(cookie, code)))

  assert.deepEqual(raced.map(({ status }) => status).toSorted(), [303, 401, 401])
  assert.equal((await secondStep(cookies[3] as string, code)).status, 401)
  assert.equal((await secondStep(cookies[3] as string, one.app.code(-1))).status, 401)
  assert.equal((await secondStep(cookies[3] as string, one.app.code(1))).status, 303)
})

test('a recovery code opens once, as people type it, and the owner gets a mail', async () => {
  const one = await guarded()
  const [code] = one.codes as [string]
  const first = await firstStep(one.person.username)
  const [won, lost] = await Promise.all([
    secondStep(first.cookie, ` ${code.toUpperCase().replaceAll('-', ' ')} `),
    secondStep((await firstStep(one.person.username)).cookie, code),
  ])
  assert.deepEqual([won.status, lost.status].toSorted(), [303, 401])
  assert.equal((await secondStep((await firstStep(one.person.username)).cookie, code)).status, 401)
  assert.ok((await mailsTo(one.person.id)).includes('A recovery code was used'))
  assert.ok((await messagesOf(one.person.id)).includes('Recovery code used, 9 left'))

  const other = await guarded()
  assert.equal((await secondStep((await firstStep(other.person.username)).cookie, one.codes[1] as string)).status, 401)
})

test('new recovery codes end those of before', async () => {
  const one = await guarded()
  const made = await one.submit('/-/profile/two_factor/recovery_codes', {})
  const codes = codesOn(made)
  assert.equal(codes.length, 10)
  assert.equal((await secondStep((await firstStep(one.person.username)).cookie, one.codes[0] as string)).status, 401)
  assert.equal((await secondStep((await firstStep(one.person.username)).cookie, codes[0] as string)).status, 303)
  assert.ok((await mailsTo(one.person.id)).includes('New recovery codes'))
})

test('the second step ends after five minutes, with a new password, a block, and without its cookie', async () => {
  const one = await guarded()
  const late = await firstStep(one.person.username)
  const answer = await at(5 * 60_000 + 1_000, () => secondStep(late.cookie, one.app.code()))
  assert.match(String(answer.headers.location), /^\/users\/sign_in/)

  const changed = await firstStep(one.person.username)
  await scene.root.put(`/users/${one.person.id}`, { password: 'another long pass phrase' })
  assert.equal(sessionOf(await secondStep(changed.cookie, one.app.code())), undefined)

  const blocked = await firstStep(one.person.username, 'another long pass phrase')
  assert.match(String(blocked.answer.headers.location), /two_factor/)
  await scene.root.post(`/users/${one.person.id}/block`)
  assert.equal(sessionOf(await secondStep(blocked.cookie, one.app.code())), undefined)
  assert.equal(sessionOf(await secondStep(`_service_second_factor=${'0'.repeat(64)}`, one.app.code())), undefined)
})

test('wrong codes are limited like wrong passwords, for the account, and its owner hears of it', async () => {
  const limited = await openScene({ settings: { rateLimit: 'sign_in=1000' } })
  const two = twoFactorScene(limited)
  const one = await two.guarded()
  const from = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` })
  const { cookie } = await two.firstStep(one.person.username, password)
  const statuses: number[] = []
  for (let n = 0; n < 10; n++) statuses.push((await two.secondStep(cookie, '000000', from(n))).status)
  assert.deepEqual([...new Set(statuses)], [401])
  const closed = await two.secondStep(cookie, one.app.code())
  assert.equal(closed.status, 429)
  const { rows } = {
    rows: await limited.deps.database.db.selectFrom('mails').select('subject').where('user_id', '=', one.person.id).execute(),
  }
  assert.ok(rows.some(({ subject }) => subject === 'Too many wrong codes for your account'))
})

test('the last factor removed turns two factors off', async () => {
  const one = await guarded()
  assert.equal((await one.submit(`${APP_PAGE}/remove`, {})).status, 303)
  assert.equal((await firstStep(one.person.username)).answer.headers.location, '/')
  assert.equal((await scene.root.get(`/users/${one.person.id}`)).body.two_factor_enabled, false)
  assert.deepEqual(await db.selectFrom('recovery_codes').select('id').where('user_id', '=', one.person.id).execute(), [])
  assert.deepEqual(await mailsTo(one.person.id), ['Two-factor authentication is on', 'Two-factor authentication is off'])
})

test('an administrator turns two factors off for a lost phone: not for other administrators, and not where there are none', async () => {
  const [one, admin, plain] = [await guarded(), await guarded({ admin: true }), await surfer()]
  const off = (id: number) => scene.root.patch(`/users/${id}/disable_two_factor`)
  assert.equal((await one.person.patch(`/users/${one.person.id}/disable_two_factor`)).status, 403)
  assert.equal((await off(admin.person.id)).status, 403)
  const asThem = await scene.root.patch(`/users/${admin.person.id}/disable_two_factor?sudo=${admin.person.username}`)
  assert.equal(asThem.status, 403, 'nor by acting as them')
  assert.deepEqual(await off(plain.person.id), {
    ...(await off(plain.person.id)),
    status: 400,
    body: { message: '400 Bad request - Two-factor authentication is not enabled for this user' },
  })

  assert.equal((await off(one.person.id)).status, 204)

  assert.equal((await firstStep(one.person.username)).answer.headers.location, '/')
  assert.ok((await mailsTo(one.person.id)).includes('Two-factor authentication was turned off by an administrator'))
  assert.ok((await messagesOf(one.person.id)).includes('Two-factor authentication turned off'))
})

test('programs give a token in place of the password of an account with two factors, and tokens go on', async () => {
  const one = await guarded()
  const { project } = await scene.project({ owner: one.person })
  const refs = (given: string) =>
    scene.anonymous.get(
      `${scene.url}/${project.full_path}.git/info/refs`,
      { service: 'git-upload-pack' },
      { authorization: `Basic ${Buffer.from(`${one.person.username}:${given}`).toString('base64')}` },
    )
  const refused = await refs(password)
  assert.equal(refused.status, 401)
  assert.match(String(refused.body), /personal access token with 'read_repository' or 'write_repository'/)
  const wrong = await refs('another pass phrase')
  assert.doesNotMatch(String(wrong.body), /two-factor/, 'only who knows the password learns of the second factor')
  const token = await scene.token(one.person, { scopes: ['read_repository'] })
  assert.equal((await refs(token)).status, 200)

  const granted = await scene.anonymous.post(
    `${scene.url}/oauth/token`,
    new URLSearchParams({ grant_type: 'password', username: one.person.username, password }),
  )
  assert.deepEqual([granted.status, granted.body.error], [400, 'invalid_grant'])
  assert.match(granted.body.error_description, /two-factor/)
  assert.equal((await one.person.get('/user')).status, 200)

  await one.submit(`${APP_PAGE}/remove`, {})
  assert.equal((await refs(password)).status, 200)
})

test('what git began by a password ends when two factors are turned on', async () => {
  const one = await surfer()
  const { password_digest } = await db
    .selectFrom('users')
    .select('password_digest')
    .where('id', '=', one.person.id)
    .executeTakeFirstOrThrow()
  const name = { kind: 'password', id: one.person.id, proof: passwordProof(password_digest as string) } as const
  assert.ok(await currentActor(db, name, new Date()))
  await turnOn(one)
  assert.equal(await currentActor(db, name, new Date()), undefined)
})

test('an administrator sees two factors on the page of an account, and turns them off there', async () => {
  const [one, admin] = [await guarded(), await surfer({ admin: true })]
  const page = `/admin/users/${one.person.username}`
  assert.match((await admin.get(page)).body, /<dt>Two factors<\/dt><dd>on<\/dd>/)
  assert.equal((await admin.submit(`/admin/users/${one.person.id}/disable_two_factor`, {})).status, 303)
  assert.match((await admin.get(page)).body, /<dt>Two factors<\/dt><dd>off<\/dd>/)
})

test('administrators list the accounts with two factors, and those without', async () => {
  const [one, plain] = [await guarded(), await surfer()]
  const listed = async (two_factor: string) =>
    (await scene.root.get('/users', { two_factor, per_page: 100 })).body.map(({ id }: { id: number }) => id)
  const [enabled, disabled] = [await listed('enabled'), await listed('disabled')]
  assert.deepEqual([enabled.includes(one.person.id), enabled.includes(plain.person.id)], [true, false])
  assert.deepEqual([disabled.includes(one.person.id), disabled.includes(plain.person.id)], [false, true])
})
