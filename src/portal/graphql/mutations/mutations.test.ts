/** What mutations do, and what they answer. Who may carry them out is asked of each in test/derived/mutations.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { csrfTokenFor } from '../../../platform/kernel/csrf.ts'
import { UNAVAILABLE } from '../execution/unavailable.ts'
import { MOST_MUTATIONS } from '../reading/request.ts'
import { mutatorsOf, type Sent, sessionCookie } from './scene.ts'

const scene = await openScene()

const { send, ask, mutate } = mutatorsOf(scene)

test('an issue is created, changed and closed, and the id of the client comes back', async () => {
  const { project, owner, reporter, guest } = await scene.project({ members: ['reporter', 'guest'] })
  await owner.post(`${project.url}/labels`, { name: 'bug', color: '#ff0000' })
  const [label] = (await owner.get(`${project.url}/labels`)).body

  const created = await mutate(
    reporter,
    'createIssue',
    {
      clientMutationId: 'first',
      projectPath: project.full_path,
      title: 'Paint the shed',
      confidential: true,
      dueDate: '2030-01-02',
      labelIds: [`gid://gitlab/ProjectLabel/${label.id}`],
      assigneeIds: [`gid://gitlab/User/${guest.id}`],
    },
    'clientMutationId issue { iid title confidential dueDate labels { nodes { title } } assignees { nodes { username } } }',
  )
  assert.deepEqual(created, {
    errors: [],
    clientMutationId: 'first',
    issue: {
      iid: '1',
      title: 'Paint the shed',
      confidential: true,
      dueDate: '2030-01-02',
      labels: { nodes: [{ title: 'bug' }] },
      assignees: { nodes: [{ username: guest.username }] },
    },
  })

  const named = { projectPath: project.full_path, iid: '1' }
  const changed = await mutate(
    reporter,
    'updateIssue',
    { ...named, title: 'Paint it twice', stateEvent: 'CLOSE', removeLabelIds: [String(label.id)] },
    'issue { title state labels { count } }',
  )
  assert.deepEqual(changed, { errors: [], issue: { title: 'Paint it twice', state: 'closed', labels: { count: 0 } } })
  const set = await ask(
    reporter,
    `mutation($path: ID!) {
      a: issueSetDueDate(input: { projectPath: $path, iid: "1" }) { issue { dueDate } }
      b: issueSetLocked(input: { projectPath: $path, iid: "1", locked: true }) { issue { discussionLocked dueDate } }
      c: issueSetAssignees(input: { projectPath: $path, iid: "1", assigneeUsernames: ["${reporter.username}"], operationMode: APPEND }) { issue { assignees { count } } }
      d: issueSetConfidential(input: { projectPath: $path, iid: "1", confidential: false }) { issue { confidential } }
      e: issueSetSubscription(input: { projectPath: $path, iid: "1", subscribedState: true }) { issue { subscribed } }
      f: issueSetSubscription(input: { projectPath: $path, iid: "1", subscribedState: false }) { issue { subscribed } }
    }`,
    { path: project.full_path },
  )
  assert.deepEqual(set, {
    data: {
      a: { issue: { dueDate: null } },
      b: { issue: { discussionLocked: true, dueDate: null } },
      // The free tier and premium differ in how many there may be; the last one named is among them.
      c: { issue: { assignees: { count: 2 } } },
      d: { issue: { confidential: false } },
      e: { issue: { subscribed: true } },
      f: { issue: { subscribed: false } },
    },
  })
})

test('what is wrong with the values stands in the payload, and nothing was changed', async () => {
  const { project, owner } = await scene.project()
  await owner.post(`${project.url}/issues`, { title: 'One' })
  const named = { projectPath: project.full_path, iid: '1' }

  assert.deepEqual(await mutate(owner, 'createIssue', { projectPath: project.full_path, title: '' }, 'issue { iid }'), {
    errors: ["Title can't be blank"],
    issue: null,
  })
  assert.deepEqual(await mutate(owner, 'updateIssue', { ...named, title: 'a'.repeat(256) }, 'issue { title }'), {
    errors: ['Title is too long (maximum is 255 characters)'],
    issue: { title: 'One' },
  })
  assert.deepEqual(await mutate(owner, 'createBranch', { projectPath: project.full_path, name: 'a..b', ref: 'main' }, 'branch { name }'), {
    errors: ['Branch name is invalid'],
    branch: null,
  })
})

test('what is hidden and what is forbidden have the same words, and the others go on', async () => {
  const { project, owner, guest } = await scene.project({ members: ['guest'] })
  await owner.post(`${project.url}/issues`, { title: 'Secret', confidential: true })
  const outsider = await scene.user()
  const query = (iid: string, path = project.full_path) =>
    `mutation {
      a: issueSetLocked(input: { projectPath: "${path}", iid: "${iid}", locked: true }) { errors }
      b: labelCreate(input: { projectPath: "${path}", title: "x" }) { errors }
    }`

  const refused = (name: string) => ({ message: UNAVAILABLE, path: [name] })
  for (const [person, iid, path] of [
    [guest, '1'],
    [guest, '2'],
    [outsider, '1'],
    [owner, '1', 'no/such'],
    [owner, '1', String(project.id)],
  ] as const) {
    const { data, errors } = await ask(person, query(iid, path))
    assert.deepEqual(data, { a: null, b: null })
    assert.deepEqual(
      errors?.map(({ message, path: at }) => ({ message, path: at })),
      [refused('a'), refused('b')],
    )
  }
  const { data, errors } = await ask(owner, query('7'))
  assert.deepEqual([data, errors?.length], [{ a: null, b: { errors: [] } }, 1])
})

test('what is wrong with the values is said to those who may change the thing, and to nobody else', async () => {
  const { project, owner } = await scene.project({ visibility: 'public' })
  const board = (await owner.post(`${project.url}/boards`, { name: 'Secret plans' })).body
  await owner.put(project.url, { issues_access_level: 'private' })
  const outsider = await scene.user()
  const input = { id: `gid://gitlab/Board/${board.id}`, name: 'a'.repeat(300) }
  const query = 'mutation($input: UpdateBoardInput!) { updateBoard(input: $input) { errors board { name } } }'

  const { data } = await ask(owner, query, { input })
  assert.deepEqual([data.updateBoard.board, data.updateBoard.errors.length], [{ name: 'Secret plans' }, 1])
  const hidden = await ask(outsider, query, { input })
  assert.deepEqual([hidden.data, hidden.errors?.map(({ message }) => message)], [{ updateBoard: null }, [UNAVAILABLE]])
})

test('mutations of a document run in their order, each by itself', async () => {
  const { project, owner } = await scene.project()
  const path = project.full_path
  const { data } = await ask(
    owner,
    `mutation {
      a: createIssue(input: { projectPath: "${path}", title: "A" }) { issue { iid } }
      b: createIssue(input: { projectPath: "${path}", title: "" }) { errors }
      c: createIssue(input: { projectPath: "${path}", title: "C" }) { issue { iid } }
      d: updateIssue(input: { projectPath: "${path}", iid: "1", title: "D" }) { issue { title } }
    }`,
  )

  assert.deepEqual([data.a, data.c, data.d], [{ issue: { iid: '1' } }, { issue: { iid: '2' } }, { issue: { title: 'D' } }])
  assert.equal((await owner.get(`${project.url}/issues`)).body.length, 2)
})

test('GET changes nothing, a token that reads changes nothing, and a session needs its token', async () => {
  const person = await scene.user({ password: 'right-horse-battery' })
  const { project } = await scene.project({ owner: person })
  const query = `mutation { createIssue(input: { projectPath: "${project.full_path}", title: "No" }) { errors } }`
  const reader = { token: await scene.token(person, { scopes: ['read_api'] }) }

  const got = await fetch(`${scene.url}/api/graphql?query=${encodeURIComponent(query)}`, { headers: { 'private-token': person.token } })
  assert.deepEqual([got.status, await got.json()], [422, { errors: [{ message: 'Mutations are forbidden in GET requests' }] }])
  assert.deepEqual(await ask(reader, query), { data: null, errors: [{ message: UNAVAILABLE }] })
  assert.deepEqual(await send({}, { query }), { data: null, errors: [{ message: UNAVAILABLE }] })

  const cookie = await sessionCookie(scene, person, 'right-horse-battery')
  assert.deepEqual(await send({ cookie }, { query }), { data: null, errors: [{ message: UNAVAILABLE }] })
  assert.equal((await person.get(`${project.url}/issues`)).body.length, 0)

  const { id } = await scene.deps.database.db.selectFrom('sessions').select('id').where('user_id', '=', person.id).executeTakeFirstOrThrow()
  const token = csrfTokenFor(String(id), scene.deps.secrets)
  assert.deepEqual(await send({ cookie, 'x-csrf-token': token }, { query }), { data: { createIssue: { errors: [] } } })
})

test('one request begins so many mutations and no more', async () => {
  const owner = await scene.user()
  const one = {
    query: `mutation { ${Array.from({ length: 20 }, (_, index) => `m${index}: todosMarkAllDone(input: {}) { errors }`).join(' ')} }`,
  }
  const answers = (await send({ 'private-token': owner.token }, [one, one, one])) as unknown as readonly Sent[]

  const done = answers.flatMap(({ data }) => Object.values(data)).filter(payload => payload !== null).length
  assert.equal(done, MOST_MUTATIONS)
  assert.match(answers[2]?.errors?.[0]?.message ?? '', /At most 50 mutations/)
})

test('a merge request is created, planned and merged', async () => {
  const { project, maintainer, guest } = await scene.project({ members: ['maintainer', 'guest'] })
  await scene.commit(project, { 'a.txt': 'a\n' })
  const path = project.full_path
  const branch = await mutate(
    maintainer,
    'createBranch',
    { projectPath: path, name: 'shed', ref: 'main' },
    'branch { name commit { title } }',
  )
  assert.deepEqual(branch, { errors: [], branch: { name: 'shed', commit: { title: 'Change files' } } })
  const action = { action: 'CREATE', filePath: 'shed.txt', content: 'red\n' }
  const commit = await mutate(
    maintainer,
    'commitCreate',
    { projectPath: path, branch: 'shed', message: 'Paint', actions: [action] },
    'commit { title sha }',
  )
  assert.equal(commit.commit.title, 'Paint')

  const created = await mutate(
    maintainer,
    'mergeRequestCreate',
    { projectPath: path, title: 'Paint the shed', sourceBranch: 'shed', targetBranch: 'main', labels: ['bug'] },
    'mergeRequest { iid labels { nodes { title } } }',
  )
  assert.deepEqual(created, { errors: [], mergeRequest: { iid: '1', labels: { nodes: [{ title: 'bug' }] } } })
  const named = { projectPath: path, iid: '1' }
  const draft = (value: boolean) => mutate(maintainer, 'mergeRequestSetDraft', { ...named, draft: value }, 'mergeRequest { title draft }')
  assert.deepEqual(await draft(true), { errors: [], mergeRequest: { title: 'Draft: Paint the shed', draft: true } })
  assert.deepEqual(await draft(true), { errors: [], mergeRequest: { title: 'Draft: Paint the shed', draft: true } })
  assert.deepEqual(await draft(false), { errors: [], mergeRequest: { title: 'Paint the shed', draft: false } })
  const assigned = await mutate(
    maintainer,
    'mergeRequestSetAssignees',
    { ...named, assigneeUsernames: [maintainer.username.toUpperCase()] },
    'mergeRequest { assignees { nodes { username } } }',
  )
  assert.deepEqual(assigned.mergeRequest, { assignees: { nodes: [{ username: maintainer.username }] } })

  const stale = await mutate(maintainer, 'mergeRequestAccept', { ...named, sha: 'a'.repeat(40) }, 'mergeRequest { state }')
  assert.deepEqual([stale.errors.length, stale.mergeRequest], [1, { state: 'opened' }])
  const { data, errors } = await ask(
    guest,
    `mutation { mergeRequestAccept(input: { projectPath: "${path}", iid: "1", sha: "${commit.commit.sha}" }) { errors } }`,
  )
  assert.deepEqual([data, errors?.map(error => error.message)], [{ mergeRequestAccept: null }, [UNAVAILABLE]])
  const merged = await mutate(maintainer, 'mergeRequestAccept', { ...named, sha: commit.commit.sha }, 'mergeRequest { state }')
  assert.deepEqual(merged, { errors: [], mergeRequest: { state: 'merged' } })
})

test('a label of another place is not made by its name', async () => {
  const { project: other, owner: stranger } = await scene.project()
  const secret = (await stranger.post(`${other.url}/labels`, { name: 'secret plan', color: '#ff0000' })).body
  const { project, owner } = await scene.project()
  await scene.mergeRequest(project)

  const input = { projectPath: project.full_path, iid: '1', labelIds: [`gid://gitlab/ProjectLabel/${secret.id}`] }
  assert.deepEqual(await mutate(owner, 'mergeRequestSetLabels', input, 'mergeRequest { labels { count } }'), {
    errors: [],
    mergeRequest: { labels: { count: 0 } },
  })
  assert.deepEqual((await owner.get(`${project.url}/labels`)).body, [])
})

test('a note of quick actions alone says what it did, and leaves no note', async () => {
  const { project, owner } = await scene.project()
  const issue = (await owner.post(`${project.url}/issues`, { title: 'One' })).body
  const said = await mutate(owner, 'createNote', { noteableId: `gid://gitlab/Issue/${issue.id}`, body: '/close' }, 'note { id }')

  assert.deepEqual(said, { errors: ['Commands only Applied /close.'], note: null })
  assert.equal((await owner.get(`${project.url}/issues/1`)).body.state, 'closed')
})

test('reactions are added, taken back and toggled', async () => {
  const { project, owner } = await scene.project()
  const issue = (await owner.post(`${project.url}/issues`, { title: 'One' })).body
  const note = (await owner.post(`${project.url}/issues/1/notes`, { body: 'Yes' })).body
  for (const awardableId of [`gid://gitlab/Issue/${issue.id}`, `gid://gitlab/Note/${note.id}`]) {
    const input = { awardableId, name: '+1' }
    assert.deepEqual(await mutate(owner, 'awardEmojiAdd', input, 'awardEmoji { name emoji unicode user { username } }'), {
      errors: [],
      awardEmoji: { name: 'thumbsup', emoji: '👍', unicode: '1f44d', user: { username: owner.username } },
    })
    assert.deepEqual(await mutate(owner, 'awardEmojiToggle', input, 'toggledOn'), { errors: [], toggledOn: false })
    assert.deepEqual(await mutate(owner, 'awardEmojiToggle', input, 'toggledOn awardEmoji { name }'), {
      errors: [],
      toggledOn: true,
      awardEmoji: { name: 'thumbsup' },
    })
    assert.deepEqual(await mutate(owner, 'awardEmojiRemove', input), { errors: [] })
  }
  assert.deepEqual(await mutate(owner, 'awardEmojiAdd', { awardableId: `gid://gitlab/Issue/${issue.id}`, name: 'no such' }), {
    errors: ['Name is not a valid emoji name'],
  })
})

test('to-do items are made, done and put back', async () => {
  const { project, owner } = await scene.project()
  const issue = (await owner.post(`${project.url}/issues`, { title: 'One' })).body
  const targetId = `gid://gitlab/Issue/${issue.id}`
  const made = await mutate(owner, 'todoCreate', { targetId }, 'todo { id state action targetType body project { name } }')
  assert.deepEqual(made.todo, {
    id: made.todo.id,
    state: 'pending',
    action: 'marked',
    targetType: 'ISSUE',
    body: 'One',
    project: { name: project.name },
  })
  const { id } = made.todo

  assert.deepEqual(await mutate(owner, 'todoMarkDone', { id }, 'todo { state }'), { errors: [], todo: { state: 'done' } })
  assert.deepEqual(await mutate(owner, 'todoRestore', { id }, 'todo { state }'), { errors: [], todo: { state: 'pending' } })
  const all = await mutate(owner, 'todosMarkAllDone', {}, 'updatedIds todos { id state }')
  assert.deepEqual(all, { errors: [], updatedIds: [id], todos: [{ id, state: 'done' }] })
  const back = await mutate(owner, 'todoRestoreMany', { ids: [id, id] }, 'updatedIds todos { state }')
  assert.deepEqual(back, { errors: [], updatedIds: [id], todos: [{ state: 'pending' }] })
  const { data } = await ask(owner, '{ currentUser { todos(state: pending, type: [ISSUE]) { count nodes { id } } } }')
  assert.deepEqual(data, { currentUser: { todos: { count: 1, nodes: [{ id }] } } })

  const other = await scene.user()
  const { data: none, errors } = await ask(other, `mutation { todoMarkDone(input: { id: "${id}" }) { errors } }`)
  assert.deepEqual([none, errors?.map(error => error.message)], [{ todoMarkDone: null }, [UNAVAILABLE]])
})
