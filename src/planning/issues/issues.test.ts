import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person, type SceneProject } from '../../../test/scene.ts'

const scene = await openScene()

const create = async (who: Person, project: SceneProject, attributes: object = {}) => {
  const answer = await who.post(`${project.url}/issues`, { title: 'Paint the shed', ...attributes })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return { ...answer.body, url: `${project.url}/issues/${answer.body.iid}` }
}

/** The recorded change sets of an issue. */
const changesOf = async (issueId: number) => {
  const events = await scene.deps.database.db
    .selectFrom('events')
    .select('payload')
    .where('kind', '=', 'issue.updated')
    .orderBy('id')
    .execute()
  return events
    .map(event => event.payload as { issue_id: number; changes: object })
    .filter(payload => payload.issue_id === issueId)
    .map(payload => payload.changes)
}

test('an issue has every field of document 3', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const milestone = await owner.post(`${project.url}/milestones`, { title: 'v1', due_date: '2030-01-01' })
  const issue = await create(owner, project, {
    description: '- [x] sand\n- [ ] paint',
    labels: 'wood,colour',
    assignee_ids: [developer.id],
    milestone_id: milestone.body.id,
    due_date: '2030-02-01',
    weight: 4,
    health_status: 'on_track',
    issue_type: 'incident',
    confidential: true,
  })
  const { body } = await owner.get(issue.url)

  const api = `${scene.url}/api/v4/projects/${project.id}`
  assert.deepEqual(
    {
      ...body,
      author: body.author.id,
      assignees: body.assignees.map((user: { id: number }) => user.id),
      assignee: body.assignee.id,
      milestone: body.milestone.title,
    },
    {
      id: issue.id,
      iid: 1,
      project_id: project.id,
      title: 'Paint the shed',
      description: '- [x] sand\n- [ ] paint',
      state: 'opened',
      created_at: issue.created_at,
      updated_at: issue.created_at,
      closed_at: null,
      closed_by: null,
      labels: ['colour', 'wood'],
      milestone: 'v1',
      assignees: [developer.id],
      author: owner.id,
      type: 'INCIDENT',
      assignee: developer.id,
      user_notes_count: 0,
      merge_requests_count: 0,
      upvotes: 0,
      downvotes: 0,
      due_date: '2030-02-01',
      confidential: true,
      discussion_locked: false,
      issue_type: 'incident',
      web_url: `${scene.url}/${project.full_path}/-/issues/1`,
      time_stats: { time_estimate: 0, total_time_spent: 0, human_time_estimate: null, human_total_time_spent: null },
      has_tasks: true,
      task_status: '1 of 2 tasks completed',
      task_completion_status: { count: 2, completed_count: 1 },
      _links: { self: `${api}/issues/1`, notes: `${api}/issues/1/notes`, award_emoji: `${api}/issues/1/award_emoji`, project: api },
      reference: '#1',
      references: { short: '#1', relative: '#1', full: `${project.full_path}#1` },
      moved_to_id: null,
      service_desk_reply_to: null,
      weight: 4,
      epic_iid: null,
      epic: null,
      iteration: null,
      health_status: 'on_track',
      subscribed: true,
    },
  )
})

test('null for labels or assignees removes them all, as an empty list does (public behaviour at 14.0)', async () => {
  const { project, owner } = await scene.project()
  const path = `${project.url}/issues/1`
  const given = { labels: ['wood', 'paint'], assignee_ids: [owner.id] }
  await owner.post(`${project.url}/issues`, { title: 'Shed', ...given })

  for (const nothing of [null, [], ''])
    for (const name of ['labels', 'assignee_ids'] as const) {
      const changed = await owner.put(path, { [name]: nothing })
      assert.deepEqual([changed.status, changed.body[name === 'labels' ? name : 'assignees']], [200, []], `${name}: ${nothing}`)
      await owner.put(path, given)
    }
})

test('unset fields of an issue are null, never missing (decision 42)', async () => {
  const { project, owner } = await scene.project()
  const issue = await create(owner, project)

  for (const field of [
    'description',
    'closed_by',
    'closed_at',
    'milestone',
    'assignee',
    'weight',
    'epic',
    'iteration',
    'health_status',
    'due_date',
    'moved_to_id',
  ])
    assert.equal(issue[field], null, field)
  assert.equal(issue.type, 'ISSUE')
  assert.equal(issue.task_status, '0 of 0 tasks completed')
})

test('closing and reopening record user and time; repeating them changes nothing', async () => {
  const { project, owner } = await scene.project()
  const issue = await create(owner, project)

  const closed = await owner.put(issue.url, { state_event: 'close' })
  assert.equal(closed.status, 200)
  assert.equal(closed.body.state, 'closed')
  assert.equal(closed.body.closed_by.id, owner.id)
  assert.notEqual(closed.body.closed_at, null)
  assert.deepEqual((await owner.put(issue.url, { state_event: 'close' })).body, closed.body)
  assert.equal((await owner.get(project.url)).body.open_issues_count, 0)

  const reopened = await owner.put(issue.url, { state_event: 'reopen' })
  assert.deepEqual([reopened.body.state, reopened.body.closed_at, reopened.body.closed_by], ['opened', null, null])
  assert.equal((await owner.get(project.url)).body.open_issues_count, 1)
  assert.deepEqual(await changesOf(issue.id), [{ state: { from: 'opened', to: 'closed' } }, { state: { from: 'closed', to: 'opened' } }])
})

test('two concurrent requests to close record one event', async () => {
  const { project, owner, reporter } = await scene.project({ members: ['reporter'] })
  const issue = await create(owner, project)

  const answers = await Promise.all([owner, reporter, owner, reporter].map(who => who.put(issue.url, { state_event: 'close' })))

  assert.deepEqual(
    answers.map(answer => answer.status),
    [200, 200, 200, 200],
  )
  assert.equal((await changesOf(issue.id)).length, 1)
  assert.equal((await owner.get(project.url)).body.open_issues_count, 0)
})

test('concurrently created issues have numbers without gaps, also after refusals', async () => {
  const { project, owner } = await scene.project()
  const titles = Array.from({ length: 24 }, (_, index) => (index % 4 === 3 ? ' ' : `Issue ${index}`))

  const answers = await Promise.all(titles.map(title => owner.post(`${project.url}/issues`, { title })))

  const iids = answers.filter(answer => answer.status === 201).map(answer => answer.body.iid)
  assert.equal(answers.filter(answer => answer.status === 400).length, 6)
  assert.deepEqual(
    iids.sort((a, b) => a - b),
    Array.from({ length: 18 }, (_, index) => index + 1),
  )
  await owner.delete(`${project.url}/issues/18`)
  assert.equal((await create(owner, project)).iid, 19, 'a number is not given again')
})

test('an update records old and new values of changed fields only', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const issue = await create(owner, project, { labels: 'a,b' })
  const ids = async (name: string) => (await owner.get(`${project.url}/labels/${name}`)).body.id

  await owner.put(issue.url, { title: 'Paint the shed', labels: 'b,c', assignee_ids: [developer.id], weight: 2 })

  const [a, b, c] = [await ids('a'), await ids('b'), await ids('c')]
  assert.deepEqual(await changesOf(issue.id), [
    { weight: { from: null, to: 2 }, labels: { from: [a, b], to: [b, c] }, assignees: { from: [], to: [developer.id] } },
  ])
  const before = (await owner.get(issue.url)).body.updated_at
  await owner.put(issue.url, { weight: 2 })
  assert.equal((await owner.get(issue.url)).body.updated_at, before, 'no change, no new time')
})

test('labels are set, added and removed by name; an empty list removes all', async () => {
  const { project, owner } = await scene.project()
  const issue = await create(owner, project, { labels: ['one', 'two'] })
  const labels = async (body: object) => (await owner.put(issue.url, body)).body.labels

  assert.deepEqual(await labels({ add_labels: 'three' }), ['one', 'three', 'two'])
  assert.deepEqual(await labels({ remove_labels: 'one,unknown' }), ['three', 'two'])
  assert.deepEqual(await labels({ add_labels: 'four', remove_labels: 'three' }), ['four', 'two'])
  assert.deepEqual(await labels({ labels: 'a/b,🐛 bug,x & y?' }), ['a/b', 'x & y?', '🐛 bug'])
  assert.deepEqual(await labels({ labels: '' }), [])
})

test('assignees, milestone, due date and weight are removed by 0, an empty value or null', async () => {
  const { project, owner } = await scene.project()
  const milestone = await owner.post(`${project.url}/milestones`, { title: 'v1' })
  const set = { assignee_ids: [owner.id], milestone_id: milestone.body.id, due_date: '2030-01-01', weight: 1 }
  for (const unset of [
    { assignee_ids: [0], milestone_id: 0, due_date: '', weight: null },
    { assignee_ids: [], milestone_id: null, due_date: null, weight: null },
    { assignee_id: 0, milestone_id: '', due_date: '', weight: '' },
  ]) {
    const issue = await create(owner, project, set)
    const { body } = await owner.put(issue.url, unset)
    assert.deepEqual([body.assignees, body.milestone, body.due_date, body.weight], [[], null, null, null], JSON.stringify(unset))
  }
})

test('users who may not see the issues are not assigned; a milestone of another place is a 400', async () => {
  const { project, owner } = await scene.project()
  const other = await scene.project()
  const foreign = await other.owner.post(`${other.project.url}/milestones`, { title: 'v1' })

  assert.deepEqual((await create(owner, project, { assignee_ids: [other.owner.id, 999_999_999] })).assignees, [])
  const refused = await owner.post(`${project.url}/issues`, { title: 'x', milestone_id: foreign.body.id })
  assert.deepEqual(refused, { status: 400, body: { message: { milestone_id: ['is invalid'] } } })
})

test('titles have at most 255 characters and descriptions a megabyte; blank titles and impossible dates are refused', async () => {
  const { project, owner } = await scene.project()
  const post = async (body: object) => (await owner.post(`${project.url}/issues`, body)).status

  assert.equal(await post({ title: 'x'.repeat(255) }), 201)
  assert.equal(await post({ title: 'x'.repeat(256) }), 400)
  assert.equal(await post({ title: 'x'.repeat(1024 * 1024) }), 400)
  assert.equal(await post({ title: '   ' }), 400)
  assert.equal(await post({ title: 'x', description: 'y'.repeat(1024 * 1024) }), 201)
  assert.equal(await post({ title: 'x', description: 'y'.repeat(1024 * 1024 + 1) }), 400)
  assert.equal(await post({ title: 'x', due_date: '2021-02-30' }), 400)
  assert.equal(await post({ title: 'x', weight: -1 }), 400)
  assert.deepEqual(await owner.post(`${project.url}/issues`, {}), { status: 400, body: { message: '400 (Bad request) "title" not given' } })
})

test('only owners and administrators may set numbers and times; a number that is taken is a 409', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const chosen = { iid: 41, created_at: '2020-01-01T00:00:00.000Z' }

  const ofDeveloper = await create(developer, project, chosen)
  assert.equal(ofDeveloper.iid, 1)
  assert.notEqual(ofDeveloper.created_at, chosen.created_at)
  const ofOwner = await create(owner, project, chosen)
  assert.deepEqual([ofOwner.iid, ofOwner.created_at], [41, chosen.created_at])
  assert.equal((await owner.post(`${project.url}/issues`, { title: 'x', iid: 41 })).status, 409)
  assert.equal((await create(developer, project)).iid, 42)
  const last = await owner.post(`${project.url}/issues`, { title: 'x', iid: 2_147_483_647 })
  assert.equal(last.status, 400, 'the next one would have no address')
  const changed = await scene.root.put(ofOwner.url, { title: 'y', updated_at: '2020-02-02T00:00:00Z' })
  assert.equal(changed.body.updated_at, '2020-02-02T00:00:00.000Z')
})

test('authors change text and state of their own issues; planning takes a Reporter', async () => {
  const { project, guest, owner } = await scene.project({ members: ['guest'] })
  const issue = await create(guest, project, { labels: 'x', weight: 1, assignee_ids: [guest.id], confidential: true })
  assert.deepEqual([issue.labels, issue.weight, issue.assignees, issue.confidential], [[], null, [], true])

  const { status, body } = await guest.put(issue.url, { title: 'Better', labels: 'x', confidential: false, state_event: 'close' })
  assert.deepEqual([status, body.title, body.labels, body.confidential, body.state], [200, 'Better', [], true, 'closed'])
  const theirs = await create(owner, project)
  assert.equal((await guest.put(theirs.url, { title: 'Mine now' })).status, 403)
  await owner.put(theirs.url, { assignee_ids: [guest.id] })
  assert.equal((await guest.put(theirs.url, { state_event: 'close' })).status, 200, 'assignees too')
  assert.equal((await guest.delete(issue.url)).status, 403)
})

test('a confidential issue is a 404 for others on every endpoint (decision 34)', async () => {
  const { project, owner, guest } = await scene.project({ visibility: 'public', members: ['guest'] })
  const issue = await create(owner, project, { confidential: true })

  for (const who of [guest, scene.anonymous])
    for (const suffix of ['', '/participants', '/time_stats', '/links'])
      assert.equal((await who.get(`${issue.url}${suffix}`)).status, 404, suffix)
  assert.deepEqual(await guest.post(`${issue.url}/time_estimate`, { duration: '1h' }), {
    status: 404,
    body: { message: '404 Issue Not Found' },
  })
  assert.equal((await guest.put(issue.url, { title: 'x' })).status, 404)
})

test('administrators get any issue by its id; others get no information', async () => {
  const { project, owner } = await scene.project()
  const issue = await create(owner, project)

  assert.equal((await scene.root.get(`/issues/${issue.id}`)).body.references.relative, `${project.full_path}#1`)
  assert.equal((await scene.root.get('/issues/999999999')).status, 404)
  assert.equal((await owner.get(`/issues/${issue.id}`)).status, 403)
  assert.equal((await owner.get('/issues/999999999')).status, 403)
  assert.equal((await scene.anonymous.get(`/issues/${issue.id}`)).status, 401)
})

test('subscribing twice is a 304, and authors and assignees are subscribed from the start', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  const issue = await create(owner, project)

  assert.equal((await owner.post(`${issue.url}/subscribe`)).status, 304)
  const subscribed = await guest.post(`${issue.url}/subscribe`)
  assert.deepEqual([subscribed.status, subscribed.body.subscribed], [201, true])
  assert.equal((await guest.post(`${issue.url}/subscribe`)).status, 304)
  const left = await guest.post(`${issue.url}/unsubscribe`)
  assert.deepEqual([left.status, left.body.subscribed], [201, false])
  assert.equal((await guest.post(`${issue.url}/unsubscribe`)).status, 304)
})

test('participants are the author and the assignees', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  const issue = await create(guest, project)
  await owner.put(issue.url, { assignee_ids: [owner.id] })

  const { body } = await owner.get(`${issue.url}/participants`)
  assert.deepEqual(
    body.map((user: { id: number }) => user.id),
    [owner.id, guest.id].sort((a, b) => a - b),
  )
})

test('sender details of the creating request are for administrators', async () => {
  const { project, owner } = await scene.project()
  const { body } = await owner.post(`${project.url}/issues`, { title: 'x' }, { 'user-agent': 'Example/1.0' })
  const path = `${project.url}/issues/${body.iid}/user_agent_detail`

  assert.deepEqual(await scene.root.get(path), {
    status: 200,
    body: { user_agent: 'Example/1.0', ip_address: '127.0.0.1', akismet_submitted: false },
  })
  assert.equal((await owner.get(path)).status, 403)
})

test('issues are moved between others; neighbours in the wrong order are refused', async () => {
  const { project, owner } = await scene.project()
  const [a, b, c] = [
    await create(owner, project, { title: 'a' }),
    await create(owner, project, { title: 'b' }),
    await create(owner, project, { title: 'c' }),
  ]
  const order = async () =>
    (await owner.get(`${project.url}/issues`, { order_by: 'relative_position', sort: 'asc' })).body
      .map((issue: { title: string }) => issue.title)
      .join('')
  const move = (issue: { url: string }, body: object) => owner.put(`${issue.url}/reorder`, body)

  assert.equal((await move(c, { move_after_id: a.id, move_before_id: b.id })).status, 200)
  assert.equal(await order(), 'acb')
  await move(b, { move_before_id: a.id })
  assert.equal(await order(), 'bac')
  await move(b, { move_after_id: c.id })
  assert.equal(await order(), 'acb')
  for (let round = 0; round < 20; round++) await move(round % 2 ? b : c, { move_after_id: a.id })
  assert.equal(await order(), 'abc', 'there is always a place in between')
  assert.equal((await move(a, { move_after_id: c.id, move_before_id: b.id })).status, 400)
  assert.equal((await move(a, { move_after_id: a.id })).status, 400)
  assert.equal((await move(a, { move_after_id: 999_999_999 })).status, 404)
  assert.equal((await move(a, {})).status, 400)
})

test('a deleted issue is gone with all that belongs to it, and is not counted', async () => {
  const { project, owner } = await scene.project()
  const issue = await create(owner, project, { labels: 'x' })

  assert.deepEqual(await owner.delete(issue.url), { status: 204, body: undefined })
  assert.equal((await owner.get(issue.url)).status, 404)
  assert.equal((await owner.get(project.url)).body.open_issues_count, 0)
})

test('deleting a group deletes its issues', async () => {
  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner })
  await create(owner, project, { labels: 'x' })

  assert.ok([202, 204].includes((await owner.delete(group.url)).status))
  assert.equal((await owner.get(`${project.url}/issues`)).status, 404)
})

test('issues of a deleted user are reassigned to the ghost user, or deleted on request', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const [leaving, erased] = [await scene.user(), await scene.user()]
  const kept = await create(leaving, project)
  const gone = await create(erased, project)

  assert.equal((await scene.root.delete(`/users/${leaving.id}`)).status, 204)
  assert.equal((await scene.root.delete(`/users/${erased.id}`, { hard_delete: true })).status, 204)

  assert.equal((await owner.get(kept.url)).body.author.name, 'Ghost User')
  assert.equal((await owner.get(gone.url)).status, 404)
  assert.equal((await owner.get(project.url)).body.open_issues_count, 1)
})
