import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { outboxOf } from '../email_confirmations/scene.ts'
import { password } from '../oauth/scene.ts'

const scene = await openScene({ settings: { smtpUrl: 'smtp://127.0.0.1:1', externalUrl: 'https://git.example.com' } })
const { take } = outboxOf(scene)
const signUp = (username: string) =>
  scene.anonymous.post(
    `${scene.url}/users/sign_up`,
    new URLSearchParams({ name: 'Nia New', username, email: `${username}@example.com`, password }),
  )
const account = async (username: string) => (await scene.root.get('/users', { username })).body[0]
const kindsTo = async (email: string) => (await take(email)).map(({ kind }) => kind)

/** One after the other: all of their requests are mailed to the same administrators. */
describe('an account that waits for approval', () => {
  test('is mailed to the administrators who are active, once its address is confirmed', async () => {
    const [second, blocked, person] = [await scene.user({ admin: true }), await scene.user({ admin: true }), await scene.user()]
    await scene.root.post(`/users/${blocked.id}/block`)
    await take(second.email)
    await signUp('nia')
    assert.deepEqual(await kindsTo(second.email), [])
    const [mail] = await take('nia@example.com')
    const link = /(\/users\/confirmation\?\S+)$/m.exec(mail?.text ?? '')?.[1] as string
    assert.equal((await scene.anonymous.post(`${scene.url}${link}`, new URLSearchParams())).status, 303)

    for (const { email } of [scene.root, second]) {
      const [asked, ...others] = await take(email)
      assert.deepEqual([asked?.kind, others.length], ['approval_asked', 0], email)
      assert.match(asked?.text ?? '', /^Username: nia$/m)
      assert.match(asked?.text ?? '', /^https:\/\/git\.example\.com\/admin\/users\?filter=waiting$/m)
    }
    for (const { email } of [blocked, person]) assert.deepEqual(await kindsTo(email), [], email)

    await scene.root.put('/application/settings', { send_user_confirmation_email: false })
    await signUp('nora')
    assert.deepEqual(await kindsTo(second.email), ['approval_asked'])
  })

  test('is refused: it is gone, its name is free, and its address gets a mail', async () => {
    await signUp('rita')
    await take('rita@example.com')
    const { id } = await account('rita')
    const person = await scene.user()
    assert.equal((await person.post(`/users/${id}/reject`)).status, 403)

    assert.deepEqual(await scene.root.post(`/users/${id}/reject`), { status: 201, body: { message: 'Success' } })
    assert.equal(await account('rita'), undefined)
    assert.deepEqual(await kindsTo('rita@example.com'), ['account_refused'])
    assert.equal((await scene.root.post(`/users/${id}/reject`)).status, 404)
    assert.equal((await signUp('rita')).status, 303)
  })

  test('is approved or refused by one of two administrators, and one that does not wait by none', async () => {
    await signUp('raced')
    const { id } = await account('raced')
    const answers = await Promise.all([scene.root.post(`/users/${id}/approve`), scene.root.post(`/users/${id}/reject`)])
    assert.equal(answers.filter(({ status }) => status === 201).length, 1, JSON.stringify(answers))
    const person = await scene.user()
    assert.deepEqual(await scene.root.post(`/users/${person.id}/reject`), {
      status: 409,
      body: { message: 'User does not have a pending request' },
    })
    assert.equal((await person.get('/user')).status, 200)
  })
})
