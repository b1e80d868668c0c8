import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene, password, type Surfer } from '../oauth/scene.ts'
import { outboxOf } from './scene.ts'

const scene = await openScene({ settings: { smtpUrl: 'smtp://127.0.0.1:1', externalUrl: 'https://git.example.com' } })
const { surfer } = oauthScene(scene)
const { take, work } = outboxOf(scene)
const { db } = scene.deps.database

const address = (path: string) => `${scene.url}${path}`
const form = (fields: Record<string, string>) => new URLSearchParams(fields)
const set = (settings: Record<string, unknown>) => scene.root.put('/application/settings', settings)
const signUp = (fields: Record<string, string>, query = '') =>
  scene.anonymous.post(address(`/users/sign_up${query}`), form({ name: 'Nia New', password, ...fields }))
const signIn = (login: string) => scene.anonymous.post(address('/users/sign_in'), form({ login, password }))
const ask = (email: string) => scene.anonymous.post(address('/users/confirmation/new'), form({ email }))
const open = (link: string) => scene.anonymous.get(address(link))
const use = (link: string) => scene.anonymous.post(address(link), form({}))
const change = (one: Surfer, email: string) => one.submit('/-/profile/email/edit', { email })
const account = async (username: string) => (await scene.root.get('/users', { username })).body[0]

/** The local part of the link in the only mail to an address. */
async function linkTo(email: string, kind = 'confirmation'): Promise<string> {
  const [mail, ...others] = await take(email)
  assert.deepEqual([mail?.kind, others.length], [kind, 0])
  return /^https:\/\/git\.example\.com(\/users\/confirmation\?confirmation_token=[0-9a-f]{64})$/m.exec(mail?.text ?? '')?.[1] as string
}

/** One after the other: they change settings of the instance. */
describe('an address', () => {
  test('of a new account is confirmed by a link, which a look at its page does not use up, once', async () => {
    await set({ require_admin_approval_after_user_signup: false })
    assert.match((await scene.anonymous.get(address('/users/sign_up'))).body, /a mail with a link that confirms/)
    const made = await signUp({ username: 'nia', email: 'Nia@example.com' })
    assert.deepEqual([made.status, made.headers.location], [303, '/users/sign_in'])
    assert.match((await signIn('nia')).body, /You have to confirm your email address/)
    assert.equal((await account('nia')).confirmed_at, null)

    const link = await linkTo('nia@example.com')
    for (let look = 0; look < 2; look++) assert.match((await open(link)).body, /Nia@example\.com[\s\S]*@nia[\s\S]*Confirm the address/)
    assert.equal((await use(link)).status, 303)
    assert.notEqual((await account('nia')).confirmed_at, null)
    assert.equal((await signIn('nia')).status, 303)

    assert.equal((await use(link)).status, 422)
    assert.match((await open(link)).body, /was used before, or has ended/)
  })

  test('is confirmed by one of many who use its link at the same time', async () => {
    await signUp({ username: 'raced', email: 'raced@example.com' })
    const link = await linkTo('raced@example.com')
    const answers = await Promise.all(Array.from({ length: 6 }, () => use(link)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422, 422, 422, 422, 422])
  })

  test('that is another account’s is signed up with like any other, and its owner is notified', async () => {
    const owner = await scene.user()
    const [taken, free] = [
      await signUp({ username: 'squatter', email: owner.email }),
      await signUp({ username: 'plain', email: 'plain@example.com' }),
    ]
    assert.deepEqual(
      [taken.status, taken.headers.location, taken.headers['set-cookie'], taken.body],
      [free.status, free.headers.location, free.headers['set-cookie'], free.body],
    )
    const [mail, ...others] = await take(owner.email)
    assert.deepEqual([mail?.kind, others.length], ['address_in_use', 0])
    assert.doesNotMatch(mail?.text ?? '', /confirmation_token|squatter/)
    assert.equal((await scene.root.put(`/users/${(await account('squatter')).id}`, { skip_reconfirmation: true })).status, 409)
  })

  test('is asked about with the same answer, and the same work, for every address', async () => {
    await signUp({ username: 'waits', email: 'waits@example.com' })
    await take('waits@example.com')
    const confirmed = await scene.user()
    const blocked = await scene.user({ confirmed: false })
    await scene.root.post(`/users/${blocked.id}/block`)
    const addresses = ['waits@example.com', confirmed.email, blocked.email, 'nobody@example.com', "x'; --", 'a\r\nBcc: b@example.com']
    const answers = []
    for (const email of addresses) {
      const { status, headers, body } = await ask(email)
      answers.push(JSON.stringify([status, headers.location, headers['set-cookie'], body]))
    }
    assert.equal(new Set(answers).size, 1)
    assert.equal(await work('send_confirmation'), addresses.length)
    for (const email of addresses.slice(1)) assert.deepEqual(await take(email), [], email)
    assert.equal((await use(await linkTo('waits@example.com'))).status, 303)
  })

  test('gets five links an hour, of however many accounts', async () => {
    const email = 'flooded@example.com'
    for (let number = 0; number < 4; number++) await signUp({ username: `flood${number}`, email })
    for (let number = 0; number < 4; number++) await ask(email)
    await work('send_confirmation')
    assert.equal((await take(email)).length, 5)
    const person = await scene.user()
    let last = 201
    for (let number = 0; last === 201 && number < 40; number++)
      last = (await person.post('/user/emails', { email: `stranger${number}@example.com` })).status
    assert.equal(last, 429)
  })

  test('is nobody’s with a link that has ended, or that is of a blocked account', async () => {
    await signUp({ username: 'late', email: 'late@example.com' })
    const link = await linkTo('late@example.com')
    const { id } = await account('late')
    await scene.root.post(`/users/${id}/block`)
    assert.equal((await use(link)).status, 422)
    await scene.root.post(`/users/${id}/unblock`)
    await db.updateTable('email_confirmations').set({ expires_at: new Date() }).where('user_id', '=', id).execute()
    assert.equal((await use(link)).status, 422)
    for (const wrong of ['', '?confirmation_token=', `?confirmation_token=${'0'.repeat(64)}`])
      assert.ok([400, 422].includes((await use(`/users/confirmation${wrong}`)).status), wrong)
    assert.equal((await account('late')).confirmed_at, null)
  })

  test('of an account that an administrator makes is confirmed by a link where they say so', async () => {
    const made = { name: 'Given', username: 'given', email: 'given@example.com', password }
    assert.equal((await scene.root.post('/users', { ...made, skip_confirmation: false })).status, 201)
    assert.match((await signIn('given')).body, /You have to confirm/)
    assert.equal((await use(await linkTo('given@example.com'))).status, 303)
    assert.equal((await signIn('given')).status, 303)
  })

  test('that is added counts once its link was used, and takes what was sent to it', async () => {
    const [person, squatter] = [await scene.user(), await scene.user()]
    const { project, owner } = await scene.project()
    const email = 'second@example.com'
    await owner.post(`${project.url}/invitations`, { email, access_level: 30 })
    await take(email)
    await squatter.post('/user/emails', { email })
    const foreign = await linkTo(email)
    assert.equal((await person.post('/user/emails', { email })).body.confirmed_at, null)
    assert.equal((await person.get(project.url)).status, 404)

    assert.equal((await use(await linkTo(email))).status, 303)
    assert.notEqual((await person.get('/user/emails')).body[0].confirmed_at, null)
    assert.equal((await person.get(project.url)).status, 200)
    assert.equal((await use(foreign)).status, 422, 'the address is another account’s now')
    assert.deepEqual((await squatter.get('/user/emails')).body, [])
  })

  test('that is to become the primary one waits, and both addresses get a mail', async () => {
    const one = await surfer()
    const { person } = one
    const [before, email] = [person.email, 'moved@example.com']
    // Who has a token of the account could take it over, by a new password.
    assert.equal((await person.put('/user/email', { email })).status, 403)
    assert.equal((await change(one, email)).status, 303)
    assert.equal((await person.get('/user')).body.email, before)
    const [warning] = await take(before)
    assert.equal(warning?.kind, 'email_change_asked')
    assert.match(warning?.text ?? '', /^New address: moved@example\.com$/m)
    const link = await linkTo(email)
    assert.equal((await signIn(email)).status, 401)

    assert.equal((await use(link)).status, 303)
    assert.equal((await person.get('/user')).body.email, email)
    assert.deepEqual(
      (await take(before)).map(({ kind }) => kind),
      ['email_changed'],
    )
  })

  test('that was to become the primary one does not, once another is asked for', async () => {
    const moving = await surfer()
    const { person } = moving
    await change(moving, 'one@example.com')
    const one = await linkTo('one@example.com')
    await change(moving, 'two@example.com')
    assert.equal((await use(one)).status, 422)
    await change(moving, person.email)
    assert.equal((await use(await linkTo('two@example.com'))).status, 422)
    assert.equal((await person.get('/user')).body.email, person.email)
  })

  test('that an account has confirmed becomes its primary one immediately, and another account’s never does', async () => {
    const [one, other] = [await surfer(), await scene.user()]
    const { person } = one
    await scene.root.post(`/users/${person.id}/emails`, { email: 'mine@example.com', skip_confirmation: true })
    for (const email of ['mine@example.com', other.email]) {
      assert.equal((await change(one, email)).status, 303)
      assert.equal((await person.get('/user')).body.email, 'mine@example.com')
    }
    assert.deepEqual(
      (await take(other.email)).map(({ kind }) => kind),
      ['address_in_use'],
    )
  })

  test('of a domain that the instance does not take is no primary one, also where the lists change before it is confirmed', async () => {
    const one = await surfer()
    await change(one, 'ida@later.example')
    const link = await linkTo('ida@later.example')
    await set({ domain_denylist: '*.example', domain_denylist_enabled: true })
    assert.equal((await change(one, 'ida@now.example')).status, 422)
    assert.equal((await use(link)).status, 422)
    await set({ domain_denylist_enabled: false })
    assert.equal((await use(link)).status, 303, 'what was refused did not use the link up')
  })

  test('that an administrator changes waits where they say so, and takes effect immediately otherwise', async () => {
    const person = await scene.user()
    const path = `/users/${person.id}`
    const waits = await scene.root.put(path, { email: 'waiting@example.com', name: 'Renamed', skip_reconfirmation: false })
    assert.deepEqual([waits.body.email, waits.body.name], [person.email, 'Renamed'])
    assert.equal((await use(await linkTo('waiting@example.com'))).status, 303)
    assert.equal((await scene.root.put(path, { email: 'immediate@example.com' })).body.email, 'immediate@example.com')
  })

  test('that was invited by mail is confirmed by the link of the invitation', async () => {
    const { project, owner } = await scene.project()
    const email = 'invited@example.com'
    await owner.post(`${project.url}/invitations`, { email, access_level: 30 })
    const [mail] = await take(email)
    const secret = /\/-\/invites\/([0-9a-f]+)$/m.exec(mail?.text ?? '')?.[1] as string
    const page = await scene.anonymous.get(address(`/-/invites/${secret}`))
    assert.ok(page.body.includes(`/users/sign_up?email=${encodeURIComponent(email)}&amp;invitation=${secret}`))

    await signUp({ username: 'elsewhere', email: 'elsewhere@example.com' }, `?invitation=${secret}`)
    assert.equal((await account('elsewhere')).confirmed_at, null, 'another address than the invited one')
    assert.equal((await signUp({ username: 'invited', email }, `?invitation=${secret}`)).status, 303)
    assert.notEqual((await account('invited')).confirmed_at, null)
    assert.equal((await signIn('invited')).status, 303)
    assert.deepEqual(await take(email), [])
  })

  test('is confirmed beside the approval of an administrator, in either order', async () => {
    await set({ require_admin_approval_after_user_signup: true })
    for (const order of ['confirmed first', 'approved first'] as const) {
      const [username, email] = [order.replace(' ', '-'), `${order.replace(' ', '.')}@example.com`]
      await signUp({ username, email })
      const link = await linkTo(email)
      const { id } = await account(username)
      const approve = async () => assert.equal((await scene.root.post(`/users/${id}/approve`)).status, 201)
      if (order === 'confirmed first') {
        assert.equal((await use(link)).status, 303)
        assert.match((await signIn(username)).body, /waiting for the approval/)
        await approve()
        assert.deepEqual(
          (await take(email)).map(({ kind }) => kind),
          ['account_approved'],
        )
      } else {
        await approve()
        assert.match((await signIn(username)).body, /You have to confirm/)
        assert.equal((await use(await linkTo(email))).status, 303)
      }
      assert.equal((await signIn(username)).status, 303)
    }
  })

  test('is taken at its word where the instance says so', async () => {
    await set({ require_admin_approval_after_user_signup: false, send_user_confirmation_email: false })
    const owner = await scene.user()
    assert.equal((await signUp({ username: 'trusted', email: 'trusted@example.com' })).status, 303)
    assert.equal((await signIn('trusted')).status, 303)
    assert.equal((await signUp({ username: 'taken', email: owner.email })).status, 422)
  })
})
