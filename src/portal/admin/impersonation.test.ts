/** An administrator acts as another user in the browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene, type Scene } from '../../../test/scene.ts'
import { oauthScene, type Surfer } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const without = await openScene({ settings: { impersonationEnabled: 'false' } })
const { surfer, app, authorize } = oauthScene(scene)

/** Submits a form with the token of the page that is shown now: it differs once the session acts as another user. */
async function submit(by: Surfer, path: string, fields: Record<string, string> = {}, within: Scene = scene) {
  const { body } = await by.client.get(`${within.url}/explore`)
  const authenticity_token = /<meta name="csrf-token" content="([^"]+)">/.exec(body)?.[1] as string
  return by.client.post(within.url + path, new URLSearchParams({ authenticity_token, ...fields }))
}

const actAs = (admin: Surfer, id: number) => submit(admin, `/admin/users/${id}/impersonate`)

/** Who the pages say one is. */
const seenAs = async (by: Surfer): Promise<string | undefined> => /Menu of ([^"]+)"/.exec((await by.get('/explore')).body)?.[1]

async function acting() {
  const [admin, other] = [await surfer({ admin: true }), await surfer()]
  assert.equal((await actAs(admin, other.person.id)).status, 303)
  return { admin, other }
}

test('an administrator acts as a user from their page, sees so on all pages, and stops', async () => {
  const [admin, other] = [await surfer({ admin: true }), await surfer()]
  const { id, username, name } = other.person
  const shown = (await admin.get(`/admin/users/${username}`)).body
  assert.match(shown, new RegExp(`action="/admin/users/${id}/impersonate"`))

  const begun = await actAs(admin, id)

  assert.deepEqual([begun.status, begun.headers.location], [303, '/'])
  assert.equal(await seenAs(admin), name)
  for (const path of ['/', '/explore', '/-/profile', '/nothing/is/here'])
    assert.match((await admin.get(path)).body, new RegExp(`You act as <strong>${name}</strong>`), path)
  assert.equal((await admin.get('/admin')).status, 404, 'the user is no administrator')
  assert.doesNotMatch((await other.get('/')).body, /You act as/, 'the user has a session of their own')

  const stopped = await submit(admin, '/users/impersonation/stop')
  assert.deepEqual([stopped.status, stopped.headers.location], [303, `/admin/users/${username}`])
  assert.equal(await seenAs(admin), admin.person.name)
  assert.doesNotMatch((await admin.get('/')).body, /You act as/)
  assert.equal((await submit(admin, '/users/impersonation/stop')).status, 403, 'there is nothing to stop')
})

test('what is done is recorded under the name of the administrator', async () => {
  const { admin, other } = await acting()
  const made = await submit(admin, '/groups/new', {
    name: `Made ${other.person.id}`,
    path: `made-${other.person.id}`,
    visibility: 'private',
  })
  assert.equal(made.status, 303, made.body)
  assert.equal((await submit(admin, '/users/impersonation/stop')).status, 303)

  const { body } = await scene.root.get('/audit_events', { entity_type: 'User', entity_id: other.person.id, per_page: 100 })
  const said = body
    .filter((entry: { author_id: number }) => entry.author_id === admin.person.id)
    .map(({ details }: { details: { custom_message?: string } }) => details.custom_message)
  for (const words of ['Started Impersonation', 'By impersonation: POST /groups/new', 'Stopped Impersonation'])
    assert.ok(said.includes(words), `${words} is among ${said.join('; ')}`)
  assert.ok(!said.some((words?: string) => words?.includes('sudo')))
  assert.match((await admin.get(`/admin/users/${other.person.username}`)).body, /Started Impersonation/)
})

test('what an administrator does is no activity and no sign-in of the user', async () => {
  const { admin, other } = await acting()
  const { db } = scene.deps.database
  await db.updateTable('users').set({ last_activity_on: '2020-01-01' }).where('id', '=', other.person.id).execute()

  await admin.get('/')

  const row = await db
    .selectFrom('users')
    .select(['last_activity_on', 'sign_in_count'])
    .where('id', '=', other.person.id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(row, { last_activity_on: '2020-01-01', sign_in_count: 1 })
  assert.doesNotMatch((await other.get('/-/profile/active_sessions')).body, /active_sessions\/\d+\/end/, 'no session of theirs was added')
})

describe('it is refused', () => {
  test('for oneself, for bots, and for accounts that are not active', async () => {
    const admin = await surfer({ admin: true })
    assert.match((await actAs(admin, admin.person.id)).body, /You cannot impersonate yourself/)
    assert.doesNotMatch((await admin.get(`/admin/users/${admin.person.username}`)).body, /Impersonate/)

    const cases = [
      ['block', 'blocked', 'You cannot impersonate a blocked user'],
      ['ban', 'banned', 'You cannot impersonate a blocked user'],
      ['deactivate', 'deactivated', 'You cannot impersonate a user who cannot log in'],
    ] as const
    for (const [move, state, words] of cases) {
      const person = await scene.user()
      await scene.deps.database.db.updateTable('users').set({ last_activity_on: '2020-01-01' }).where('id', '=', person.id).execute()
      await scene.root.post(`/users/${person.id}/${move}`)
      assert.equal((await scene.root.get(`/users/${person.id}`)).body.state, state)
      const answer = await actAs(admin, person.id)
      assert.equal(answer.status, 403, state)
      assert.match(answer.body, new RegExp(words))
    }
    const { project, owner } = await scene.project()
    await owner.post(`${project.url}/access_tokens`, { name: 'bot', scopes: ['api'], expires_at: '2999-01-01' })
    const bot = await scene.deps.database.db
      .selectFrom('users')
      .select('id')
      .where('kind', '=', 'project_bot')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.match((await actAs(admin, bot.id)).body, /You cannot impersonate an internal user/)
    assert.equal(await seenAs(admin), admin.person.name)
  })

  test('to people who are no administrators, and without a session', async () => {
    const [person, other] = [await surfer(), await scene.user()]
    assert.equal((await actAs(person, other.id)).status, 403)
    assert.equal(await seenAs(person), person.person.name)
    const token = await scene.root.post(`${scene.url}/admin/users/${other.id}/impersonate`, {})
    assert.equal(token.status, 302, 'pages know sessions alone')
  })

  test('where the instance switches it off; what had begun ends then', async () => {
    const there = oauthScene(without)
    const [admin, other] = [await there.surfer({ admin: true }), await without.user()]

    const answer = await submit(admin, `/admin/users/${other.id}/impersonate`, {}, without)

    assert.equal(answer.status, 403)
    assert.match(answer.body, /Impersonation is disabled/)
    await without.deps.database.db.updateTable('sessions').set({ acting_as_id: other.id }).where('user_id', '=', admin.person.id).execute()
    assert.equal(await seenAs(admin), admin.person.name)
  })

  test('while one acts as another administrator, who is a user like others', async () => {
    const [admin, second, third] = [await surfer({ admin: true }), await surfer({ admin: true }), await surfer()]
    assert.equal((await actAs(admin, second.person.id)).status, 303)
    assert.equal((await admin.get('/admin')).status, 200)

    for (const id of [third.person.id, admin.person.id]) {
      const answer = await actAs(admin, id)
      assert.equal(answer.status, 403)
      assert.match(answer.body, /You are already impersonating another user/)
    }
    assert.equal(await seenAs(admin), second.person.name)
  })
})

describe('it ends', () => {
  test('when the administrator is none any more: the session is their own again, and stays it', async () => {
    const { admin } = await acting()
    await scene.root.put(`/users/${admin.person.id}`, { admin: false })

    assert.equal(await seenAs(admin), admin.person.name)
    assert.equal((await admin.get('/admin')).status, 404)
    await scene.root.put(`/users/${admin.person.id}`, { admin: true })
    assert.equal(await seenAs(admin), admin.person.name)
  })

  test('when the administrator is blocked, or signed out', async () => {
    const { admin } = await acting()
    await scene.root.post(`/users/${admin.person.id}/block`)
    assert.equal(await seenAs(admin), undefined)

    const { admin: another } = await acting()
    assert.equal((await submit(another, '/users/sign_out')).status, 303)
    assert.equal(await seenAs(another), undefined)
  })

  test('when the user is blocked, and does not begin again when they are not', async () => {
    const { admin, other } = await acting()
    await scene.root.post(`/users/${other.person.id}/block`)
    assert.equal(await seenAs(admin), admin.person.name)
    await scene.root.post(`/users/${other.person.id}/unblock`)
    assert.equal(await seenAs(admin), admin.person.name)
  })
})

describe('nothing that goes on afterwards', () => {
  test('is made: no token, key, address or password, and no access for applications', async () => {
    const { admin, other } = await acting()
    const byToken = scene.as({ 'private-token': other.person.token })
    const { body: token } = await byToken.get('/personal_access_tokens/self')

    const refused: [path: string, fields: Record<string, string>][] = [
      ['/-/profile/personal_access_tokens', { name: 'mine now', 'scopes[]': 'api' }],
      ['/-/profile/keys/new', { title: 'mine', key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILQxlm2sZBTrLZXtnyBQiQj0ZLwsAgLqwbnaHCv9Wvhm' }],
      ['/-/profile/password/edit', { current_password: 'a very long pass phrase', password: 'another long pass phrase' }],
    ]
    for (const [path, fields] of refused) {
      const answer = await submit(admin, path, fields)
      assert.equal(answer.status, 403, `${path}: ${answer.status}`)
    }
    const csrf = /csrf-token" content="([^"]+)"/.exec((await admin.get('/explore')).body)?.[1] as string
    const rotated = await admin.client.post(`/personal_access_tokens/${token.id}/rotate`, {}, { 'x-csrf-token': csrf })
    assert.equal(rotated.status, 403, JSON.stringify(rotated.body))
    assert.equal((await byToken.get('/user')).status, 200)

    const application = await app()
    const granted = await submit(admin, '/oauth/authorize', {
      client_id: application.client_id,
      redirect_uri: 'https://client.example.com/callback',
      response_type: 'code',
      decision: 'allow',
    })
    assert.equal(granted.status, 403)
    assert.ok((await authorize(other, application)).get('code'), 'the user themselves gives access')
  })
})

test('a form of a page from before does not act as the other user, nor one of theirs as the administrator', async () => {
  const { admin, other } = await acting()
  const path = `old-${other.person.id}`

  // `submit` of the scene sends the token that the administrator had before.
  const answer = await admin.submit('/groups/new', { name: path, path, visibility: 'private' })

  assert.equal(answer.status, 403)
  assert.match(answer.body, /too old/)
  assert.equal((await scene.root.get(`/groups/${path}`)).status, 404)
})
