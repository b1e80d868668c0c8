/** Notes on issues (document 3 "Issue operations"; notes API at 14.0). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

/** A public project with an issue by its owner, and the URL of its notes. */
async function talkedAbout(issue: object = {}) {
  const world = await scene.project({ visibility: 'public', members: ['guest', 'reporter', 'maintainer'] })
  const { body } = await world.owner.post(`${world.project.url}/issues`, { title: 'Paint the shed', ...issue })
  const url = `${world.project.url}/issues/${body.iid}`
  return { ...world, issue: body, url, notes: `${url}/notes` }
}

const bodies = (rows: { body: string }[]) => rows.map(row => row.body)

describe('adding a note to an issue', () => {
  test('answers 201 and the note with every field of document 3, and counts it', async () => {
    const { guest, issue, url, notes } = await talkedAbout()

    const { status, body } = await guest.post(notes, { body: 'Which colour?' })

    const { author, ...rest } = body
    assert.equal(status, 201)
    assert.equal(author.id, guest.id)
    assert.deepEqual(rest, {
      id: body.id,
      type: null,
      body: 'Which colour?',
      attachment: null,
      created_at: body.created_at,
      updated_at: body.created_at,
      system: false,
      noteable_id: issue.id,
      noteable_type: 'Issue',
      noteable_iid: issue.iid,
      project_id: issue.project_id,
      resolvable: false,
      confidential: false,
      internal: false,
      commands_changes: {},
    })
    assert.equal((await guest.get(url)).body.user_notes_count, 1)
  })

  test('blank texts are refused, and a megabyte is the limit', async () => {
    const { owner, notes } = await talkedAbout()

    assert.deepEqual(await owner.post(notes, { body: ' \n' }), { status: 400, body: { message: { note: ["can't be blank"] } } })
    assert.equal((await owner.post(notes, { body: 'x'.repeat(1024 * 1024 + 1) })).status, 400)
    assert.equal((await owner.post(notes, { body: 'x'.repeat(1024 * 1024) })).status, 201)
  })

  test('administrators and owners may set the time, which is ignored for others', async () => {
    const { owner, reporter, notes } = await talkedAbout()
    const created_at = '2020-02-02T02:02:02.000Z'

    assert.equal((await owner.post(notes, { body: 'Then', created_at })).body.created_at, created_at)
    assert.notEqual((await reporter.post(notes, { body: 'Now', created_at })).body.created_at, created_at)
  })

  test('only members may comment, edit and delete while the discussion is locked', async () => {
    const { owner, guest, url, notes } = await talkedAbout()
    const outsider = await scene.user()
    const { body: note } = await outsider.post(notes, { body: 'Before' })
    await owner.put(url, { discussion_locked: true })

    assert.equal((await outsider.post(notes, { body: 'After' })).status, 403)
    assert.equal((await outsider.put(`${notes}/${note.id}`, { body: 'After' })).status, 403)
    assert.equal((await outsider.delete(`${notes}/${note.id}`)).status, 403)
    assert.equal((await guest.post(notes, { body: 'After' })).status, 201)
    assert.equal((await scene.root.post(notes, { body: 'After' })).status, 201)
  })
})

describe('the list of notes', () => {
  test('is newest first by default, and both orders work in both directions', async () => {
    const { owner, notes } = await talkedAbout()
    const { body: first } = await owner.post(notes, { body: 'one' })
    await owner.post(notes, { body: 'two' })
    await owner.put(`${notes}/${first.id}`, { body: 'one again' })

    const list = async (query: Record<string, string>) =>
      bodies((await owner.get(notes, { activity_filter: 'only_comments', ...query })).body)
    assert.deepEqual(await list({}), ['two', 'one again'])
    assert.deepEqual(await list({ sort: 'asc' }), ['one again', 'two'])
    assert.deepEqual(await list({ order_by: 'updated_at' }), ['one again', 'two'])
    assert.deepEqual(await list({ order_by: 'updated_at', sort: 'asc' }), ['two', 'one again'])
    assert.equal((await owner.get(notes, { activity_filter: 'some' })).status, 400)
  })

  test('internal notes are for Reporters and above', async () => {
    const { owner, guest, reporter, notes } = await talkedAbout()
    const outsider = await scene.user()
    const { body: note } = await reporter.post(notes, { body: 'Between us', confidential: true })
    await owner.post(notes, { body: 'Me too', internal: true })

    for (const person of [owner, reporter, scene.root])
      assert.deepEqual(bodies((await person.get(notes, { sort: 'asc' })).body), ['Between us', 'Me too'])
    assert.deepEqual((await guest.get(notes)).body, [])
    assert.deepEqual((await outsider.get(notes)).body, [])
    assert.deepEqual(await guest.get(`${notes}/${note.id}`), { status: 404, body: { message: '404 Note Not Found' } })
  })

  test('notes of another issue are not found', async () => {
    const one = await talkedAbout()
    const other = await talkedAbout()
    const { body } = await one.owner.post(one.notes, { body: 'Here' })

    assert.equal((await scene.root.get(`${other.notes}/${body.id}`)).status, 404)
  })
})

describe('changing and deleting a note', () => {
  test('its author and Maintainers may, others may not', async () => {
    const { guest, reporter, maintainer, url, notes } = await talkedAbout()
    const { body: note } = await guest.post(notes, { body: 'one' })

    assert.equal((await reporter.put(`${notes}/${note.id}`, { body: 'two' })).status, 403)
    assert.equal((await reporter.delete(`${notes}/${note.id}`)).status, 403)
    assert.equal((await guest.put(`${notes}/${note.id}`, { body: 'two' })).body.body, 'two')
    assert.equal((await maintainer.put(`${notes}/${note.id}`, { body: 'three' })).body.body, 'three')
    assert.equal((await guest.delete(`${notes}/${note.id}`)).status, 204)
    assert.equal((await guest.get(url)).body.user_notes_count, 0)
    assert.equal((await guest.delete(`${notes}/${note.id}`)).status, 404)
  })

  test('a note that changed since is not deleted (412, decision 15)', async () => {
    const { owner, notes } = await talkedAbout()
    const { body: note } = await owner.post(notes, { body: 'one' })
    const before = scene.as({ 'private-token': owner.token, 'if-unmodified-since': new Date(0).toUTCString() })

    assert.equal((await before.delete(`${notes}/${note.id}`)).status, 412)
  })
})

test('notes appear in the feeds of users who may read them', async () => {
  const { owner, guest, project, issue, notes } = await talkedAbout()
  const { body: note } = await owner.post(notes, { body: 'Open' })
  await owner.post(notes, { body: 'Between us', confidential: true })

  const entries = (await guest.get(`${project.url}/events`, { action: 'commented' })).body

  assert.deepEqual(
    entries.map((entry: { target_id: number; target_type: string; action_name: string; target_title: string; note: { body: string } }) => [
      entry.action_name,
      entry.target_type,
      entry.target_id,
      entry.target_title,
      entry.note.body,
    ]),
    [['commented on', 'Note', note.id, issue.title, 'Open']],
  )
  const [opened] = (await guest.get(`${project.url}/events`, { target_type: 'issue' })).body
  assert.deepEqual([opened.action_name, opened.target_type, opened.target_iid], ['opened', 'Issue', issue.iid])
})

test('closing and reopening an issue appear in feeds', async () => {
  const { owner, project, url } = await talkedAbout()
  await owner.put(url, { state_event: 'close' })
  await owner.put(url, { state_event: 'reopen' })

  const entries = (await owner.get(`${project.url}/events`, { target_type: 'issue', sort: 'asc' })).body

  assert.deepEqual(
    entries.map((entry: { action_name: string }) => entry.action_name),
    ['opened', 'closed', 'reopened'],
  )
})

test('notes of deleted users are reassigned to the ghost user, or deleted on request', async () => {
  const { owner, notes, url } = await talkedAbout()
  const [one, two] = [await scene.user(), await scene.user()]
  await one.post(notes, { body: 'one' })
  await two.post(notes, { body: 'two' })

  await scene.root.delete(`/users/${one.id}`)
  await scene.root.delete(`/users/${two.id}`, { hard_delete: 'true' })

  const { body } = await owner.get(notes)
  assert.deepEqual(
    body.map((note: { body: string; author: { name: string } }) => [note.body, note.author.name]),
    [['one', 'Ghost User']],
  )
  assert.equal((await owner.get(url)).body.user_notes_count, 1)
})
