/** Invitations API of the v4 level 14.0, for groups and projects. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { contentOf } from '../../platform/mail/outbox.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

let invited = 0
const address = () => `invited.${++invited}@elsewhere.example.com`

async function places() {
  const { group, owner } = await scene.group()
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  return { group: { ...group, manager: owner }, project: { ...project, manager: maintainer } }
}

for (const noun of ['group', 'project'] as const)
  describe(`an invitation to a ${noun}`, () => {
    test('makes an existing user a member immediately', async () => {
      const { url, manager } = (await places())[noun]
      const person = await scene.user()

      const answer = await manager.post(`${url}/invitations`, {
        email: person.email.toUpperCase(),
        access_level: 30,
        expires_at: '2999-01-01',
      })

      assert.deepEqual(answer, { status: 201, body: { status: 'success' } })
      const member = await manager.get(`${url}/members/${person.id}`)
      assert.deepEqual([member.body.access_level, member.body.expires_at], [30, '2999-01-01'])
      assert.deepEqual((await manager.get(`${url}/invitations`)).body, [])
    })

    test('of an unknown address is stored, and becomes a membership with the account', async () => {
      const { url, manager } = (await places())[noun]
      const email = address()
      await manager.post(`${url}/invitations`, { email, access_level: 20 })

      const [row] = (await manager.get(`${url}/invitations`)).body
      assert.deepEqual(
        [row.invite_email, row.access_level, row.expires_at, row.user_name, row.created_by_name],
        [email, 20, null, null, manager.name],
      )

      const person = await scene.user({ email: email.toUpperCase() })

      assert.equal((await manager.get(`${url}/members/${person.id}`)).body.access_level, 20)
      assert.deepEqual((await manager.get(`${url}/invitations`)).body, [])
    })

    test('reports the problem of each address, and invites the others', async () => {
      const { url, manager } = (await places())[noun]
      const [fresh, taken, member] = [address(), address(), await scene.user()]
      await manager.post(`${url}/members`, { user_id: member.id, access_level: 10 })
      await manager.post(`${url}/invitations`, { email: taken, access_level: 10 })

      const answer = await manager.post(`${url}/invitations`, { email: `${fresh},${taken},${member.email},nobody`, access_level: 10 })

      assert.deepEqual(answer, {
        status: 201,
        body: {
          status: 'error',
          message: {
            [taken]: 'Invite email has already been taken',
            [member.email]: 'User already exists in source',
            nobody: 'Invite email is invalid',
          },
        },
      })
      assert.deepEqual(
        (await manager.get(`${url}/invitations?query=${fresh}`)).body.map((row: { invite_email: string }) => row.invite_email),
        [fresh],
      )
    })

    test('is changed and withdrawn', async () => {
      const { url, manager } = (await places())[noun]
      const email = address()
      await manager.post(`${url}/invitations`, { email, access_level: 10 })
      const one = `${url}/invitations/${encodeURIComponent(email.toUpperCase())}`

      assert.deepEqual(await manager.put(one, { access_level: 30 }), { status: 200, body: { access_level: 30, expires_at: null } })
      assert.deepEqual((await manager.put(one, { expires_at: '2999-05-01' })).body, { access_level: 30, expires_at: '2999-05-01' })
      assert.equal((await manager.delete(one)).status, 204)
      assert.deepEqual(await manager.delete(one), { status: 404, body: { message: '404 Invitation Not Found' } })

      const person = await scene.user({ email })
      assert.equal((await manager.get(`${url}/members/${person.id}`)).status, 404)
    })

    test('gives nothing after its expiry', async () => {
      const { url, manager } = (await places())[noun]
      const email = address()
      await manager.post(`${url}/invitations`, { email, access_level: 10, expires_at: '2999-05-01' })
      const today = new Date().toISOString().slice(0, 10)
      await scene.deps.database.db.updateTable('invitations').set({ expires_at: today }).where('email', '=', email).execute()

      const person = await scene.user({ email })

      assert.equal((await manager.get(`${url}/members/${person.id}`)).status, 404)
    })

    test('with a day in the past is refused', async () => {
      const { url, manager } = (await places())[noun]

      const answer = await manager.post(`${url}/invitations`, { email: address(), access_level: 10, expires_at: '2001-01-01' })

      assert.deepEqual(answer, { status: 400, body: { message: { expires_at: ['cannot be a date in the past'] } } })
    })
  })

test('no user invites with more than their own level', async () => {
  const { project, maintainer, developer } = await scene.project({ members: ['maintainer', 'developer'] })

  assert.equal((await developer.post(`${project.url}/invitations`, { email: address(), access_level: 10 })).status, 403)
  assert.equal((await maintainer.post(`${project.url}/invitations`, { email: address(), access_level: 40 })).status, 201)
  assert.equal((await maintainer.post(`${project.url}/invitations`, { email: address(), access_level: 50 })).status, 400)
})

test('an unconfirmed address stays invited until it is confirmed', async () => {
  const { project, owner } = await scene.project()
  const email = address()
  await owner.post(`${project.url}/invitations`, { email, access_level: 20 })
  const person = await scene.user()
  await person.post('/user/emails', { email })
  assert.equal((await owner.get(`${project.url}/members/${person.id}`)).status, 404)

  const another = address()
  await owner.post(`${project.url}/invitations`, { email: another, access_level: 20 })
  await scene.root.post(`/users/${person.id}/emails`, { email: another, skip_confirmation: true })

  assert.equal((await owner.get(`${project.url}/members/${person.id}`)).body.access_level, 20)
})

test('a newly confirmed address of an account accepts its invitation', async () => {
  const { project, owner } = await scene.project()
  const [email, person] = [address(), await scene.user()]
  await owner.post(`${project.url}/invitations`, { email, access_level: 30 })

  await scene.root.put(`/users/${person.id}`, { email })

  assert.equal((await owner.get(`${project.url}/members/${person.id}`)).body.access_level, 30)
})

test('an invitation by an account that was blocked since gives nothing', async () => {
  const { project, maintainer } = await scene.project({ members: ['maintainer'] })
  const [email, person] = [address(), await scene.user()]
  await maintainer.post(`${project.url}/invitations`, { email, access_level: 30 })
  await scene.root.post(`/users/${maintainer.id}/block`)

  await scene.root.put(`/users/${person.id}`, { email })

  assert.equal((await scene.root.get(`${project.url}/members/${person.id}`)).status, 404)
})

test('an invitation below the inherited level is refused with the reason', async () => {
  const { group, developer } = await scene.group({ members: ['developer'] })
  const { project } = await scene.project({ group })

  const answer = await scene.root.post(`${project.url}/invitations`, { email: developer.email, access_level: 10 })

  assert.equal(answer.body.status, 'error')
  assert.match(answer.body.message[developer.email], /inherited membership from group/)
})

describe('the link of an invitation', () => {
  const page = (path: string) => `${scene.url}${path}`

  /** The mail to an address, as it is kept where none is sent. */
  async function mailTo(email: string) {
    const { db } = scene.deps.database
    const row = await db.selectFrom('mails').selectAll().where('recipient', '=', email).executeTakeFirstOrThrow()
    const { text } = contentOf(row, scene.deps.secrets)
    const path = /\/-\/invites\/[0-9a-f]{64}$/m.exec(text)?.[0] as string
    return { subject: row.subject, text, path }
  }

  test('shows who invites, and makes the caller a member by whatever account, once', async () => {
    const { project, maintainer } = await scene.project({ members: ['maintainer'] })
    const email = address()
    assert.deepEqual(await maintainer.post(`${project.url}/invitations`, { email, access_level: 30 }), {
      status: 201,
      body: { status: 'success' },
    })
    const { subject, text, path } = await mailTo(email)
    assert.equal(subject, `Invitation to ${project.full_path}`)
    assert.match(
      text,
      new RegExp(`Invited by: ${maintainer.name} \\(@${maintainer.username}\\)\nTo: ${project.full_path}\nRole: Developer`),
    )

    const { body } = await scene.anonymous.get(page(path))
    assert.match(body, new RegExp(`/users/sign_up\\?email=${encodeURIComponent(email)}`))
    assert.match(body, new RegExp(`/users/sign_in\\?redirect=${encodeURIComponent(path)}`))
    assert.match(
      (await scene.anonymous.get(page(`/users/sign_up?email=${encodeURIComponent(email)}`))).body,
      new RegExp(`value="${email}"`),
    )
    const [one, other] = [await surfer(), await surfer()]
    assert.match((await one.get(path)).body, new RegExp(`as <strong>@${one.person.username}`))
    const raced = await Promise.all([one.submit(`${path}/accept`, {}), other.submit(`${path}/accept`, {})])

    assert.deepEqual(raced.map(({ status }) => status).sort(), [303, 404])
    const members = (await maintainer.get(`${project.url}/members`)).body.map(({ id }: { id: number }) => id)
    assert.equal([one, other].filter(({ person }) => members.includes(person.id)).length, 1)
    assert.equal((await one.get(path)).status, 404)
  })

  test('is of no use once it was declined, taken back, or has ended', async () => {
    const { group, owner } = await scene.group()
    const link = async (terms: Record<string, unknown> = {}) => {
      const email = address()
      await owner.post(`${group.url}/invitations`, { email, access_level: 20, ...terms })
      return { email, ...(await mailTo(email)) }
    }
    const [declined, taken, ended] = [await link(), await link(), await link({ expires_at: '2999-01-01' })]
    assert.equal((await scene.anonymous.post(page(`${declined.path}/decline`))).status, 303)
    assert.equal((await owner.delete(`${group.url}/invitations/${taken.email}`)).status, 204)
    await scene.deps.database.db.updateTable('invitations').set({ expires_at: '2020-01-01' }).where('email', '=', ended.email).execute()
    const person = await surfer()

    for (const [{ path }, status] of [
      [declined, 404],
      [taken, 404],
      [ended, 409],
      [{ path: '/-/invites/0' }, 404],
    ] as const)
      assert.equal((await person.submit(`${path}/accept`, {})).status, status, path)
    assert.equal((await scene.anonymous.post(page(`${ended.path}/accept`))).status, 302, 'an account is needed')
    assert.equal((await person.person.get(group.url)).status, 404)
  })

  test('carries names as they are, and no more', async () => {
    const { group, owner } = await scene.group()
    await scene.root.put(`/users/${owner.id}`, { name: 'Ida\r\nBcc: all@example.com\u202e' })
    const email = address()
    await owner.post(`${group.url}/invitations`, { email, access_level: 20 })
    assert.match((await mailTo(email)).text, /^Invited by: Ida Bcc: all@example\.com \(@/m)
  })
})
