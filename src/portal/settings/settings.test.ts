import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { parseGpgKey } from '../../identity/gpg_keys/parse.ts'
import { newGpgKey } from '../../identity/gpg_keys/scene.ts'
import { oauthScene, password } from '../../identity/oauth/scene.ts'
import { formWith, png } from '../../spaces/uploads/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f laptop'

test('the pages are one’s own, and for signed-in people', async () => {
  const person = await surfer()
  for (const page of ['', '/password/edit', '/emails', '/keys', '/gpg_keys', '/applications', '/active_sessions', '/preferences']) {
    assert.equal((await person.get(`/-/profile${page}`)).status, 200, page)
    assert.equal((await scene.anonymous.get(`${scene.url}/-/profile${page}`)).status, 302, page)
  }
  assert.equal((await person.get('/dashboard/todos')).status, 200)
})

test('a profile is changed, by the page and by the API, and nothing that is the administrators’', async () => {
  const person = await surfer()
  assert.equal(
    (
      await person.submit('/-/profile', {
        name: 'New <Name>',
        bio: 'Builds lanterns',
        website_url: 'https://example.com',
        private_profile: 'false',
        admin: 'true',
      })
    ).status,
    303,
  )
  const { body: user } = await scene.root.get(`/users/${person.person.id}`)
  assert.deepEqual([user.name, user.bio, user.website_url, user.is_admin], ['New <Name>', 'Builds lanterns', 'https://example.com', false])
  assert.match((await person.get('/-/profile')).body, /value="New &lt;Name&gt;"/)

  const refused = await person.submit('/-/profile', { name: 'X', website_url: 'javascript:alert(1)' })
  assert.equal(refused.status, 422)
  assert.match(refused.body, /Website must be a valid http or https URL/)
  const api = await scene.as({ 'private-token': person.person.token }).put('/user', { bio: 'By the API', admin: true, username: 'other' })
  assert.deepEqual([api.status, api.body.bio, api.body.username], [200, 'By the API', person.person.username])
})

test('a picture is removed by the button beside it, which is there where a picture is', async () => {
  const person = await surfer()
  const without = (await person.get('/-/profile')).body
  assert.equal((await person.person.put('/user/avatar', formWith('avatar', 'lamp.png', png(8)))).status, 200)
  assert.match((await person.get('/-/profile')).body, /Remove the picture/)
  const removed = await person.submit('/-/profile/picture/delete', {})

  assert.doesNotMatch(without, /Remove the picture/)
  assert.equal(removed.headers.location, '/-/profile')
  assert.equal((await scene.root.get(`/users/${person.person.id}`)).body.avatar_url, null)
})

test('a password is changed by who knows it, and all sessions end', async () => {
  const person = await surfer()
  const wrong = await person.submit('/-/profile/password/edit', { current_password: 'not it', password: 'a wholly new phrase' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /Current password is wrong/)
  assert.ok(!wrong.body.includes('a wholly new phrase'))

  assert.equal(
    (await person.submit('/-/profile/password/edit', { current_password: password, password: 'a wholly new phrase' })).status,
    303,
  )
  assert.equal((await person.get('/-/profile')).status, 302)
})

test('a key is added and removed, and a wrong one is refused at its field', async () => {
  const person = await surfer()
  const wrong = await person.submit('/-/profile/keys/new', { title: 'Laptop', key: 'not a key' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, />\nnot a key<\/textarea>/)

  assert.equal((await person.submit('/-/profile/keys/new', { title: 'Laptop', key: KEY })).status, 303)
  const { body } = await person.get('/-/profile/keys')
  const [, id] = /\/-\/profile\/keys\/(\d+)\/remove/.exec(body) ?? []
  assert.match(body, /Laptop/)
  assert.equal((await (await surfer()).submit(`/-/profile/keys/${id}/remove`, {})).status, 404)
  assert.equal((await person.submit(`/-/profile/keys/${id}/remove`, {})).status, 303)
  assert.ok(!(await person.get('/-/profile/keys')).body.includes('Laptop'))
})

test('another session is signed out, one’s own is marked, and others’ are not found', async () => {
  const person = await surfer()
  const { body } = await person.get('/-/profile/active_sessions')
  assert.match(body, /This one/)
  const { id } = await scene.deps.database.db
    .insertInto('sessions')
    .values({
      digest: `other-${person.person.id}`,
      user_id: person.person.id,
      user_agent: 'Other browser',
      expires_at: new Date(Date.now() + 60_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  assert.equal((await (await surfer()).submit(`/-/profile/active_sessions/${id}/end`, {})).status, 404)
  assert.equal((await person.submit(`/-/profile/active_sessions/${id}/end`, {})).status, 303)
  assert.ok(!(await person.get('/-/profile/active_sessions')).body.includes('Other browser'))
})

test('administrators learn on their sessions how places of addresses are known, and nobody else', async () => {
  const says = async (admin: boolean) =>
    (await (await surfer({ admin })).get('/-/profile/active_sessions')).body.includes('INGOT_PLACES_FILE')
  assert.deepEqual([await says(true), await says(false)], [true, false])
})

test('one button signs out all other sessions of one’s own, and is shown where there are some', async () => {
  const [person, another] = [await surfer(), await surfer()]
  const others = '/-/profile/active_sessions/end_others'
  assert.ok(!(await person.get('/-/profile/active_sessions')).body.includes(others))
  const expires_at = new Date(Date.now() + 60_000)
  const ids = [person, person, another].map(({ person: { id } }) => id)
  const sessions = ids.map((user_id, nth) => ({ digest: `further-${nth}-${user_id}`, user_id, expires_at }))
  await scene.deps.database.db.insertInto('sessions').values(sessions).execute()

  assert.match((await person.get('/-/profile/active_sessions')).body, /Sign out all others/)
  const ended = await person.submit(others, {})
  assert.equal(ended.status, 303)
  const { body } = await person.get('/-/profile/active_sessions')
  assert.match(body, /This one/)
  assert.ok(!body.includes('/end"'))
  assert.ok((await another.get('/-/profile/active_sessions')).body.includes('/end"'), 'those of others go on')
})

test('to-do items are listed, narrowed and done', async () => {
  const person = await surfer()
  const { project } = await scene.project({ visibility: 'public' })
  await scene.root.post(`${project.url}/members`, { user_id: person.person.id, access_level: 30 })
  await scene.root.post(`${project.url}/issues`, { title: 'Mend <the> lamp', assignee_ids: [person.person.id] })

  const { body } = await person.get('/dashboard/todos')
  assert.match(body, /Mend &lt;the&gt; lamp/)
  assert.match((await person.get('/dashboard/todos', { type: 'MergeRequest' })).body, /Nothing to do/)
  const [, id] = /\/dashboard\/todos\/(\d+)\/done/.exec(body) ?? []
  assert.equal((await person.submit(`/dashboard/todos/${id}/done`, {})).status, 303)
  assert.match((await person.get('/dashboard/todos', { state: 'done' })).body, /Mend &lt;the&gt; lamp/)
})

test('colours are chosen without a script', async () => {
  const person = await surfer()
  const saved = await person.submit('/-/profile/preferences', { theme: 'dark-contrast' })
  assert.equal(saved.headers['set-cookie'], 'theme=dark-contrast; Path=/; Max-Age=31536000; SameSite=Lax')
  assert.equal((await person.submit('/-/profile/preferences', { theme: 'x"; Path=/' })).status, 400)
})

test('a GPG key is listed with whose it is and with its fingerprint', async () => {
  const person = await surfer()
  const key = newGpgKey('<b>Me</b> <me@example.com>')
  assert.equal((await person.submit('/-/profile/gpg_keys/new', { key })).status, 303)
  const { body } = await person.get('/-/profile/gpg_keys')
  assert.match(body, /<div class="title break">&lt;b&gt;Me&lt;\/b&gt; &lt;me@example\.com&gt;<\/div>/)
  const fingerprint = parseGpgKey(key)?.fingerprint.toUpperCase() ?? ''
  assert.ok(body.replaceAll(' ', '').includes(fingerprint), fingerprint)
  // The button of a screen reader says which key goes.
  assert.match(body, /aria-label="Remove[^"]*&lt;b&gt;Me/)
})
