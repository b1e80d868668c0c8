import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { outboxOf } from '../../identity/email_confirmations/scene.ts'

const scene = await openScene({ settings: { smtpUrl: 'smtp://127.0.0.1:1', externalUrl: 'https://git.example.com' } })
const { take } = outboxOf(scene)
const set = (settings: Record<string, unknown>) => scene.root.put('/application/settings', settings)
const many = 'Too many invitations in a day. Try again tomorrow.'

/** One after the other: they change settings of the instance. */
describe('invitations by mail', () => {
  test('of one user are so many in a day, also where some are taken back, or asked for at the same time', async () => {
    await set({ daily_invitations_per_user: 3 })
    const { project, owner } = await scene.project()
    const invite = (email: string) => owner.post(`${project.url}/invitations`, { email, access_level: 30 })
    assert.equal((await invite('one@example.com')).body.status, 'success')
    assert.equal((await owner.delete(`${project.url}/invitations/one@example.com`)).status, 204)

    const answers = await Promise.all([2, 3, 4, 5].map(number => invite(`number${number}@example.com`)))

    assert.deepEqual(answers.map(({ body }) => body.status).sort(), ['error', 'error', 'success', 'success'])
    const refused = await invite('six@example.com,seven@example.com')
    assert.deepEqual(refused.body, { status: 'error', message: { 'six@example.com': many, 'seven@example.com': many } })
    assert.deepEqual(await take('six@example.com'), [])
    const member = await scene.user()
    assert.equal((await invite(member.email)).body.status, 'success', 'who has an account gets no such mail')

    const other = await scene.project()
    const theirs = await other.owner.post(`${other.project.url}/invitations`, { email: 'eight@example.com', access_level: 30 })
    assert.equal(theirs.body.status, 'success')
  })

  test('of all users together are so many, and any number where the instance says so', async () => {
    const { project, owner } = await scene.project()
    const invite = (email: string) => owner.post(`${project.url}/invitations`, { email, access_level: 30 })
    await set({ daily_invitations_per_instance: 1 })
    assert.equal((await invite('nine@example.com')).body.message['nine@example.com'], many)
    await set({ daily_invitations_per_instance: 0, daily_invitations_per_user: 0 })
    assert.equal((await invite('nine@example.com')).body.status, 'success')
  })

  test('have links that end as the instance says, after which the address still becomes a member', async () => {
    const { project, owner } = await scene.project()
    const email = 'ten@example.com'
    await owner.post(`${project.url}/invitations`, { email, access_level: 30 })
    const [mail] = await take(email)
    const link = /(\/-\/invites\/[0-9a-f]+)$/m.exec(mail?.text ?? '')?.[1] as string
    const open = async () => (await scene.anonymous.get(`${scene.url}${link}`)).status
    assert.equal(await open(), 200)

    scene.setTime(new Date(Date.now() + 31 * 24 * 60 * 60 * 1000).toISOString())
    assert.equal(await open(), 404)
    assert.equal((await scene.anonymous.post(`${scene.url}${link}/decline`, new URLSearchParams())).status, 404)
    await set({ max_invitation_lifetime: null })
    assert.equal(await open(), 200)
    scene.setTime(undefined)
    await set({ max_invitation_lifetime: 30 })

    const person = await scene.user()
    await scene.root.post(`/users/${person.id}/emails`, { email, skip_confirmation: true })
    assert.equal((await person.get(project.url)).status, 200)
  })
})
