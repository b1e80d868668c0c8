/** What an administrator finds on the first page about accounts that wait. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene, password } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('an administrator finds on the first page that accounts wait for approval, until they have it; others do not', async () => {
  const admin = await surfer({ admin: true })
  const other = await surfer()
  const home = async (person: typeof admin) => (await person.get('/')).body
  assert.doesNotMatch(await home(admin), /for approval/)
  const account = { name: 'Nia New', username: 'nia', email: 'nia@example.com', password }

  await scene.anonymous.post(`${scene.url}/users/sign_up`, new URLSearchParams(account))

  assert.match(await home(admin), /1 account waits for approval\. <a href="\/admin\/users\?filter=waiting">/)
  assert.doesNotMatch(await home(other), /for approval/)
  const waiting = (await admin.get('/admin/users?filter=waiting')).body
  assert.match(waiting, /Nia New/)
  const [, id] = /\/admin\/users\/(\d+)\/approve/.exec(waiting) ?? assert.fail('the account can be approved')
  await admin.submit(`/admin/users/${id}/approve`, {})
  assert.doesNotMatch(await home(admin), /for approval/)
})
