/** Notes, threads, reactions, to-do items and resource events of merge requests and epics (their APIs at 14.0). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

/** A public project with a merge request by a developer. */
async function proposed() {
  const world = await scene.project({ visibility: 'public', members: ['reporter', 'developer', 'maintainer'] })
  const mergeRequest = await scene.mergeRequest(world.project, { author: world.developer, assignee_ids: [world.maintainer.id] })
  return { ...world, mergeRequest, url: mergeRequest.url }
}

/** A public group with an epic by its owner. Note endpoints name the epic by id, its own endpoints by number. */
async function planned(options: object = {}) {
  const world = await scene.group({ visibility: 'public', members: ['guest', 'reporter'] })
  const { body: epic } = await world.owner.post(`${world.group.url}/epics`, { title: 'Paint the town', ...options })
  const epics = `${world.group.url}/epics`
  return { ...world, epic, byId: `${epics}/${epic.id}`, byIid: `${epics}/${epic.iid}` }
}

const bodies = (rows: { body: string }[]) => rows.map(row => row.body)

describe('notes on a merge request', () => {
  test('a note has the fields of notes, and is counted', async () => {
    const { reporter, mergeRequest, url, project } = await proposed()

    const { status, body } = await reporter.post(`${url}/notes`, { body: 'Looks good' })

    assert.equal(status, 201)
    const { id, author, created_at, ...rest } = body
    assert.equal(author.id, reporter.id)
    assert.deepEqual(rest, {
      type: null,
      body: 'Looks good',
      attachment: null,
      updated_at: created_at,
      system: false,
      noteable_id: mergeRequest.id,
      noteable_type: 'MergeRequest',
      noteable_iid: mergeRequest.iid,
      project_id: project.id,
      resolvable: false,
      confidential: false,
      internal: false,
      commands_changes: {},
    })
    assert.equal((await reporter.get(url)).body.user_notes_count, 1)
    assert.equal((await reporter.get(`${url}/notes/${id}`)).status, 200)
    assert.equal((await reporter.put(`${url}/notes/${id}`, { body: 'Looks better' })).body.body, 'Looks better')
    assert.deepEqual(
      (await reporter.get(`${project.url}/events`, { action: 'commented' })).body.map(
        (entry: { target_title: string }) => entry.target_title,
      ),
      ['Paint the shed'],
    )
    assert.equal((await reporter.delete(`${url}/notes/${id}`)).status, 204)
    assert.equal((await reporter.get(url)).body.user_notes_count, 0)
  })

  test('threads can be resolved, an individual note only after a reply', async () => {
    const { reporter, url } = await proposed()
    const { body: thread } = await reporter.post(`${url}/discussions`, { body: 'Why blue?' })
    const { body: alone } = await reporter.post(`${url}/notes`, { body: 'Hm' })
    const note = async (id: number) => (await reporter.get(`${url}/notes/${id}`)).body

    assert.equal(thread.notes[0].resolvable, true)
    assert.equal(thread.notes[0].type, 'DiscussionNote')
    const discussions = (await reporter.get(`${url}/discussions`)).body
    await reporter.post(`${url}/discussions/${discussions[1].id}/notes`, { body: 'Indeed' })
    assert.equal((await note(alone.id)).resolvable, true)
  })

  test('its participants are author, assignees and commenters', async () => {
    const { reporter, developer, maintainer, url } = await proposed()
    const other = await scene.user()
    await reporter.post(`${url}/notes`, { body: `What does @${other.username} say?` })

    const ids = (await reporter.get(`${url}/participants`)).body.map((user: { id: number }) => user.id)

    assert.deepEqual(
      ids,
      [reporter.id, developer.id, maintainer.id, other.id].sort((a, b) => a - b),
    )
    const [todo] = (await other.get('/todos')).body
    assert.equal(todo.target_type, 'MergeRequest')
    assert.equal(todo.action_name, 'mentioned')
    assert.equal(todo.target.title, 'Paint the shed')
    assert.deepEqual((await other.get('/todos', { type: 'Issue' })).body, [])
    assert.equal((await other.get('/todos', { type: 'MergeRequest' })).body.length, 1)
  })

  test('creating a to-do item answers 201, and 304 if there is one (document 3 `todo`)', async () => {
    const { reporter, mergeRequest, url } = await proposed()

    const { status, body } = await reporter.post(`${url}/todo`)

    assert.equal(status, 201)
    assert.equal(body.target_type, 'MergeRequest')
    assert.equal(body.target.id, mergeRequest.id)
    assert.equal(body.state, 'pending')
    assert.equal((await reporter.post(`${url}/todo`)).status, 304)
  })

  test('reactions to it and to its notes are separate, and thumbs are counted', async () => {
    const { reporter, mergeRequest, url } = await proposed()
    const { body: note } = await reporter.post(`${url}/notes`, { body: 'Hm' })

    const { body: award } = await reporter.post(`${url}/award_emoji`, { name: 'thumbsup' })
    const { body: onNote } = await reporter.post(`${url}/notes/${note.id}/award_emoji`, { name: 'tada' })

    assert.deepEqual([award.awardable_type, award.awardable_id], ['MergeRequest', mergeRequest.id])
    assert.deepEqual([onNote.awardable_type, onNote.awardable_id], ['Note', note.id])
    assert.equal((await reporter.get(url)).body.upvotes, 1)
    assert.equal((await reporter.delete(`${url}/award_emoji/${award.id}`)).status, 204)
    assert.equal((await reporter.get(url)).body.upvotes, 0)
  })

  test('they do not exist for users who may not see the code', async () => {
    const { project, guest } = await scene.project({ members: ['guest'] })
    const { url } = await scene.mergeRequest(project)

    for (const path of ['notes', 'discussions', 'award_emoji', 'participants', 'resource_label_events'])
      assert.equal((await guest.get(`${url}/${path}`)).status, 403, path)
    assert.equal((await guest.post(`${url}/notes`, { body: 'Hm' })).status, 403)
  })
})

describe('notes on an epic', () => {
  test('notes, threads and their reactions use the id of the epic', async () => {
    const { guest, epic, byId, byIid } = await planned()

    const { status, body: note } = await guest.post(`${byId}/notes`, { body: 'When?' })

    assert.equal(status, 201)
    assert.deepEqual([note.noteable_type, note.noteable_id, note.noteable_iid, note.project_id], ['Epic', epic.id, epic.iid, null])
    const { body: thread } = await guest.post(`${byId}/discussions`, { body: 'Where?' })
    assert.equal(thread.notes[0].resolvable, false)
    assert.equal((await guest.post(`${byId}/discussions/${thread.id}/notes`, { body: 'There' })).status, 201)
    assert.deepEqual(bodies((await guest.get(`${byId}/notes`, { sort: 'asc' })).body), ['When?', 'Where?', 'There'])
    assert.equal((await guest.post(`${byIid}/award_emoji`, { name: 'thumbsup' })).body.awardable_type, 'Epic')
    assert.equal((await guest.post(`${byIid}/notes/${note.id}/award_emoji`, { name: 'tada' })).status, 201)
    assert.equal((await guest.get(byIid)).body.upvotes, 1)
    const outsider = await scene.user()
    assert.equal((await outsider.put(`${byId}/notes/${note.id}`, { body: 'Never' })).status, 403)
    assert.equal((await guest.put(`${byId}/notes/${note.id}`, { body: 'Soon?' })).status, 200)
  })

  test('its changes make system notes and resource events, and an epic of another group is not found', async () => {
    const { owner, guest, byId, byIid } = await planned({ labels: 'town' })
    const elsewhere = await planned()
    await owner.put(byIid, { title: 'Paint the city', state_event: 'close' })

    const texts = bodies((await guest.get(`${byId}/notes`, { activity_filter: 'only_activity', sort: 'asc' })).body)
    assert.deepEqual(texts, ['changed title from **Paint the town** to **Paint the city**'])
    const states = (await guest.get(`${byId}/resource_state_events`)).body
    assert.deepEqual([states[0].resource_type, states[0].state], ['Epic', 'closed'])
    assert.equal((await guest.get(`${byId}/resource_label_events`)).body[0].label.name, 'town')
    assert.equal((await guest.get(`${elsewhere.group.url}/epics/${byId.split('/').at(-1)}/notes`)).status, 404)
  })

  test('to-do items of an epic belong to its group', async () => {
    const { guest, group, byIid } = await planned()

    const { status, body } = await guest.post(`${byIid}/todo`)

    assert.equal(status, 201)
    assert.equal(body.target_type, 'Epic')
    assert.deepEqual(body.group, { id: group.id, name: group.name, path: group.path, kind: 'group', full_path: group.full_path })
    assert.equal('project' in body, false)
    assert.equal((await guest.get('/todos', { group_id: group.id })).body.length, 1)
  })

  test('confidential epics are for Reporters', async () => {
    const { guest, reporter, byId } = await planned()
    await reporter.post(`${byId}/notes`, { body: 'Between us', confidential: true })

    assert.deepEqual(bodies((await reporter.get(`${byId}/notes`)).body), ['Between us'])
    assert.deepEqual((await guest.get(`${byId}/notes`)).body, [])
  })
})

test('texts leave notes on the issues, merge requests and epics that they name, visible to users who may see both', async () => {
  const { group, owner } = await scene.group({ visibility: 'public' })
  const { project } = await scene.project({ group, visibility: 'public' })
  const { project: secret } = await scene.project({ group, visibility: 'private' })
  const { url, iid } = await scene.mergeRequest(project)
  const hidden = await scene.mergeRequest(secret)
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'Shed' })
  const { body: epic } = await owner.post(`${group.url}/epics`, { title: 'Town' })

  await owner.post(`${project.url}/issues/${issue.iid}/notes`, { body: `See !${iid} and &${epic.iid}` })
  await owner.post(`${secret.url}/merge_requests/${hidden.iid}/notes`, { body: `As ${project.full_path}!${iid}` })

  const read = async (path: string, person = scene.root) =>
    bodies((await person.get(`${path}/notes`, { activity_filter: 'only_activity', sort: 'asc' })).body)
  assert.deepEqual(await read(url), [`mentioned in issue #${issue.iid}`, `mentioned in merge request ${secret.full_path}!${hidden.iid}`])
  assert.deepEqual(await read(url, await scene.user()), [`mentioned in issue #${issue.iid}`])
  assert.deepEqual(await read(`${group.url}/epics/${epic.id}`), [`mentioned in issue ${project.path}#${issue.iid}`])
})
