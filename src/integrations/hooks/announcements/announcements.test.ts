/** The events that hooks are notified of: webhook events and system hooks API at 14.0. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { addHookTo, openReceiver, workOf } from '../scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { deliver } = workOf(scene)

test('a push is announced with its commits, and the token in a header', async () => {
  const { project, owner } = await scene.project()
  const receiver = await openReceiver()
  const first = await scene.commit(project, { 'a.txt': 'a', 'b.txt': 'b' }, { message: 'Begin\n\nAt last.\n' })
  await deliver()
  await addHookTo(owner, project, { url: receiver.url, token: 'open sesame' })
  const actions = [
    { action: 'update', file_path: 'a.txt', content: 'changed' },
    { action: 'delete', file_path: 'b.txt' },
    { action: 'create', file_path: 'c.txt', content: 'c' },
  ]
  const { body: commit } = await owner.post(`${project.url}/repository/commits`, { branch: 'main', commit_message: 'Go on', actions })

  await deliver()

  const [request, ...others] = receiver.received
  assert.equal(others.length, 0)
  assert.equal(request?.headers['content-type'], 'application/json')
  assert.equal(request?.headers['x-gitlab-event'], 'Push Hook')
  assert.equal(request?.headers['x-gitlab-token'], 'open sesame')
  assert.match(request?.headers['x-gitlab-event-uuid'] as string, /^[0-9a-f-]{36}$/)
  const body = request?.body
  assert.deepEqual(body.commits, [
    {
      id: commit.id,
      message: 'Go on',
      title: 'Go on',
      timestamp: commit.committed_date.replace('.000', ''),
      url: `${body.project.web_url}/-/commit/${commit.id}`,
      author: { name: owner.name, email: owner.email },
      added: ['c.txt'],
      modified: ['a.txt'],
      removed: ['b.txt'],
    },
  ])
  const { object_kind, event_name, before, after, ref, checkout_sha, user_id, user_username, project_id, total_commits_count } = body
  assert.deepEqual(
    { object_kind, event_name, before, after, ref, checkout_sha, user_id, user_username, project_id, total_commits_count },
    {
      object_kind: 'push',
      event_name: 'push',
      before: first,
      after: commit.id,
      ref: 'refs/heads/main',
      checkout_sha: commit.id,
      user_id: owner.id,
      user_username: owner.username,
      project_id: project.id,
      total_commits_count: 1,
    },
  )
  assert.equal(body.project.path_with_namespace, project.full_path)
  assert.equal(body.repository.visibility_level, 0)
})

test('a push of many commits names the newest twenty, newest last, and counts all', async () => {
  const { project, owner } = await scene.project()
  const receiver = await openReceiver()
  await addHookTo(owner, project, { url: receiver.url })
  await scene.commit(project, { 'a.txt': '0' })
  for (let number = 1; number <= 21; number++) {
    const actions = [{ action: 'update', file_path: 'a.txt', content: String(number) }]
    await owner.post(`${project.url}/repository/commits`, {
      branch: 'topic',
      start_branch: number === 1 ? 'main' : undefined,
      commit_message: `${number}`,
      actions,
    })
  }
  await owner.post(`${project.url}/repository/branches`, { branch: 'all', ref: 'topic' })

  await deliver()

  const { body } = receiver.received.at(-1)!
  assert.equal(body.ref, 'refs/heads/all')
  assert.equal(body.total_commits_count, 21)
  assert.equal(body.commits.length, 20)
  assert.deepEqual([body.commits[0].title, body.commits[19].title], ['2', '21'])
})

test('tags, removed branches and branch filters: each hook hears what it wants', async () => {
  const { project, owner } = await scene.project()
  const [tags, releases] = [await openReceiver(), await openReceiver()]
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  await deliver()
  await addHookTo(owner, project, { url: tags.url, push_events: false, tag_push_events: true })
  await addHookTo(owner, project, { url: releases.url, push_events_branch_filter: 'rel-*' })

  await owner.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main', message: 'First' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'rel-1', ref: 'main' })
  await owner.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  await owner.delete(`${project.url}/repository/branches/rel-1`)
  await deliver()

  const [tag] = tags.received
  assert.equal(tags.received.length, 1)
  assert.equal(tag?.headers['x-gitlab-event'], 'Tag Push Hook')
  assert.deepEqual(
    [tag?.body.object_kind, tag?.body.ref, tag?.body.checkout_sha, tag?.body.message],
    ['tag_push', 'refs/tags/v1', sha, 'First'],
  )
  assert.deepEqual(
    releases.received.map(({ body }) => [body.ref, body.after, body.checkout_sha, body.commits.length]),
    [
      ['refs/heads/rel-1', sha, sha, 0],
      ['refs/heads/rel-1', '0'.repeat(40), null, 0],
    ],
  )
})

test('hooks of the groups above and of the instance are notified too, the latter as system hooks', async () => {
  const { group, owner } = await scene.group()
  const { group: below } = await scene.group({ parent: group, owner })
  const { project } = await scene.project({ group: below })
  const [ofGroup, ofInstance] = [await openReceiver(), await openReceiver()]
  await addHookTo(owner, group, { url: ofGroup.url })
  await deliver()
  const system = await addHookTo(scene.root, { url: '' }, { url: ofInstance.url, push_events: true })

  const sha = await scene.commit(project, { 'a.txt': 'a' })
  await deliver()
  await scene.root.delete(system)

  assert.deepEqual(
    ofGroup.received.map(({ body }) => body.after),
    [sha],
  )
  assert.deepEqual(
    ofInstance.received.map(({ headers, body }) => [headers['x-gitlab-event'], body.event_name]),
    [
      ['System Hook', 'push'],
      ['System Hook', 'repository_update'],
    ],
  )
  assert.deepEqual(ofInstance.received[1]?.body.changes, [{ before: '0'.repeat(40), after: sha, ref: 'refs/heads/main' }])
})

test('system hooks are notified of users, groups, projects and members', async () => {
  const receiver = await openReceiver()
  await deliver()
  const system = await addHookTo(scene.root, { url: '' }, { url: receiver.url })

  const { group, owner } = await scene.group()
  const { project } = await scene.project({ group, owner, members: ['maintainer'] })
  await owner.put(project.url, { description: 'New' })
  await owner.put(project.url, { path: 'elsewhere' })
  await deliver()
  const { group: other } = await scene.group({ owner })
  await owner.put(`${project.url}/transfer`, { namespace: other.id })
  await deliver()
  await owner.delete(project.url)
  await owner.delete(group.url)
  await deliver()
  await scene.root.delete(system)

  const bodies = receiver.received.map(({ body }) => body)
  assert.deepEqual(
    bodies.map(({ event_name }) => event_name),
    [
      'user_create',
      'user_add_to_group',
      'group_create',
      'project_create',
      'user_create',
      'user_add_to_team',
      'project_update',
      'project_rename',
      'user_add_to_group',
      'group_create',
      'project_transfer',
      'project_destroy',
      'group_destroy',
    ],
  )
  const rename = bodies.find(({ event_name }) => event_name === 'project_rename')
  assert.deepEqual(
    [rename.old_path_with_namespace, rename.path_with_namespace, rename.owner_name],
    [project.full_path, `${group.full_path}/elsewhere`, group.name],
  )
  assert.equal(bodies.find(({ event_name }) => event_name === 'user_add_to_team').access_level, 'Maintainer')
  assert.equal(bodies.find(({ event_name }) => event_name === 'project_destroy').path_with_namespace, `${other.full_path}/elsewhere`)
})

test('hooks of a group hear of subgroups that come and go', async () => {
  const { group, owner } = await scene.group()
  const receiver = await openReceiver()
  await addHookTo(owner, group, { url: receiver.url, push_events: false, subgroup_events: true })
  const { group: below } = await scene.group({ parent: group, owner })
  await deliver()
  await owner.delete(below.url)
  await deliver()

  assert.deepEqual(
    receiver.received.map(({ headers, body }) => [headers['x-gitlab-event'], body.event_name, body.full_path, body.parent_full_path]),
    [
      ['Subgroup Hook', 'subgroup_create', below.full_path, group.full_path],
      ['Subgroup Hook', 'subgroup_destroy', below.full_path, group.full_path],
    ],
  )
})

test('issues are announced with their changes, and confidential ones only to hooks that subscribe to confidential issues', async () => {
  const { project, owner } = await scene.project()
  const [open, secret] = [await openReceiver(), await openReceiver()]
  await addHookTo(owner, project, { url: open.url, push_events: false, issues_events: true })
  await addHookTo(owner, project, { url: secret.url, push_events: false, confidential_issues_events: true })

  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'Open', labels: 'bug' })
  await deliver()
  await owner.put(`${project.url}/issues/${issue.iid}`, { title: 'Opened', add_labels: 'urgent' })
  await owner.put(`${project.url}/issues/${issue.iid}`, { state_event: 'close' })
  await owner.post(`${project.url}/issues`, { title: 'Secret', confidential: true })
  await deliver()

  assert.deepEqual(
    open.received.map(({ headers, body }) => [headers['x-gitlab-event'], body.object_attributes.action, body.user.username]),
    ['open', 'update', 'close'].map(action => ['Issue Hook', action, owner.username]),
  )
  const { changes } = open.received[1]!.body
  assert.deepEqual(changes.title, { previous: 'Open', current: 'Opened' })
  assert.deepEqual(
    changes.labels.current.map(({ title }: { title: string }) => title),
    ['bug', 'urgent'],
  )
  assert.deepEqual(open.received[2]!.body.changes, { state_id: { previous: 1, current: 2 } })
  assert.deepEqual(
    secret.received.map(({ headers, body }) => [headers['x-gitlab-event'], body.event_type, body.object_attributes.title]),
    [['Confidential Issue Hook', 'confidential_issue', 'Secret']],
  )
})

test('hooks of an archived project are silent', async () => {
  const { project, owner } = await scene.project()
  const receiver = await openReceiver()
  await addHookTo(owner, project, { url: receiver.url })
  await scene.commit(project, { 'a.txt': 'a' })
  await owner.post(`${project.url}/archive`)

  await deliver()

  assert.equal(receiver.received.length, 0)
})

test('an event that is processed twice is announced once', async () => {
  const { project, owner } = await scene.project()
  const receiver = await openReceiver()
  await addHookTo(owner, project, { url: receiver.url })
  await scene.commit(project, { 'a.txt': 'a' })

  await deliver()
  await workOf(scene).deliver()

  assert.equal(receiver.received.length, 1)
})

test('a push of more than three branches is announced only as a whole', async () => {
  const { project, owner } = await scene.project()
  const receiver = await openReceiver()
  await deliver()
  await addHookTo(owner, project, { url: receiver.url })
  const move = (name: string) => ({ ref: `refs/heads/${name}`, old: '0'.repeat(40), new: '1'.repeat(40) })
  const { db } = scene.deps.database
  const payload = JSON.stringify({ moves: ['a', 'b', 'c', 'd'].map(move) })
  await db.insertInto('events').values({ kind: 'repository.updated', payload, project_id: project.id }).execute()

  await deliver()

  assert.equal(receiver.received.length, 0)
})

test('notes on an issue are announced; confidential ones under their own switch', async () => {
  const { project, owner } = await scene.project()
  const open = await openReceiver()
  const few = await openReceiver()
  const { body: issue } = await owner.post(`${project.url}/issues`, { title: 'Paint the shed' })
  await deliver()
  await addHookTo(owner, project, { url: open.url, push_events: false, note_events: true })
  await addHookTo(owner, project, { url: few.url, push_events: false, confidential_note_events: true })
  const { body: note } = await owner.post(`${project.url}/issues/${issue.iid}/notes`, { body: 'Red?' })
  await owner.post(`${project.url}/issues/${issue.iid}/notes`, { body: 'Between us', confidential: true })
  await owner.put(`${project.url}/issues/${issue.iid}`, { title: 'Paint it' })

  await deliver()

  const [request, ...others] = open.received
  assert.equal(others.length, 0)
  assert.equal(request?.headers['x-gitlab-event'], 'Note Hook')
  const { object_kind, event_type, user, project_id, object_attributes, issue: about } = request?.body ?? {}
  assert.deepEqual([object_kind, event_type, user.id, project_id, about.id], ['note', 'note', owner.id, project.id, issue.id])
  assert.deepEqual(
    [object_attributes.id, object_attributes.note, object_attributes.noteable_type, object_attributes.action, object_attributes.url],
    [note.id, 'Red?', 'Issue', 'create', `${scene.url}/${project.full_path}/-/issues/${issue.iid}#note_${note.id}`],
  )
  assert.deepEqual(
    few.received.map(({ headers, body }) => [headers['x-gitlab-event'], body.event_type, body.object_attributes.note]),
    [['Confidential Note Hook', 'confidential_note', 'Between us']],
  )
})

test('merge requests are announced with their branches, their last commit and their changes', async () => {
  const { project, owner, developer } = await scene.project({ members: ['developer'] })
  const receiver = await openReceiver()
  await addHookTo(owner, project, { url: receiver.url, push_events: false, merge_requests_events: true })
  const hook = (await owner.get(`${project.url}/hooks`)).body[0]
  assert.equal((await owner.post(`${project.url}/hooks/${hook.id}/test/merge_requests_events`)).status, 422)
  const { id, url, sha, source_branch } = await scene.mergeRequest(project, { author: developer })
  await deliver()
  await owner.put(url, { title: 'Draft: Paint', reviewer_ids: [developer.id], labels: 'wood' })
  await owner.put(url, { state_event: 'close' })
  await owner.put(url, { state_event: 'reopen' })
  await owner.post(`${url}/approve`)
  await deliver()

  assert.deepEqual(
    receiver.received.map(({ headers, body }) => [headers['x-gitlab-event'], body.object_kind, body.object_attributes.action]),
    ['open', 'update', 'close', 'reopen', 'approved'].map(action => ['Merge Request Hook', 'merge_request', action]),
  )
  const [opened, updated, closed] = receiver.received.map(({ body }) => body)
  assert.deepEqual(
    [opened.user.username, opened.object_attributes.id, opened.object_attributes.source_branch, opened.object_attributes.target_branch],
    [developer.username, id, source_branch, 'main'],
  )
  assert.deepEqual([opened.object_attributes.last_commit.id, opened.object_attributes.target.id], [sha, project.id])
  assert.deepEqual(updated.changes.title, { previous: 'Paint the shed', current: 'Draft: Paint' })
  assert.deepEqual(
    [
      updated.changes.reviewers.current[0].username,
      updated.reviewers[0].username,
      updated.labels[0].title,
      updated.object_attributes.draft,
    ],
    [developer.username, developer.username, 'wood', true],
  )
  assert.deepEqual(closed.changes, { state_id: { previous: 1, current: 2 } })
  assert.equal((await owner.post(`${project.url}/hooks/${hook.id}/test/merge_requests_events`)).status, 201)
  await owner.put(`${project.url}/hooks/${hook.id}`, { url: receiver.url, merge_requests_events: false, note_events: true })
  await owner.post(`${url}/notes`, { body: 'Red?' })
  await deliver()
  const { object_attributes: said, merge_request: about } = receiver.received.at(-1)!.body
  assert.deepEqual(
    [said.note, said.noteable_type, said.noteable_id, about.id, about.source_branch],
    ['Red?', 'MergeRequest', id, id, source_branch],
  )
})

test('a feature flag that is switched is announced, and none that changes otherwise', async () => {
  const { project, owner } = await scene.project()
  const receiver = await openReceiver()
  await addHookTo(owner, project, { url: receiver.url, push_events: false, feature_flag_events: true })
  const url = `${project.url}/feature_flags`
  await owner.post(url, { name: 'checkout', description: 'The short one' })
  await owner.put(`${url}/checkout`, { active: true, description: 'The shorter one' })
  await owner.put(`${url}/checkout`, { active: false })

  await deliver()

  const [request, ...others] = receiver.received
  assert.equal(others.length, 0)
  assert.equal(request?.headers['x-gitlab-event'], 'Feature Flag Hook')
  const { object_kind, user, user_url, object_attributes, project: shown } = request?.body ?? {}
  assert.deepEqual([object_kind, user.username, user_url], ['feature_flag', owner.username, `${scene.url}/${owner.username}`])
  assert.equal(shown.id, project.id)
  assert.deepEqual({ ...object_attributes, id: 0 }, { id: 0, name: 'checkout', description: 'The shorter one', active: false })
})
