import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { TOKENS_PAGE } from './tokens_view.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('a user creates a token on the page, sees it once, uses it, and revokes it', async () => {
  const person = await surfer()

  // As browsers send the form: what stands before the boxes, too.
  const made = await person.submit(TOKENS_PAGE, [
    ['name', '<i>backup</i>'],
    ['scopes[]', ''],
    ['scopes[]', 'read_api'],
    ['expires_at', ''],
  ])

  assert.equal(made.status, 200)
  const secret = /is <code>([A-Za-z0-9_-]{20})<\/code>/.exec(made.body)?.[1] ?? assert.fail('the page shows the token')
  assert.match(made.body, /&lt;i&gt;backup&lt;\/i&gt;/)
  const self = await scene.as({ 'private-token': secret }).get('/personal_access_tokens/self')
  assert.deepEqual(self.body.scopes, ['read_api'])
  assert.equal(self.body.expires_at, null)
  const listed = await person.get(TOKENS_PAGE)
  assert.ok(!listed.body.includes(secret))
  assert.match(listed.body, new RegExp(`action="${TOKENS_PAGE}/${self.body.id}/revoke"`))

  const revoked = await person.submit(`${TOKENS_PAGE}/${self.body.id}/revoke`, {})
  assert.equal(revoked.status, 303)
  assert.equal((await scene.as({ 'private-token': secret }).get('/user')).status, 401)
  assert.ok(!(await person.get(TOKENS_PAGE)).body.includes(`/${self.body.id}/revoke`))
})

test('a token expires on an existing day only', async () => {
  const person = await surfer()
  assert.equal((await person.submit(TOKENS_PAGE, { name: 'n', 'scopes[]': 'api', expires_at: '2999-12-31' })).status, 200)
  const answer = await person.submit(TOKENS_PAGE, { name: 'n', 'scopes[]': 'api', expires_at: '2999-02-31' })
  assert.equal(answer.status, 422)
  assert.match(answer.body, /<input[^>]*name="expires_at"[^>]*aria-invalid="true"/)
})

test('a token without a scope is refused at the scopes, and what was typed stays', async () => {
  const person = await surfer()
  // Browsers send what stands before the boxes.
  const { status, body } = await person.submit(TOKENS_PAGE, { name: 'nightly backup', expires_at: '2999-12-31', 'scopes[]': '' })
  assert.equal(status, 422)
  assert.match(body, /No token was made/)
  assert.match(body, /What it may do must be given/)
  assert.match(body, /name="name"[^>]*value="nightly backup"/)
  assert.match(body, /name="expires_at"[^>]*value="2999-12-31"/)

  const unnamed = await person.submit(TOKENS_PAGE, { name: '', 'scopes[]': 'read_api', expires_at: '' })
  assert.equal(unnamed.status, 422)
  assert.match(unnamed.body, /<input type="checkbox"[^>]*value="read_api"[^>]*checked/)
})

test('tokens are neither created nor revoked without the CSRF token, nor by other users', async () => {
  const person = await surfer()
  const other = await surfer()
  const { id } = (await scene.as({ 'private-token': other.person.token }).get('/personal_access_tokens/self')).body

  const forged = await person.submit(TOKENS_PAGE, { name: 'n', 'scopes[]': 'api', authenticity_token: 'x' })
  assert.equal(forged.status, 403)
  assert.equal((await person.submit(`${TOKENS_PAGE}/${id}/revoke`, {})).status, 404)
  assert.equal((await scene.anonymous.get(`${scene.url}${TOKENS_PAGE}`)).status, 302)
})

test('a link proposes a name and scopes, which a program needs; nothing else of it is shown', async () => {
  const person = await surfer()
  const { status, body } = await person.get(`${TOKENS_PAGE}?name=A+%3Ccli%3E&scopes=api,+read_user,nothing`)
  assert.equal(status, 200)
  assert.match(body, /name="name"[^>]*value="A &lt;cli&gt;"/)
  for (const [scope, isTicked] of [
    ['api', true],
    ['read_user', true],
    ['sudo', false],
  ] as const)
    assert.equal(new RegExp(`<input type="checkbox"[^>]*value="${scope}"[^>]*checked`).test(body), isTicked, scope)
  assert.ok(!body.includes('nothing'))
})
