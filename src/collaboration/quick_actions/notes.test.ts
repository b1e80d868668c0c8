/** Quick actions in notes (document 3 "Note created by the promote quick action"; public behaviour at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

async function talkedAbout() {
  const world = await scene.project({ visibility: 'public', members: ['guest', 'reporter'] })
  const { body: issue } = await world.owner.post(`${world.project.url}/issues`, { title: 'Paint the shed' })
  const url = `${world.project.url}/issues/${issue.iid}`
  return { ...world, issue, url, notes: `${url}/notes` }
}

test('the note is the remaining text, and the response reports the effects of the actions', async () => {
  const { owner, url, notes } = await talkedAbout()

  const { status, body } = await owner.post(notes, { body: 'Done with it.\n\n/close' })

  assert.deepEqual([status, body.body, body.commands_changes], [201, 'Done with it.', { state_event: 'close' }])
  const issue = (await owner.get(url)).body
  assert.deepEqual([issue.state, issue.user_notes_count], ['closed', 1])
})

test('a text of actions only creates no note: 202 with their effects', async () => {
  const { owner, url, notes } = await talkedAbout()

  const answer = await owner.post(notes, { body: '/title Paint it red\n/weight 3' })
  const thread = await owner.post(`${url}/discussions`, { body: '/close' })

  assert.deepEqual(answer, {
    status: 202,
    body: { commands_changes: { title: 'Paint it red', weight: 3 }, summary: ['Applied /title.', 'Applied /weight.'] },
  })
  assert.equal(thread.status, 202)
  const issue = (await owner.get(url)).body
  assert.deepEqual([issue.title, issue.weight, issue.state, issue.user_notes_count], ['Paint it red', 3, 'closed', 0])
})

test('a text with very many actions is refused, and nothing of it is done', async () => {
  const { owner, project, url, notes } = await talkedAbout()
  const lines = (count: number) => '/weight 7\n'.repeat(count)

  for (const refused of [
    await owner.post(notes, { body: lines(101) }),
    await owner.post(`${project.url}/issues`, { title: 'Many', description: lines(101) }),
    await owner.put(url, { description: lines(101) }),
  ])
    assert.deepEqual(refused, { status: 400, body: { message: '400 Bad request - a text has 100 quick actions at most, not 101' } })

  assert.equal((await owner.get(url)).body.weight, null)
  assert.equal((await owner.post(notes, { body: lines(100) })).status, 202)
  assert.equal((await owner.get(url)).body.weight, 7)
})

test('a text copies or moves its issue once, so that a short one does not make a hundred issues', async () => {
  const { owner, project, url, notes } = await talkedAbout()
  const before = (await owner.get(`${project.url}/issues`)).body.length

  for (const [name, argument] of [
    ['clone', '--with_notes'],
    ['move', project.full_path],
  ]) {
    const body = `/${name} ${argument}\n`.repeat(2)
    const message = `400 Bad request - a text has one /${name} at most, not 2`
    assert.deepEqual(await owner.post(notes, { body }), { status: 400, body: { message } })
    assert.deepEqual((await owner.put(url, { description: body })).body, { message })
    assert.deepEqual((await owner.post(`${project.url}/issues`, { title: 'Twice', description: body })).body, { message })
  }

  assert.equal((await owner.get(`${project.url}/issues`)).body.length, before)
  assert.equal((await owner.post(notes, { body: '/clone --with_notes' })).status, 202)
  assert.equal((await owner.get(`${project.url}/issues`)).body.length, before + 1)
})

test('an action with a very long argument is refused before it is read', async () => {
  const { owner, project, url, notes } = await talkedAbout()
  const blanks = ' '.repeat(200_000)
  const long = {
    spend: `1h${blanks}x`,
    estimate: `1h${blanks}x`,
    due: 'in 1 day '.repeat(30_000).trim(),
    clone: `a${blanks}x`,
    label: '~a '.repeat(30_000).trim(),
    assign: '@a '.repeat(30_000).trim(),
  }
  const most: Record<string, number> = { spend: 255, estimate: 255, due: 255 }
  for (const [name, argument] of Object.entries(long)) {
    const message = `400 Bad request - the argument of /${name} has ${most[name] ?? 2000} characters at most, not ${argument.length}`
    const body = `/weight 7\n/${name} ${argument}`
    assert.deepEqual(await owner.post(notes, { body }), { status: 400, body: { message } })
    assert.deepEqual((await owner.put(url, { description: body })).body, { message })
    assert.deepEqual((await owner.post(`${project.url}/issues`, { title: 'Long', description: body })).body, { message })
  }
  const related = await owner.post(notes, { body: `/relate ${'#1 '.repeat(21)}` })
  assert.deepEqual(related, { status: 400, body: { message: '400 Bad request - /relate takes 20 issues at most, not 21' } })
  assert.equal((await owner.get(url)).body.weight, null)
  // What an action appends to the text is as long as a text may be.
  assert.equal((await owner.post(notes, { body: `/shrug ${'long '.repeat(10_000)}` })).status, 201)
})

test('actions that the caller may not use are ignored, and the response says so', async () => {
  const { guest, url, notes } = await talkedAbout()

  const answer = await guest.post(notes, { body: '/close' })

  assert.deepEqual(answer, { status: 202, body: { commands_changes: {}, summary: ['No quick action could be applied.'] } })
  assert.equal((await guest.get(url)).body.state, 'opened')
})

test('/todo, /done and /award do what their endpoints do', async () => {
  const { guest, url, notes } = await talkedAbout()
  await guest.post(notes, { body: '/todo' })
  assert.equal((await guest.get('/todos')).body.length, 1)
  await guest.post(notes, { body: '/done' })
  assert.equal((await guest.get('/todos')).body.length, 0)

  const { body } = await guest.post(notes, { body: '/award :thumbsup:' })
  assert.deepEqual(body.commands_changes, { emoji_award: 'thumbsup' })
  assert.equal((await guest.get(url)).body.upvotes, 1)
  await guest.post(notes, { body: '/award :thumbsup:' })
  assert.equal((await guest.get(url)).body.upvotes, 0)
})

test('/promote creates an epic from the issue, closes the issue, and leaves notes (document 3; decision 38)', async () => {
  const { group } = await scene.group()
  const { project } = await scene.project({ group })
  const { body: issue } = await scene.root.post(`${project.url}/issues`, { title: 'Paint the shed' })
  const url = `${project.url}/issues/${issue.iid}`

  const { status, body } = await scene.root.post(`${url}/notes`, { body: 'Lets promote this to an epic\r\n\r\n/promote' })

  assert.deepEqual([status, body.body, body.commands_changes], [201, 'Lets promote this to an epic', { promote_to_epic: true }])
  const promoted = (await scene.root.get(url)).body
  const [epic] = (await scene.root.get(`${group.url}/epics`)).body
  assert.deepEqual([promoted.state, promoted.epic.id, epic.title], ['closed', epic.id, 'Paint the shed'])
})

test('an issue becomes one epic, even if it is promoted concurrently or again', async () => {
  const { group } = await scene.group()
  const { project } = await scene.project({ group })
  await scene.root.post(`${project.url}/issues`, { title: 'Paint the shed' })
  const promote = () => scene.root.post(`${project.url}/issues/1/notes`, { body: '/promote' })

  const answers = await Promise.all([promote(), promote(), promote()])
  const again = await promote()

  assert.equal(answers.filter(({ body }) => body.commands_changes?.promote_to_epic).length, 1)
  assert.deepEqual([again.status, again.body.commands_changes], [202, {}])
  assert.equal((await scene.root.get(`${group.url}/epics`)).body.length, 1)
})

test('/promote outside a group is a 400 that changes nothing (decision 38)', async () => {
  const { owner, url, notes } = await talkedAbout()

  assert.equal((await owner.post(notes, { body: 'Let us\n/promote' })).status, 400)
  const issue = (await owner.get(url)).body
  assert.deepEqual([issue.state, issue.user_notes_count], ['opened', 0])
})

test('/epic adds an issue to an epic that the caller may see, /remove_epic removes it', async () => {
  const { group } = await scene.group()
  const { project } = await scene.project({ group })
  const { body: epic } = await scene.root.post(`${group.url}/epics`, { title: 'Garden' })
  const { body: issue } = await scene.root.post(`${project.url}/issues`, { title: 'Paint the shed' })
  const url = `${project.url}/issues/${issue.iid}`

  await scene.root.post(`${url}/notes`, { body: `/epic &${epic.iid}` })
  assert.equal((await scene.root.get(url)).body.epic.id, epic.id)
  await scene.root.post(`${url}/notes`, { body: '/remove_epic' })
  assert.equal((await scene.root.get(url)).body.epic, null)
})

test('quick actions in an edited note are applied, and the rest of the text is kept', async () => {
  const { owner, url, notes } = await talkedAbout()
  const { body: note } = await owner.post(notes, { body: 'Nearly done' })

  const { status, body } = await owner.put(`${notes}/${note.id}`, { body: 'Done\n/close\n/weight 3' })

  assert.deepEqual([status, body.id, body.body], [200, note.id, 'Done'])
  assert.deepEqual(body.commands_changes, { state_event: 'close', weight: 3 })
  const issue = (await owner.get(url)).body
  assert.deepEqual([issue.state, issue.weight, issue.user_notes_count], ['closed', 3, 1])
})

test('a note edited into actions only is deleted, unless none of them can be applied', async () => {
  const { guest, owner, url, notes } = await talkedAbout()
  const { body: thread } = await owner.post(`${url}/discussions`, { body: 'Shall we?' })
  const { body: note } = await guest.post(notes, { body: 'Please close it' })
  const inThread = `${url}/discussions/${thread.id}/notes/${thread.notes[0].id}`

  const refused = await guest.put(`${notes}/${note.id}`, { body: '/close' })
  assert.deepEqual([refused.status, (await guest.get(`${notes}/${note.id}`)).body.body], [400, 'Please close it'])
  const done = await owner.put(inThread, { body: '/close' })
  assert.deepEqual(done, { status: 202, body: { commands_changes: { state_event: 'close' }, summary: ['Applied /close.'] } })
  const issue = (await owner.get(url)).body
  assert.deepEqual([issue.state, issue.user_notes_count], ['closed', 1])
})
