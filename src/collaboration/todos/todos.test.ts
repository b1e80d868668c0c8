/** To-do items (document 3 "Issue operations", "To-do item"; to-do items API at 14.0). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()

async function planned(issue: object = {}) {
  const world = await scene.project({ visibility: 'public', members: ['guest', 'reporter', 'developer'] })
  const { body } = await world.owner.post(`${world.project.url}/issues`, { title: 'Paint the shed', ...issue })
  return { ...world, issue: body, url: `${world.project.url}/issues/${body.iid}` }
}

/** Action, issue number and text of a user's to-do items. */
const pending = async (person: Person, query: Record<string, string> = {}) =>
  (await person.get('/todos', query)).body.map((todo: { action_name: string; target: { id: number }; body: string }) => [
    todo.action_name,
    todo.target.id,
    todo.body,
  ])

describe('creating a to-do item for an issue', () => {
  test('answers 201 and the item with every field of document 3', async () => {
    const { guest, issue, project, url } = await planned()

    const { status, body } = await guest.post(`${url}/todo`)

    assert.equal(status, 201)
    const { target, author, ...rest } = body
    assert.equal(author.id, guest.id)
    const { subscribed: _only, ...listed } = (await guest.get(url)).body
    assert.deepEqual({ ...target, references: 0, reference: 0 }, { ...listed, references: 0, reference: 0 })
    assert.deepEqual(rest, {
      id: body.id,
      project: {
        id: project.id,
        name: project.name,
        name_with_namespace: rest.project.name_with_namespace,
        path: project.path,
        path_with_namespace: project.full_path,
      },
      action_name: 'marked',
      target_type: 'Issue',
      target_url: issue.web_url,
      body: 'Paint the shed',
      state: 'pending',
      created_at: body.created_at,
      updated_at: body.created_at,
    })
  })

  test('is a 304 where one is pending (decision 14), and possible again once it is done', async () => {
    const { guest, url } = await planned()
    const { body } = await guest.post(`${url}/todo`)

    assert.equal((await guest.post(`${url}/todo`)).status, 304)
    const done = await guest.post(`/todos/${body.id}/mark_as_done`)
    assert.deepEqual([done.status, done.body.state], [201, 'done'])
    assert.equal((await guest.post(`${url}/todo`)).status, 201)
  })

  test('twice concurrently makes one item', async () => {
    const { guest, url } = await planned()

    const answers = await Promise.all([guest.post(`${url}/todo`), guest.post(`${url}/todo`), guest.post(`${url}/todo`)])

    assert.deepEqual(answers.map(answer => answer.status).sort(), [201, 304, 304])
    assert.equal((await pending(guest)).length, 1)
  })
})

describe('a to-do item is created by', () => {
  test('an assignment, at creation and later, once for each user', async () => {
    const { owner, reporter, developer, issue, url } = await planned()
    await owner.put(url, { assignee_ids: [reporter.id] })
    await owner.put(url, { assignee_ids: [reporter.id, developer.id] })

    assert.deepEqual(await pending(reporter), [['assigned', issue.id, 'Paint the shed']])
    assert.deepEqual(await pending(developer), [['assigned', issue.id, 'Paint the shed']])
    const { developer: at_creation, issue: other } = await (async () => {
      const world = await scene.project({ members: ['developer'] })
      const { body } = await world.owner.post(`${world.project.url}/issues`, { title: 'New', assignee_ids: [world.developer.id] })
      return { developer: world.developer, issue: body }
    })()
    assert.deepEqual(await pending(at_creation), [['assigned', other.id, 'New']])
  })

  test('a mention in a description or a note; at the beginning of a text it addresses directly', async () => {
    const { owner, guest, reporter, url, issue } = await planned()
    await owner.post(`${url}/notes`, { body: `@${guest.username} what does @${reporter.username} say?` })

    assert.deepEqual((await pending(guest))[0].slice(0, 2), ['directly_addressed', issue.id])
    assert.deepEqual((await pending(reporter))[0], ['mentioned', issue.id, `@${guest.username} what does @${reporter.username} say?`])
    const [todo] = (await guest.get('/todos')).body
    assert.match(todo.target_url, /#note_\d+$/)
  })

  test('nothing that the user may not read', async () => {
    const outsider = await scene.user()
    const { owner, guest, reporter, project, url } = await planned()
    const names = `@${outsider.username} @${guest.username} @${reporter.username}`
    await owner.post(`${project.url}/issues`, { title: 'Between us', confidential: true, description: `See ${names}` })
    await owner.post(`${url}/notes`, { body: `Tell ${names}`, confidential: true })

    assert.deepEqual([await pending(outsider), await pending(guest)], [[], []])
    assert.equal((await pending(reporter)).length, 2)
  })

  test('neither mentions in code nor the author’s own name', async () => {
    const { owner, guest, url } = await planned()
    await owner.post(`${url}/notes`, { body: `\`@${guest.username}\` says @${owner.username}` })

    assert.deepEqual([await pending(guest), await pending(owner)], [[], []])
  })
})

test('to-do items are hidden once the user may no longer see the item', async () => {
  const { owner, guest, url } = await planned()
  const { body } = await guest.post(`${url}/todo`)
  await owner.put(url, { confidential: true })

  assert.deepEqual(await pending(guest), [])
  assert.equal((await guest.post(`/todos/${body.id}/mark_as_done`)).status, 404)
})

test('closing, relabelling, commenting on or reacting to an issue completes the to-do item', async () => {
  const acts = [
    (person: Person, url: string) => person.put(url, { state_event: 'close' }),
    (person: Person, url: string) => person.put(url, { labels: 'seen' }),
    (person: Person, url: string) => person.post(`${url}/notes`, { body: 'Seen' }),
    (person: Person, url: string) => person.post(`${url}/award_emoji`, { name: 'eyes' }),
  ]
  for (const act of acts) {
    const { reporter, developer, url } = await planned()
    await reporter.post(`${url}/todo`)
    await developer.post(`${url}/todo`)
    await act(reporter, url)
    assert.deepEqual([(await pending(reporter)).length, (await pending(developer)).length], [0, 1])
  }
})

test('the list is narrowed by action, author, project, group, state and type', async () => {
  const { group } = await scene.group({ visibility: 'public' })
  const person = await scene.user()
  const one = await scene.project({ group, visibility: 'public' })
  const two = await scene.project({ visibility: 'public' })
  for (const { project } of [one, two]) await scene.root.post(`${project.url}/issues`, { title: project.name })
  await person.post(`${one.project.url}/issues/1/todo`)
  await scene.root.post(`${two.project.url}/issues/1/notes`, { body: `See @${person.username}` })

  const titles = async (query: Record<string, string>) =>
    (await person.get('/todos', query)).body.map((todo: { target: { title: string } }) => todo.target.title)
  const [first, second] = [one.project.name, two.project.name]
  assert.deepEqual(await titles({}), [second, first])
  assert.deepEqual(await titles({ action: 'marked' }), [first])
  assert.deepEqual(await titles({ author_id: String(scene.root.id) }), [second])
  assert.deepEqual(await titles({ project_id: String(one.project.id) }), [first])
  assert.deepEqual(await titles({ group_id: String(group.id) }), [first])
  assert.deepEqual(await titles({ type: 'Issue' }), [second, first])
  assert.deepEqual(await titles({ type: 'MergeRequest' }), [])
  assert.deepEqual(await titles({ state: 'done' }), [])
  assert.equal((await person.get('/todos', { action: 'some' })).status, 400)

  assert.equal((await person.post('/todos/mark_as_done')).status, 204)
  assert.deepEqual([await titles({}), await titles({ state: 'done' })], [[], [second, first]])
})

test('a user cannot complete another user’s to-do items', async () => {
  const { guest, reporter, url } = await planned()
  const { body } = await guest.post(`${url}/todo`)

  assert.equal((await reporter.post(`/todos/${body.id}/mark_as_done`)).status, 404)
})
