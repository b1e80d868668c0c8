/** Quick actions in notes on epics and in their descriptions (public behaviour at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../../test/scene.ts'

const scene = await openScene()

async function planned() {
  const { group, guest } = await scene.group({ visibility: 'public', members: ['guest'] })
  for (const name of ['roof', 'floor', 'wall']) await scene.root.post(`${group.url}/labels`, { name, color: '#ff0000' })
  const { body: epic } = await scene.root.post(`${group.url}/epics`, { title: 'Rebuild' })
  return { group, guest, epic, url: `${group.url}/epics/${epic.iid}`, notes: `${group.url}/epics/${epic.id}/notes` }
}

test('actions in a note change the epic, and the remaining text is the note', async () => {
  const { url, notes } = await planned()

  const { status, body } = await scene.root.post(notes, {
    body: 'As agreed\n/title Rebuild it\n/label ~roof ~floor ~none\n/label ~wall\n/unlabel ~floor\n/todo\n/close',
  })

  assert.deepEqual([status, body.body, body.commands_changes.state_event], [201, 'As agreed', 'close'])
  const { body: after } = await scene.root.get(url)
  assert.deepEqual([after.title, after.labels, after.state], ['Rebuild it', ['roof', 'wall'], 'closed'])
  const { body: todos } = await scene.root.get('/todos', { type: 'Epic' })
  assert.equal(todos.filter((todo: { target: { id: number } }) => todo.target.id === after.id).length, 1)
  const reopened = await scene.root.post(notes, { body: '/reopen\n/award :tada:' })
  assert.deepEqual([reopened.status, reopened.body.summary], [202, ['Applied /reopen.', 'Applied /award.']])
  const { state } = (await scene.root.get(url)).body
  const { body: awards } = await scene.root.get(`${url}/award_emoji`)
  assert.deepEqual([state, awards.map((award: { name: string }) => award.name)], ['opened', ['tada']])
})

test('users who may not change an epic can only subscribe', async () => {
  const { guest, url, notes } = await planned()

  const { body } = await guest.post(notes, { body: 'Hello\n/close\n/title Mine\n/subscribe' })

  assert.deepEqual([body.body, body.commands_changes], ['Hello', { subscription_event: 'subscribe' }])
  const { body: after } = await scene.root.get(url)
  assert.deepEqual([after.state, after.title], ['opened', 'Rebuild'])
})

test('actions in a description apply to a new epic and to a changed one', async () => {
  const { group } = await planned()

  const { body: made } = await scene.root.post(`${group.url}/epics`, {
    title: 'New',
    labels: 'wall',
    description: 'Why\n/label ~roof\n/unlabel ~wall',
  })
  const { body: changed } = await scene.root.put(`${group.url}/epics/${made.iid}`, { description: 'Done\n/relabel ~floor\n/close' })

  assert.deepEqual([made.description, made.labels], ['Why', ['roof']])
  assert.deepEqual([changed.description, changed.labels, changed.state], ['Done', ['floor'], 'closed'])
})

test('child epics are added and removed', async () => {
  const { group, epic, url, notes } = await planned()
  const { body: child } = await scene.root.post(`${group.url}/epics`, { title: 'Roof' })
  const above = async (iid: number) => (await scene.root.get(`${group.url}/epics/${iid}`)).body.parent_id

  await scene.root.post(notes, { body: `/child_epic &${child.iid}` })
  assert.equal(await above(child.iid), epic.id)
  const circle = await scene.root.post(notes, { body: `/parent_epic &${child.iid}` })
  assert.deepEqual([circle.status, await above(epic.iid)], [400, null])
  await scene.root.post(notes, { body: `/remove_child_epic &${child.iid}` })
  assert.equal(await above(child.iid), null)

  await scene.root.put(url, { description: `/parent_epic ${group.full_path}&${child.iid}` })
  assert.equal(await above(epic.iid), child.id)
  const { body: removed } = await scene.root.post(notes, { body: '/remove_parent_epic\n/parent_epic &999999' })
  assert.deepEqual([await above(epic.iid), removed.summary], [null, ['Applied /remove_parent_epic.']])
})
