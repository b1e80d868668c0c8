import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

/** A private project of a signed-in person, and another account. */
async function place() {
  const owner = await surfer()
  const guest = await surfer()
  const { body: project } = await scene
    .as({ 'private-token': owner.person.token })
    .post('/projects', { name: `P${Math.random()}`.replace('.', '') })
  return { owner, guest, project, page: `/${project.path_with_namespace}/-/project_members` }
}

test('a person is added by username, gets another role, and is removed', async () => {
  const { owner, guest, project, page } = await place()
  const isMember = async () => (await scene.root.get(`/projects/${project.id}/members/${guest.person.id}`)).body

  const added = await owner.submit(`${page}/new`, { username: `@${guest.person.username}`, access_level: '20', expires_at: '' })
  assert.equal(added.status, 303)
  assert.equal(added.headers.location, page)
  assert.equal((await isMember()).access_level, 20)

  const changed = await owner.submit(`${page}/${guest.person.id}`, { access_level: '30', expires_at: '2999-01-01' })
  assert.equal(changed.status, 303)
  assert.deepEqual([(await isMember()).access_level, (await isMember()).expires_at], [30, '2999-01-01'])

  assert.equal((await owner.submit(`${page}/${guest.person.id}/remove`, {})).status, 303)
  assert.equal((await scene.root.get(`/projects/${project.id}/members/${guest.person.id}`)).status, 404)
})

test('an unknown username is refused at its field, with what was typed kept', async () => {
  const { owner, page } = await place()

  const answer = await owner.submit(`${page}/new`, { username: 'no<body>', access_level: '40' })

  assert.equal(answer.status, 422)
  assert.match(answer.body, /value="no&lt;body&gt;"/)
  assert.match(answer.body, /aria-invalid="true"[^>]*aria-describedby="[^"]*field-username-wrong/)
  assert.match(answer.body, /Username is not the name of an account/)
  assert.match(answer.body, /<option value="40" selected>/)
})

test('the page and its forms are for those who may see the place, and may manage it', async () => {
  const { owner, guest, project, page } = await place()
  assert.equal((await guest.get(page)).status, 404)
  assert.equal((await guest.submit(`${page}/new`, { username: 'root', access_level: '20' })).status, 404)

  await scene.root.post(`/projects/${project.id}/members`, { user_id: guest.person.id, access_level: 10 })
  const seen = await guest.get(page)
  assert.equal(seen.status, 200)
  assert.ok(!seen.body.includes('Add a member'))
  assert.equal((await guest.get(`${page}/new`)).status, 403)
  assert.equal((await guest.submit(`${page}/${owner.person.id}`, { access_level: '10' })).status, 403)
  assert.equal((await owner.submit(`${page}/new`, { username: 'root', access_level: '20', authenticity_token: 'x' })).status, 403)
})

test('of several addresses one that cannot be invited is said at the field, and none is invited', async () => {
  const { owner, page } = await place()
  const sent = await owner.submit(`${page}/invite`, { email: `new-${owner.person.id}@example.com, broken`, access_level: '20' })
  assert.equal(sent.status, 422)
  assert.match(sent.body, /Addresses cannot all be invited, so nobody was: broken \(Invite email is invalid\)/)
  assert.match(sent.body, new RegExp(`value="new-${owner.person.id}@example.com, broken"`))
  assert.ok(!(await owner.get(page)).body.includes(`new-${owner.person.id}@example.com`))
})

test('requests for access are approved or denied, and invitations taken back', async () => {
  const { owner, guest, project, page } = await place()
  await scene.root.put(`/projects/${project.id}`, { visibility: 'public', request_access_enabled: true })
  await scene.as({ 'private-token': guest.person.token }).post(`/projects/${project.id}/access_requests`)
  assert.match((await owner.get(page)).body, /Requests for access/)
  assert.equal((await owner.submit(`${page}/requests/${guest.person.id}/approve`, {})).status, 303)
  assert.equal((await scene.root.get(`/projects/${project.id}/members/${guest.person.id}`)).body.access_level, 30)

  const email = `new-${guest.person.id}@example.com`
  assert.equal((await owner.submit(`${page}/invite`, { email, access_level: '20' })).status, 303)
  assert.ok((await owner.get(page)).body.includes(email))
  assert.equal((await owner.submit(`${page}/invitations/${encodeURIComponent(email)}/remove`, {})).status, 303)
  assert.ok(!(await owner.get(page)).body.includes(email))
})

test('a place is shared with a group up to a role and a day, and no longer', async () => {
  const { owner, project, page } = await place()
  const { group } = await scene.group({ owner: owner.person, visibility: 'private', name: 'Crew (north)' })
  const { group: hidden } = await scene.group({ visibility: 'private' })
  const fields = { group: group.full_path, group_access: '20', expires_at: '2999-01-01' }

  assert.equal((await owner.submit(`${page}/groups/new`, { ...fields, group: hidden.full_path })).status, 422)
  assert.equal((await owner.submit(`${page}/groups/new`, fields)).status, 303)
  assert.equal((await owner.submit(`${page}/groups/new`, fields)).status, 422)

  const { body } = await owner.get(page)
  assert.match(body, /Crew \(north\).*At most Reporter.*until 2999-01-01/s)
  assert.equal((await owner.submit(`${page}/groups/${group.id}/remove`, {})).status, 303)
  assert.deepEqual((await scene.root.get(`/projects/${project.id}`)).body.shared_with_groups, [])
  assert.equal((await owner.submit(`${page}/groups/${group.id}/remove`, {})).status, 404)
})

test('a group is shared with another; who only reads the members sees no button', async () => {
  const { owner, guest } = await place()
  const { group } = await scene.group({ owner: owner.person, visibility: 'public' })
  const { group: other } = await scene.group({ owner: owner.person, visibility: 'public' })
  const page = `/groups/${group.full_path}/-/group_members`
  assert.equal((await owner.submit(`${page}/groups/new`, { group: other.full_path, group_access: '50', expires_at: '' })).status, 303)
  await scene.root.post(`/groups/${group.id}/members`, { user_id: guest.person.id, access_level: 10 })
  const seen = (await guest.get(page)).body
  assert.match(seen, /At most Owner/)
  assert.ok(!seen.includes(`/groups/${other.id}/remove`))
  assert.equal((await guest.submit(`${page}/groups/${other.id}/remove`, {})).status, 403)
})

test('an invitation gets another role and another end', async () => {
  const { owner, guest, project, page } = await place()
  const email = `later+${guest.person.id}@example.com`
  await owner.submit(`${page}/invite`, { email, access_level: '20' })
  const at = `${page}/invitations/${encodeURIComponent(email)}`
  assert.equal((await owner.submit(at, { access_level: '40', expires_at: '2999-01-01' })).status, 303)
  const [{ access_level, expires_at }] = (await scene.root.get(`/projects/${project.id}/invitations`)).body
  assert.deepEqual([access_level, String(expires_at).slice(0, 10)], [40, '2999-01-01'])
  assert.match((await owner.get(page)).body, /<option value="40" selected>/)
  assert.equal((await owner.submit(at, { access_level: '20', expires_at: '' })).status, 303)
  assert.equal((await scene.root.get(`/projects/${project.id}/invitations`)).body[0].expires_at, null)
})
