/** What belongs to a place and is managed in its settings: credentials, protections, and the log of who changed what. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const by = scene.as({ 'private-token': owner.person.token })

async function places() {
  const { group } = await scene.group({ owner: owner.person, visibility: 'public' })
  const { project } = await scene.project({ group, owner: owner.person, visibility: 'public' })
  return { group, project, ofProject: `/${project.full_path}/-`, ofGroup: `/groups/${group.full_path}/-` }
}

const shown = (body: string): string => /is <code>([^<]+)<\/code>/.exec(body)?.[1] ?? assert.fail('the page shows the secret')

test('an access token of a place is shown once, rotated and revoked', async () => {
  const { project, group, ofProject, ofGroup } = await places()
  for (const [page, url] of [
    [ofProject, project.url],
    [ofGroup, group.url],
  ] as const) {
    const tokens = `${page}/settings/access_tokens`
    // The address bar keeps the address where the answer to a form is a page.
    assert.ok(String((await owner.get(`${tokens}/new`)).body).includes(`action="${tokens}/new"`))
    const made = await owner.submit(`${tokens}/new`, { name: '<i>bot</i>', access_level: '30', 'scopes[]': 'read_api', expires_at: '' })
    assert.equal(made.status, 200)
    const secret = shown(made.body)
    assert.equal((await scene.as({ 'private-token': secret }).get(url)).status, 200)
    const [{ id, access_level }] = (await by.get(`${url}/access_tokens`)).body
    assert.equal(access_level, 30)
    const listed = await owner.get(tokens)
    assert.match(listed.body, /&lt;i&gt;bot&lt;\/i&gt;/)
    assert.ok(!listed.body.includes(secret))

    const rotated = await owner.submit(`${tokens}/${id}/rotate`, {})
    assert.equal((await scene.as({ 'private-token': secret }).get('/user')).status, 401)
    const fresh = scene.as({ 'private-token': shown(rotated.body) })
    assert.equal((await fresh.get('/user')).status, 200)
    const [{ id: next }] = (await by.get(`${url}/access_tokens`)).body
    assert.equal((await owner.submit(`${tokens}/${next}/remove`, {})).status, 303)
    assert.equal((await fresh.get('/user')).status, 401)
  }
})

test('a form without scopes is refused with what was typed', async () => {
  const { ofProject } = await places()
  const refused = await owner.submit(`${ofProject}/settings/access_tokens/new`, { name: 'bot', access_level: '30', 'scopes[]': '' })
  assert.ok([400, 422].includes(refused.status), String(refused.status))
  assert.match(refused.body, /value="bot"/)
})

test('a deploy token is shown once with its username; a deploy key is added, changed and removed', async () => {
  const { project, ofProject } = await places()
  const tokens = `${ofProject}/settings/deploy_tokens`
  const made = await owner.submit(`${tokens}/new`, { name: 'fetch', 'scopes[]': 'read_repository', username: '', expires_at: '' })
  assert.equal(made.status, 200)
  assert.ok(shown(made.body).length >= 20)
  const [{ id, username }] = (await by.get(`${project.url}/deploy_tokens`)).body
  assert.ok(made.body.includes(username))
  assert.equal((await owner.submit(`${tokens}/${id}/remove`, {})).status, 303)

  const keys = `${ofProject}/settings/deploy_keys`
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f machine'
  assert.equal((await owner.submit(`${keys}/new`, { title: 'Machine', key: 'no key' })).status, 422)
  assert.equal((await owner.submit(`${keys}/new`, { title: 'Machine', key, can_push: 'false' })).status, 303)
  const [{ id: keyId }] = (await by.get(`${project.url}/deploy_keys`)).body
  assert.equal((await owner.submit(`${keys}/${keyId}/edit`, { title: 'Builder', can_push: 'true' })).status, 303)
  const [changed] = (await by.get(`${project.url}/deploy_keys`)).body
  assert.deepEqual([changed.title, changed.can_push], ['Builder', true])
  assert.equal((await owner.submit(`${keys}/${keyId}/remove`, {})).status, 303)
  assert.deepEqual((await by.get(`${project.url}/deploy_keys`)).body, [])
})

test('branches and tags are protected by a pattern with a slash, changed, and unprotected', async () => {
  const { project, ofProject } = await places()
  const branches = `${ofProject}/settings/protected_branches`
  const fields = { name: 'release/*', push_role: '0', merge_role: '40', allow_force_push: 'false' }
  assert.equal((await owner.submit(`${branches}/new`, fields)).status, 303)
  assert.equal((await owner.submit(`${branches}/new`, fields)).status, 422)
  assert.match((await owner.get(branches)).body, /Push: No one<.*Merge: Maintainers</)
  const one = `${branches}/release%2F*`
  assert.equal((await owner.submit(`${one}/edit`, { allow_force_push: 'true', code_owner_approval_required: 'false' })).status, 303)
  const name = `${project.url}/protected_branches/release%2F*`
  assert.equal((await by.get(name)).body.allow_force_push, true)
  assert.equal((await owner.submit(`${one}/remove`, {})).status, 303)
  assert.equal((await by.get(name)).status, 404)

  const tags = `${ofProject}/settings/protected_tags`
  assert.equal((await owner.submit(`${tags}/new`, { name: 'v*', create_access_level: '40' })).status, 303)
  assert.equal((await owner.submit(`${tags}/v*/remove`, {})).status, 303)
})

test('the audit log says who changed a setting from what to what, in the browser and by the API, and is filtered', async () => {
  const { project, ofProject, ofGroup } = await places()
  await by.put(project.url, { merge_method: 'ff' })
  assert.equal((await owner.submit(`${ofProject}/settings/protected_branches/new`, { name: 'rel-*', push_role: '40' })).status, 303)
  const log = `${ofProject}/audit_events`
  const { body } = await owner.get(log)
  assert.match(body, /<strong>merge method<\/strong>: from <code>merge<\/code> to <code>ff<\/code>/)
  assert.match(body, /protected branch: created/)
  const mine = await owner.get(log, { author: owner.person.username, event_name: 'project.updated' })
  assert.match(mine.body, /merge method/)
  assert.ok(!mine.body.includes('rel-*'))
  assert.match((await owner.get(log, { author: 'nobody-of-this-name' })).body, /No entries/)
  assert.match((await owner.get(log, { until: '2001-01-01' })).body, /No entries/)
  assert.equal((await owner.get(`${ofGroup}/audit_events`)).status, 200)
  const stranger = await surfer()
  for (const page of ['/audit_events', '/settings/access_tokens', '/settings/deploy_keys', '/settings/protected_branches'])
    assert.equal((await stranger.get(ofProject + page)).status, 403, page)
})
