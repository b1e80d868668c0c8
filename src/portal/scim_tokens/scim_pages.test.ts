/** The SCIM of a group in its settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

test('SCIM is turned on with a token that is shown once, gets a new one, and is turned off', async () => {
  const owner = await surfer({ admin: true })
  const { group } = await scene.group({ owner: owner.person })
  const page = `/groups/${group.full_path}/-/settings/scim`
  const ask = (token: string) =>
    scene.as({ authorization: `Bearer ${token}` }).get(`${scene.url}/api/scim/v2/groups/${group.full_path}/Users`)
  const tokenIn = (body: string) => /is <code>([^<]+)<\/code>/.exec(body)?.[1] ?? assert.fail('the page shows the token')
  assert.match((await owner.get(page)).body, /SCIM is off/)

  const made = await owner.submit(`${page}/token`, { default_membership_role: '20' })

  const token = tokenIn(made.body)
  assert.ok(made.body.includes(`value="${scene.url}/api/scim/v2/groups/${group.full_path}"`))
  assert.equal((await ask(token)).status, 200)
  const shown = (await owner.get(page)).body
  assert.match(shown, /Reporter/)
  assert.ok(!shown.includes(token))
  const renewed = tokenIn((await owner.submit(`${page}/token`, { default_membership_role: '20' })).body)
  assert.deepEqual([(await ask(token)).status, (await ask(renewed)).status], [401, 200])
  assert.equal((await owner.submit(`${page}/remove`, {})).status, 303)
  assert.equal((await ask(renewed)).status, 401)
})

test('the page is for owners; a subgroup says where SCIM is turned on', async () => {
  const owner = await surfer()
  const stranger = await surfer()
  const { group } = await scene.group({ owner: owner.person, visibility: 'public' })
  const { group: below } = await scene.group({ owner: owner.person, parent: group })
  assert.match((await owner.get(`/groups/${below.full_path}/-/settings/scim`)).body, /for a top-level group/)
  assert.equal((await stranger.get(`/groups/${group.full_path}/-/settings/scim`)).status, 403)
})

test('owners are offered to turn SCIM on where the instance lets them; elsewhere they read who can', async () => {
  const owner = await surfer()
  const { group } = await scene.group({ owner: owner.person })
  const page = `/groups/${group.full_path}/-/settings/scim`
  const offer = 'settings/scim/token">Turn on</a>'
  const before = (await owner.get(page)).body
  assert.match(before, /An administrator has to turn on the SCIM of this group\./)
  assert.ok(!before.includes(offer))
  const set = (who: string) => scene.root.put('/application/settings', { scim_provisioning: who })

  await set('owners')

  const allowed = (await owner.get(page)).body
  assert.ok(allowed.includes(offer))
  assert.doesNotMatch(allowed, /has to turn on/)
  await set('administrators')
})
