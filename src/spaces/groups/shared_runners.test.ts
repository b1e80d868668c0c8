/** `shared_runners_setting` of a group (groups API at 14.0): what it does to projects and groups below. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()

const closed = { shared_runners_setting: 'disabled_and_unoverridable' }
const overridable = { shared_runners_setting: 'disabled_with_override' }

const isOn = async (project: { readonly url: string }) => (await scene.root.get(project.url)).body.shared_runners_enabled
const settingOf = async (group: { readonly url: string }) => (await scene.root.get(group.url)).body.shared_runners_setting

/** A group with a group below it, and a project in each. */
async function tree() {
  const { group, owner } = await scene.group()
  const { group: inner } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group, owner })
  const { project: deep } = await scene.project({ group: inner, owner })
  return { group, inner, project, deep, owner }
}

test('a group that switches shared runners off for good does so for all below it, and nothing there switches them on', async () => {
  const { group, inner, project, deep, owner } = await tree()

  assert.equal((await owner.put(group.url, closed)).status, 200)

  assert.deepEqual([await isOn(project), await isOn(deep), await settingOf(inner)], [false, false, 'disabled_and_unoverridable'])
  const refused = {
    status: 400,
    body: { message: { shared_runners_enabled: ['cannot be enabled because parent group does not allow it'] } },
  }
  assert.deepEqual(await owner.put(deep.url, { shared_runners_enabled: true }), refused)
  assert.deepEqual(await owner.post('/projects', { name: 'Fresh', namespace_id: group.id, shared_runners_enabled: true }), refused)
  assert.equal((await owner.post('/projects', { name: 'Fresh', namespace_id: group.id })).body.shared_runners_enabled, false)
  for (const shared_runners_setting of ['enabled', 'disabled_with_override'])
    assert.deepEqual(await owner.put(inner.url, { shared_runners_setting }), {
      status: 400,
      body: { message: { shared_runners_setting: ['cannot be enabled because parent group has shared Runners disabled'] } },
    })
  const { group: later } = await scene.group({ parent: group, owner })
  assert.equal(await settingOf(later), 'disabled_and_unoverridable')
})

test('a group that leaves the choice switches off what is there, and projects may switch it on again', async () => {
  const { group, inner, project, deep, owner } = await tree()

  await owner.put(group.url, overridable)

  assert.deepEqual([await isOn(project), await isOn(deep), await settingOf(inner)], [false, false, 'disabled_with_override'])
  assert.equal((await owner.post('/projects', { name: 'Fresh', namespace_id: group.id })).body.shared_runners_enabled, false)
  assert.equal((await owner.put(deep.url, { shared_runners_enabled: true })).body.shared_runners_enabled, true)
  await owner.put(group.url, closed)
  await owner.put(group.url, overridable)
  assert.deepEqual([await isOn(deep), await settingOf(inner)], [false, 'disabled_and_unoverridable'])
})

test('what moves or is forked into such a group uses shared runners no more', async () => {
  const { group, owner } = await tree()
  await owner.put(group.url, closed)
  const { project: moving } = await scene.project({ owner })
  const { project: source } = await scene.project({ owner })
  const { group: other } = await scene.group({ owner })
  const { project: inOther } = await scene.project({ group: other, owner })

  assert.equal((await owner.put(`${moving.url}/transfer`, { namespace: group.id })).body.shared_runners_enabled, false)
  assert.equal((await owner.post(`${source.url}/fork`, { namespace_id: group.id })).body.shared_runners_enabled, false)
  assert.equal((await scene.root.post(`${other.url}/transfer`, { group_id: group.id })).status, 201)
  assert.deepEqual([await settingOf(other), await isOn(inOther)], ['disabled_and_unoverridable', false])
})

test('a project that comes while the group switches off has none either', async () => {
  const { group, owner } = await tree()

  const [, ...made] = await Promise.all([
    owner.put(group.url, closed),
    ...Array.from({ length: 6 }, (_, index) => owner.post('/projects', { name: `new ${index}`, namespace_id: group.id })),
  ])

  for (const { body } of made) assert.equal(await isOn({ url: `/projects/${body.id}` }), false)
})

test('a group with a membership lock takes no members into its projects: neither added, nor invited, nor by a request (members API)', async () => {
  const { group, owner } = await scene.group()
  const { project, guest } = await scene.project({ group, owner, members: ['guest'] })
  const { project: free } = await scene.project({ owner })
  const [one, two, asking] = await Promise.all([scene.user(), scene.user(), scene.user()])
  await scene.root.put(project.url, { visibility: 'private' })
  const invited = 'later@example.com'
  await owner.post(`${project.url}/invitations`, { email: invited, access_level: 30 })
  await scene.root.put(group.url, { visibility: 'public', request_access_enabled: true })
  await scene.root.put(project.url, { visibility: 'public', request_access_enabled: true })
  await asking.post(`${project.url}/access_requests`)
  assert.equal((await owner.put(group.url, { membership_lock: true })).status, 200)

  const refused = { status: 405, body: { message: 'The group does not allow members to be added to its projects' } }
  assert.deepEqual(await owner.post(`${project.url}/members`, { user_id: one.id, access_level: 30 }), refused)
  assert.deepEqual(await owner.post(`${project.url}/members`, { user_id: `${one.id},${two.id}`, access_level: 30 }), refused)
  assert.deepEqual(await owner.post(`${project.url}/invitations`, { email: two.email, access_level: 30 }), refused)
  assert.deepEqual(await owner.put(`${project.url}/access_requests/${asking.id}/approve`), refused)
  const late = await scene.user({ email: invited })
  assert.equal((await owner.get(`${project.url}/members/${late.id}`)).status, 404)

  // Those who are members stay and change; the group itself and other projects take members.
  assert.equal((await owner.put(`${project.url}/members/${(guest as Person).id}`, { access_level: 20 })).status, 200)
  assert.equal((await owner.post(`${group.url}/members`, { user_id: one.id, access_level: 30 })).status, 201)
  assert.equal((await owner.post(`${free.url}/members`, { user_id: one.id, access_level: 30 })).status, 201)
})
