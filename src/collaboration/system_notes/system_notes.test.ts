/** System notes and resource events about changes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Client, openScene } from '../../../test/scene.ts'

const scene = await openScene()

async function planned(issue: object = {}) {
  const world = await scene.project({ visibility: 'public', members: ['guest', 'reporter', 'developer'] })
  const { body } = await world.owner.post(`${world.project.url}/issues`, { title: 'Paint the shed', ...issue })
  return { ...world, issue: body, url: `${world.project.url}/issues/${body.iid}` }
}

/** The system notes of an issue, oldest first. */
const systemNotes = async (client: Client, url: string): Promise<string[]> =>
  (await client.get(`${url}/notes`, { activity_filter: 'only_activity', sort: 'asc' })).body.map((note: { body: string }) => note.body)

describe('a change makes a system note', () => {
  test('of title, description, state, type, confidence, lock, dates and weight', async () => {
    const { owner, url } = await planned()
    const changes = [
      { title: 'Paint *it* red' },
      { description: 'All of it' },
      { state_event: 'close' },
      { state_event: 'reopen' },
      { issue_type: 'incident' },
      { confidential: true },
      { confidential: false },
      { discussion_locked: true },
      { discussion_locked: false },
      { due_date: '2030-01-02' },
      { due_date: null },
      { weight: 3 },
      { weight: null },
      { health_status: 'at_risk' },
    ]
    for (const change of changes) await owner.put(url, change)

    assert.deepEqual(await systemNotes(owner, url), [
      'changed title from **Paint the shed** to **Paint \\*it\\* red**',
      'changed the description',
      'changed type to incident',
      'made the issue confidential',
      'made the issue visible to everyone',
      'locked this issue',
      'unlocked this issue',
      'changed due date to January 02, 2030',
      'removed due date',
      'changed health status to **at risk**',
    ])
    const { body } = await owner.get(url)
    assert.equal(body.user_notes_count, 0)
  })

  test('of people, by their names', async () => {
    const { owner, reporter, developer, project, url } = await planned()
    await owner.post(`${project.url}/labels`, { name: 'bug', color: 'red' })
    const { body: milestone } = await owner.post(`${project.url}/milestones`, { title: 'One day' })
    await owner.put(url, { labels: 'bug', milestone_id: milestone.id, assignee_ids: [reporter.id] })
    await owner.put(url, { labels: '', milestone_id: 0, assignee_ids: [developer.id] })

    assert.deepEqual((await systemNotes(owner, url)).sort(), [
      `assigned to @${developer.username} and unassigned @${reporter.username}`,
      `assigned to @${reporter.username}`,
    ])
  })

  test('of time, moves and relations', async () => {
    const { owner, project, url, issue } = await planned()
    const { body: other } = await owner.post(`${project.url}/issues`, { title: 'Buy paint' })
    await owner.post(`${url}/time_estimate`, { duration: '3h30m' })
    await owner.post(`${url}/add_spent_time`, { duration: '1h' })
    await owner.post(`${url}/add_spent_time`, { duration: '-30m' })
    await owner.post(`${url}/links`, { target_project_id: String(project.id), target_issue_iid: other.iid, link_type: 'blocks' })

    assert.deepEqual(await systemNotes(owner, url), [
      'changed time estimate to 3h 30m',
      'added 1h of time spent',
      'subtracted 30m of time spent',
      `marked this issue as blocking #${other.iid}`,
    ])
    assert.deepEqual(await systemNotes(owner, `${project.url}/issues/${other.iid}`), [`marked this issue as blocked by #${issue.iid}`])
  })

  test('which cannot be edited or deleted', async () => {
    const { owner, url } = await planned()
    await owner.put(url, { title: 'Other' })
    const [note] = (await owner.get(`${url}/notes`)).body

    assert.deepEqual([note.system, note.author.id], [true, owner.id])
    assert.equal((await owner.put(`${url}/notes/${note.id}`, { body: 'Mine' })).status, 403)
    assert.equal((await owner.delete(`${url}/notes/${note.id}`)).status, 403)
  })
})

test('notes are copied when an issue moves, and both issues get a note', async () => {
  const { owner, issue, url } = await planned()
  const { project: to } = await scene.project({ owner })
  const { body: thread } = await owner.post(`${url}/discussions`, { body: 'Red?' })
  await owner.post(`${url}/discussions/${thread.id}/notes`, { body: 'Red.' })

  const { body: moved } = await owner.post(`${url}/move`, { to_project_id: to.id })

  const there = `${to.url}/issues/${moved.iid}`
  const [copied] = (await owner.get(`${there}/discussions`)).body
  assert.deepEqual(
    [copied.notes.map((note: { body: string }) => note.body), copied.id !== thread.id, moved.user_notes_count],
    [['Red?', 'Red.'], true, 2],
  )
  assert.deepEqual(await systemNotes(owner, there), [`moved from ${issue.references.full}`])
  assert.deepEqual(await systemNotes(owner, url), [`moved to ${moved.references.full}`])
})

describe('resource events', () => {
  test('are listed by kind with what has changed, by whom', async () => {
    const { owner, project, issue, url } = await planned({ labels: 'first' })
    const { body: milestone } = await owner.post(`${project.url}/milestones`, { title: 'One day' })
    await owner.put(url, { labels: 'second', milestone_id: milestone.id, weight: 3, state_event: 'close' })
    await owner.put(url, { milestone_id: 0, weight: null, state_event: 'reopen' })

    // biome-ignore lint/suspicious/noExplicitAny: JSON
    const facts = async (kind: string): Promise<any[]> => (await owner.get(`${url}/resource_${kind}_events`)).body

    const [closed, reopened] = await facts('state')
    assert.deepEqual(
      [closed.state, closed.resource_type, closed.resource_id, closed.user.id, reopened.state],
      ['closed', 'Issue', issue.id, owner.id, 'reopened'],
    )
    assert.deepEqual(
      (await facts('label')).map(({ action, label }) => [action, label.name]),
      [
        ['add', 'first'],
        ['add', 'second'],
        ['remove', 'first'],
      ],
    )
    assert.deepEqual(
      (await facts('milestone')).map(({ action, milestone, state }) => [action, milestone.title, state]),
      [
        ['add', 'One day', 'closed'],
        ['remove', 'One day', 'opened'],
      ],
    )
    assert.deepEqual(
      (await facts('weight')).map(({ weight, issue_id }) => [weight, issue_id]),
      [
        [3, issue.id],
        [null, issue.id],
      ],
    )
    assert.deepEqual((await owner.get(`${url}/resource_state_events/${closed.id}`)).body, closed)
    assert.equal((await owner.get(`${url}/resource_label_events/${closed.id}`)).status, 404)
  })

  test('are made for what a new issue is planned for, and a note for its due date', async () => {
    const { owner, project } = await planned()
    const { body: milestone } = await owner.post(`${project.url}/milestones`, { title: 'One day' })
    const { body: issue } = await owner.post(`${project.url}/issues`, {
      title: 'Planned',
      milestone_id: milestone.id,
      weight: 5,
      due_date: '2030-01-01',
    })
    const url = `${project.url}/issues/${issue.iid}`
    const [[added], [weight]] = [
      (await owner.get(`${url}/resource_milestone_events`)).body,
      (await owner.get(`${url}/resource_weight_events`)).body,
    ]

    assert.deepEqual([added.action, added.milestone.id, added.state, added.user.id], ['add', milestone.id, 'opened', owner.id])
    assert.deepEqual([weight.weight, weight.user.id], [5, owner.id])
    assert.deepEqual(await systemNotes(owner, url), ['changed due date to January 01, 2030'])
    const { body: threads } = await owner.get(`${url}/discussions`)
    assert.deepEqual(
      threads.map((thread: { notes: { body: string; system: boolean }[] }) => thread.notes.map(note => [note.body, note.system])),
      [[['changed due date to January 01, 2030', true]]],
    )
    const { body: other } = await owner.post(`${project.url}/issues`, { title: 'Weighed', weight: 0 })
    assert.deepEqual(
      (await owner.get(`${project.url}/issues/${other.iid}/resource_weight_events`)).body.map((fact: { weight: number }) => fact.weight),
      [0],
    )
    assert.deepEqual((await owner.get(`${project.url}/issues/${other.iid}/resource_milestone_events`)).body, [])
  })

  test('of a deleted label remain', async () => {
    const { owner, project, url } = await planned({ labels: 'first' })
    await owner.delete(`${project.url}/labels/first`)

    const [fact] = (await owner.get(`${url}/resource_label_events`)).body

    assert.deepEqual([fact.action, fact.label], ['add', null])
  })
})
