/** Events API of the v4 level 14.0: feeds of users and projects. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Client, openScene } from '../../../test/scene.ts'
import { moveReferences } from '../../code/ref_updates/move.ts'
import { systemContext } from '../../platform/kernel/context.ts'

const scene = await openScene()

// biome-ignore lint/suspicious/noExplicitAny: JSON
type Row = any

/** The entries of a feed, the oldest first. */
const feedAt = async (client: Client, url: string, query: Record<string, string> = {}): Promise<Row[]> =>
  (await client.get(url, { sort: 'asc', ...query })).body

const actions = (rows: Row[]) => rows.map(row => row.action_name)

describe('the feed of a project', () => {
  test('shows its creation, pushes, and members who joined and left', async () => {
    const { project, owner } = await scene.project()
    const person = await scene.user()
    await scene.commit(project, { 'a.txt': 'a' }, { message: 'First words\n\nMore of them' })
    await owner.post(`${project.url}/members`, { user_id: person.id, access_level: 30 })
    await owner.delete(`${project.url}/members/${person.id}`)

    const rows = await feedAt(owner, `${project.url}/events`)

    assert.deepEqual(
      rows.map(row => [row.action_name, row.author_username, row.target_type, row.target_id, row.project_id]),
      [
        ['created', owner.username, null, null, project.id],
        ['pushed new', scene.root.username, null, null, project.id],
        ['joined', person.username, null, null, project.id],
        ['left', person.username, null, null, project.id],
      ],
    )
    assert.equal(rows[0].author.id, owner.id)
  })

  test('shows the content of each push', async () => {
    const { project, owner } = await scene.project()
    const first = await scene.commit(project, { 'a.txt': 'a' }, { message: 'First words\n\nMore of them' })
    const second = await scene.commit(project, { 'b.txt': 'b' }, { message: 'x'.repeat(80) })
    await owner.post(`${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
    const third = await scene.commit(project, { 'c.txt': 'c' }, { branch: 'topic' })
    await owner.post(`${project.url}/repository/tags`, { tag_name: 'v1', ref: 'main' })
    await owner.delete(`${project.url}/repository/branches/topic`)

    const rows = await feedAt(owner, `${project.url}/events`, { action: 'pushed' })

    const branch = { ref_type: 'branch', ref_count: null }
    assert.deepEqual(
      rows.map(row => [row.action_name, row.push_data]),
      [
        [
          'pushed new',
          { ...branch, action: 'created', ref: 'main', commit_from: null, commit_to: first, commit_count: 1, commit_title: 'First words' },
        ],
        [
          'pushed to',
          {
            ...branch,
            action: 'pushed',
            ref: 'main',
            commit_from: first,
            commit_to: second,
            commit_count: 1,
            commit_title: `${'x'.repeat(67)}...`,
          },
        ],
        [
          'pushed new',
          {
            ...branch,
            action: 'created',
            ref: 'topic',
            commit_from: null,
            commit_to: second,
            commit_count: 0,
            commit_title: `${'x'.repeat(67)}...`,
          },
        ],
        [
          'pushed to',
          {
            ...branch,
            action: 'pushed',
            ref: 'topic',
            commit_from: second,
            commit_to: third,
            commit_count: 1,
            commit_title: 'Change files',
          },
        ],
        [
          'pushed new',
          {
            action: 'created',
            ref_type: 'tag',
            ref: 'v1',
            ref_count: null,
            commit_from: null,
            commit_to: second,
            commit_count: 1,
            commit_title: `${'x'.repeat(67)}...`,
          },
        ],
        [
          'deleted',
          { ...branch, action: 'removed', ref: 'topic', commit_from: third, commit_to: null, commit_count: 0, commit_title: null },
        ],
      ],
    )
  })

  test('hides pushes from users who may not read the code', async () => {
    const { project, guest, reporter } = await scene.project({ members: ['guest', 'reporter'] })
    await scene.commit(project, { 'a.txt': 'a' })

    assert.ok(actions(await feedAt(reporter, `${project.url}/events`)).includes('pushed new'))
    assert.ok(!actions(await feedAt(guest, `${project.url}/events`)).includes('pushed new'))
  })

  test('hides pushes of a public project from outsiders when its repository is for members', async () => {
    const { project, guest } = await scene.project({ visibility: 'public', repository_access_level: 'private', members: ['guest'] })
    await scene.commit(project, { 'a.txt': 'a' })

    assert.ok(!actions(await feedAt(scene.anonymous, `${project.url}/events`)).includes('pushed new'))
    assert.ok(actions(await feedAt(guest, `${project.url}/events`)).includes('pushed new'))
  })
})

test('milestones are shown with their title, and without it after their deletion', async () => {
  const { project, owner } = await scene.project()
  const { body: milestone } = await owner.post(`${project.url}/milestones`, { title: 'First harvest' })
  await owner.put(`${project.url}/milestones/${milestone.id}`, { state_event: 'close' })

  const rows = await feedAt(owner, `${project.url}/events`, { target_type: 'milestone' })

  assert.deepEqual(
    rows.map(row => [row.action_name, row.target_type, row.target_id, row.target_iid, row.target_title]),
    ['opened', 'closed'].map(action => [action, 'Milestone', milestone.id, milestone.iid, 'First harvest']),
  )
  await owner.delete(`${project.url}/milestones/${milestone.id}`)
  const after = await feedAt(owner, `${project.url}/events`, { target_type: 'milestone' })
  assert.deepEqual(
    after.map(row => [row.action_name, row.target_title]),
    [
      ['opened', null],
      ['closed', null],
      ['destroyed', null],
    ],
  )
})

test('the feed hides milestones from outsiders where only members see issues and merge requests', async () => {
  const { project, owner } = await scene.project({
    visibility: 'public',
    issues_access_level: 'private',
    merge_requests_access_level: 'private',
  })
  await owner.post(`${project.url}/milestones`, { title: 'First harvest' })

  assert.equal((await feedAt(owner, `${project.url}/events`, { target_type: 'milestone' })).length, 1)
  assert.deepEqual(await feedAt(scene.anonymous, `${project.url}/events`, { target_type: 'milestone' }), [])
})

describe('the feed of a user', () => {
  test('shows others what they may see, whatever project it was in', async () => {
    const person = await scene.user()
    const { project: hidden } = await scene.project({ owner: person })
    const { project: open } = await scene.project({ owner: person, visibility: 'public' })
    const ids = async (client: Client, url: string) => (await feedAt(client, url)).map(row => row.project_id)

    assert.deepEqual(await ids(person, '/events'), [hidden.id, open.id])
    assert.deepEqual(await ids(person, `/users/${person.username}/events`), [hidden.id, open.id])
    assert.deepEqual(await ids(await scene.user(), `/users/${person.id}/events`), [open.id])
    assert.deepEqual(await ids(scene.anonymous, `/users/${person.id}/events`), [open.id])
    assert.deepEqual(await ids(scene.root, `/users/${person.id}/events`), [hidden.id, open.id])
  })

  test('hides the activity of a private profile from other users', async () => {
    const person = await scene.user({ private_profile: true })
    await scene.project({ owner: person, visibility: 'public' })

    assert.equal((await feedAt(person, `/users/${person.id}/events`)).length, 1)
    assert.equal((await feedAt(scene.root, `/users/${person.id}/events`)).length, 1)
    assert.deepEqual(await feedAt(await scene.user(), `/users/${person.id}/events`), [])
  })

  test('with `scope=all` has the activity of others in the projects of the user', async () => {
    const { project, owner, developer } = await scene.project({ visibility: 'public', members: ['developer'] })
    const { project: foreign } = await scene.project({ visibility: 'public' })

    const rows = await feedAt(developer, '/events', { scope: 'all' })

    assert.deepEqual([...new Set(rows.map(row => row.project_id))], [project.id])
    assert.ok(rows.some(row => row.author_id === owner.id))
    assert.ok(!rows.some(row => row.project_id === foreign.id))
  })

  test('requires authentication and accepts a token with `read_user`', async () => {
    const reader = await scene.user({ scopes: ['read_user'] })

    assert.equal((await scene.anonymous.get('/events')).status, 401)
    assert.equal((await reader.get('/events')).status, 200)
    assert.equal((await reader.get(`/users/${reader.id}/events`)).status, 200)
  })
})

describe('a feed is filtered', () => {
  test('by action and by target', async () => {
    const { project, owner } = await scene.project()
    await scene.commit(project, { 'a.txt': 'a' })
    const url = `${project.url}/events`

    assert.deepEqual(actions(await feedAt(owner, url, { action: 'created' })), ['created'])
    assert.deepEqual(actions(await feedAt(owner, url, { action: 'pushed' })), ['pushed new'])
    assert.deepEqual(actions(await feedAt(owner, url, { target_type: 'project' })), ['created'])
    assert.deepEqual(actions(await feedAt(owner, url, { target_type: 'issue' })), [])
    assert.equal((await owner.get(url, { action: 'danced' })).status, 400)
    assert.equal((await owner.get(url, { target_type: 'moon' })).status, 400)
  })

  test('by days, which are exclusive on both sides', async () => {
    const { project, owner } = await scene.project()
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    const count = async (query: Record<string, string>) => (await feedAt(owner, `${project.url}/events`, query)).length

    assert.equal(await count({ after: day(-1) }), 1)
    assert.equal(await count({ after: day(0) }), 0)
    assert.equal(await count({ before: day(1) }), 1)
    assert.equal(await count({ before: day(0) }), 0)
    assert.equal((await owner.get(`${project.url}/events`, { before: 'yesterday' })).status, 400)
  })

  test('and sorted with the newest first by default', async () => {
    const { project, owner } = await scene.project()
    await scene.commit(project, { 'a.txt': 'a' })

    assert.deepEqual(actions((await owner.get(`${project.url}/events`)).body), ['pushed new', 'created'])
  })
})

test('many branches in one push are shown as a number', async () => {
  const { project, owner } = await scene.project()
  const sha = await scene.commit(project, { 'a.txt': 'a' })
  const row = await scene.deps.database.db.selectFrom('projects').selectAll().where('id', '=', project.id).executeTakeFirstOrThrow()
  const actor = {
    user: { ...owner, admin: false, external: false, state: 'active' as const, kind: 'human', avatar_url: null, creator_id: null },
    credential: undefined,
    sudoBy: undefined,
  }
  const moves = [1, 2, 3, 4].map(number => ({ ref: `refs/heads/many-${number}`, old: '0'.repeat(40), new: sha }))

  await moveReferences({ ...systemContext(scene.deps, scene.deps.database.db), actor }, row, moves)

  const [newest] = (await owner.get(`${project.url}/events`)).body
  assert.equal(newest.action_name, 'pushed new')
  assert.deepEqual(newest.push_data, {
    action: 'created',
    ref_type: 'branch',
    ref: null,
    ref_count: 4,
    commit_from: null,
    commit_to: null,
    commit_count: 0,
    commit_title: null,
  })
})

test('users who may see merge requests see them opened, closed, reopened and approved', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  const { url, id, iid } = await scene.mergeRequest(project)
  await owner.put(url, { state_event: 'close' })
  await owner.put(url, { state_event: 'reopen' })
  await owner.put(url, { title: 'Paint the fence' })
  await owner.post(`${url}/approve`)
  const query = { target_type: 'merge_request' }
  const rows = await feedAt(owner, `${project.url}/events`, query)

  assert.deepEqual(
    rows.map(row => [row.action_name, row.target_type, row.target_id, row.target_iid, row.target_title]),
    ['opened', 'closed', 'reopened', 'approved'].map(action => [action, 'MergeRequest', id, iid, 'Paint the fence']),
  )
  assert.deepEqual(await feedAt(guest, `${project.url}/events`, query), [])
})

test('the projects that a user has contributed to are listed, as far as the reader may see what was done there', async () => {
  const person = await scene.user()
  const open = await scene.project({ visibility: 'public' })
  const hidden = await scene.project()
  await scene.project({ owner: person, visibility: 'public' })
  await person.post(`${open.project.url}/issues`, { title: 'Seen' })
  await hidden.owner.post(`${hidden.project.url}/members`, { user_id: person.id, access_level: 30 })
  await person.post(`${hidden.project.url}/issues`, { title: 'Hidden' })
  const list = async (client: Client) => (await client.get(`/users/${person.username}/contributed_projects`)).body.map((row: Row) => row.id)

  assert.deepEqual(await list(person), [hidden.project.id, open.project.id])
  assert.deepEqual(await list(scene.anonymous), [open.project.id])
  await scene.root.put(`/users/${person.id}`, { private_profile: true })
  assert.deepEqual(await list(scene.anonymous), [])
  assert.equal((await list(scene.root)).length, 2)
})
