/** A group that is exported and imported again, compared relation by relation. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Client, openScene } from '../../../test/scene.ts'
import { exportedGroupOf, importedGroup } from './scene.ts'

const scene = await openScene()
const { root } = scene
const owner = await scene.user({ username: 'owner-of-groups' })
const friend = await scene.user({ username: 'friend-of-groups' })
const { group } = await scene.group({ owner, visibility: 'public', name: 'Lamps', path: 'lamps' })

/** Sends a request that must succeed. */
async function made(client: Client, path: string, body: object = {}) {
  const answer = await client.post(path, body)
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const { url } = group
await made(owner, `${url}/members`, { user_id: friend.id, access_level: 30, expires_at: '2040-01-02' })
const sub = await made(owner, '/groups', { name: 'Bulbs', path: 'bulbs', parent_id: group.id, visibility: 'public', description: 'Below' })
const deep = await made(owner, '/groups', { name: 'Wires', path: 'wires', parent_id: sub.id, visibility: 'private' })
for (const [id, noun] of [
  [group.id, 'bug'],
  [sub.id, 'flicker'],
] as const) {
  await made(owner, `/groups/${id}/labels`, { name: noun, color: '#ff0000', description: `A ${noun}` })
  await made(owner, `/groups/${id}/milestones`, { title: `First ${noun}`, due_date: '2030-05-01', description: 'Begin' })
}
await made(owner, `${url}/badges`, {
  link_url: 'https://example.com/%{project_path}',
  image_url: 'https://example.com/a.svg',
  name: 'Lamp',
})
const board = (await owner.get(`${url}/boards`)).body[0] ?? (await made(owner, `${url}/boards`, { name: 'Work' }))
const bug = (await owner.get(`${url}/labels/bug`)).body
await made(owner, `${url}/boards/${board.id}/lists`, { label_id: bug.id })
await made(owner, `${url}/iterations`, { title: 'Week 1', start_date: '2030-01-01', due_date: '2030-01-07' })
const top = await made(owner, `${url}/epics`, {
  title: 'Light',
  description: 'All of it',
  labels: 'bug',
  start_date_fixed: '2030-01-01',
  start_date_is_fixed: true,
})
const child = await made(owner, `/groups/${sub.id}/epics`, { title: 'Bulbs', parent_id: top.id })
await made(owner, `${url}/epics`, { title: 'Secret', confidential: true })
const { body: note } = await friend.post(`${url}/epics/${top.id}/notes`, { body: 'Why light?' })
await made(owner, `${url}/epics/${top.id}/notes/${note.id}/award_emoji`, { name: 'eyes' })
await made(owner, `${url}/epics/${top.iid}/award_emoji`, { name: 'thumbsup' })
await owner.put(`/groups/${sub.id}/epics/${child.iid}`, { state_event: 'close' })
await made(owner, `${url}/wikis`, { title: 'Home', content: 'Welcome' })
await made(owner, `/groups/${sub.id}/wikis`, { title: 'Deep', content: 'Below' })
await owner.put(url, { description: 'Of the house', project_creation_level: 'noone', request_access_enabled: false })

const copy = await importedGroup(scene, root, await exportedGroupOf(scene, root, group))
const below = `/groups/${encodeURIComponent(`${copy.full_path}/bulbs`)}`

/** What is of an instance and not of a group: ids, addresses, and what follows from them. */
const left = /(^|_)ids?$|_url$|^_links$|^references$|^reference$|^parent$|^(noteable|awardable)_/

function ofGroup(value: unknown, without: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(each => ofGroup(each, without))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !left.test(name) && !without.includes(name))
      .map(([name, each]) => [name, ofGroup(each, without)]),
  )
}

async function assertSame(before: string, after: string, without: readonly string[] = []) {
  const [one, other] = [await root.get(before), await root.get(after)]
  assert.deepEqual([one.status, other.status], [200, 200], after)
  assert.ok(!Array.isArray(one.body) || one.body.length > 0, `${before} has something to compare`)
  assert.deepEqual(ofGroup(other.body, without), ofGroup(one.body, without))
  return other.body
}

test('the import has finished, and nothing was left out', () => {
  assert.deepEqual(copy.state, { state: 'finished', error: null, failures: [], object_id: null })
})

describe('what is the same afterwards', () => {
  const same: readonly (readonly [path: string, without?: readonly string[]])[] = [
    ['/labels?include_ancestor_groups=false', ['subscribed']],
    ['/milestones', []],
    ['/badges', ['rendered_link_url', 'rendered_image_url']],
    ['/boards', ['group', 'full_path']],
    ['/iterations', []],
    ['/epics?include_descendant_groups=false&order_by=created_at&sort=asc', []],
    ['/wikis?with_content=true', []],
  ]
  for (const [path, without] of same) test(path, () => assertSame(`${url}${path}`, `${copy.url}${path}`, without))
  for (const path of ['/labels?include_ancestor_groups=false', '/milestones', '/wikis?with_content=true'])
    test(`${path} of the subgroup`, () => assertSame(`/groups/${sub.id}${path}`, `${below}${path}`, ['subscribed']))
  test('the epic below, with its parent', async () => {
    const [epic] = (await root.get(`${below}/epics?include_ancestor_groups=false`)).body
    assert.deepEqual([epic.title, epic.state, epic.iid], ['Bulbs', 'closed', child.iid])
    assert.equal(epic.parent_iid ?? (await root.get(`${copy.url}/epics/${top.iid}/epics`)).body[0].parent_iid, top.iid)
  })
  test('notes and reactions', async () => {
    const epicOf = async (place: string) => (await root.get(`${place}/epics/${top.iid}`)).body
    const [one, other] = [await epicOf(url), await epicOf(copy.url)]
    for (const path of ['notes', 'discussions']) await assertSame(`${url}/epics/${one.id}/${path}`, `${copy.url}/epics/${other.id}/${path}`)
    await assertSame(`${url}/epics/${top.iid}/award_emoji`, `${copy.url}/epics/${top.iid}/award_emoji`)
    await assertSame(`${url}/epics/${one.id}/resource_label_events`, `${copy.url}/epics/${other.id}/resource_label_events`)
  })
  test('members', async () => {
    const members = (await root.get(`${copy.url}/members`)).body as { username: string; access_level: number; expires_at: string | null }[]
    const found = new Map(members.map(member => [member.username, [member.access_level, member.expires_at]]))
    assert.deepEqual(
      [found.get(owner.username), found.get(friend.username)],
      [
        [50, null],
        [30, '2040-01-02'],
      ],
    )
  })
})

test('settings come along, and groups below are there; at the top all is private', async () => {
  const names = ['description', 'project_creation_level', 'request_access_enabled']
  const [before, after] = [(await root.get(url)).body, (await root.get(copy.url)).body]
  assert.deepEqual(
    names.map(name => after[name]),
    names.map(name => before[name]),
  )
  const tree = (await root.get(`${copy.url}/descendant_groups?order_by=id`)).body as { full_path: string; visibility: string; id: number }[]
  assert.deepEqual(
    tree.map(each => [each.full_path.slice(copy.full_path.length), each.visibility]),
    [
      ['/bulbs', 'private'],
      ['/bulbs/wires', 'private'],
    ],
  )
  assert.equal(after.visibility, 'private')
  assert.ok(tree.every(({ id }) => id !== deep.id))
})

test('below another group it is as open as that one, and each group as it was', async () => {
  const { group: outer } = await scene.group({ owner, visibility: 'public' })
  const archive = await exportedGroupOf(scene, owner, group)
  const inner = await importedGroup(scene, owner, archive, { parent_id: String(outer.id) })
  assert.equal(inner.state.state, 'finished', inner.state.error ?? '')
  const tree = (await owner.get(`${inner.url}/descendant_groups?order_by=id`)).body as { visibility: string }[]
  assert.deepEqual(
    [(await owner.get(inner.url)).body.visibility, ...tree.map(({ visibility }) => visibility)],
    ['public', 'public', 'private'],
  )
  const notes = await owner.get(`${inner.url}/epics/${(await owner.get(`${inner.url}/epics/${top.iid}`)).body.id}/notes`)
  assert.match(notes.body.at(-1).body, /^Why light\?\n\n \*By .* \(imported from GitLab\)\*$/, 'all was written by the user who imports')
  assert.equal((await owner.get(`${inner.url}/members`)).body.length, 0)
})
