/** Mentions and cross references in user texts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'

const scene = await openScene()

async function two(attributes: object = {}) {
  const world = await scene.project({ visibility: 'public', members: ['guest', 'reporter'] })
  const path = `${world.project.url}/issues`
  const { body: one } = await world.owner.post(path, { title: 'One', ...attributes })
  const { body: other } = await world.owner.post(path, { title: 'Other' })
  return { ...world, one, other, url: `${path}/${one.iid}`, otherUrl: `${path}/${other.iid}` }
}

const notesOn = async (person: Pick<Person, 'get'>, url: string): Promise<string[]> =>
  (await person.get(`${url}/notes`, { activity_filter: 'only_activity', sort: 'asc' })).body.map((note: { body: string }) => note.body)

test('an issue that is named in a description or a note gets one note', async () => {
  const { owner, one, other, url, otherUrl } = await two()
  await owner.put(url, { description: `After #${other.iid}` })
  await owner.post(`${url}/notes`, { body: `As ${other.references.full} says, and ${other.web_url}` })

  assert.deepEqual(await notesOn(owner, otherUrl), [`mentioned in issue #${one.iid}`])
  assert.ok(!(await notesOn(owner, url)).some(body => body.startsWith('mentioned')))
})

test('a mention across projects names the project', async () => {
  const { owner, one, url } = await two()
  const far = await scene.project({ visibility: 'public', owner })
  await owner.post(`${far.project.url}/issues`, { title: 'Far', description: 'None' })
  await owner.post(`${url}/notes`, { body: `See ${far.project.full_path}#1` })

  assert.deepEqual(await notesOn(owner, `${far.project.url}/issues/1`), [`mentioned in issue ${one.references.full}`])
})

test('cross references from a confidential issue are visible only to users who may see that issue', async () => {
  const { owner, guest, reporter, one, other, url, otherUrl } = await two({ confidential: true })
  await owner.put(url, { description: `Before #${other.iid}` })

  assert.deepEqual(await notesOn(reporter, otherUrl), [`mentioned in issue #${one.iid}`])
  assert.deepEqual(await notesOn(owner, otherUrl), [`mentioned in issue #${one.iid}`])
  assert.deepEqual([await notesOn(guest, otherUrl), await notesOn(scene.anonymous, otherUrl)], [[], []])
})

test('an item that the author may not see gets no note', async () => {
  const { owner, url } = await two()
  const hidden = await scene.project({ visibility: 'private' })
  await hidden.owner.post(`${hidden.project.url}/issues`, { title: 'Hidden' })
  await owner.post(`${url}/notes`, { body: `See ${hidden.project.full_path}#1` })

  assert.deepEqual(await notesOn(hidden.owner, `${hidden.project.url}/issues/1`), [])
})

test('authors, assignees, commenters and mentioned users are participants; others are not', async () => {
  const { owner, guest, reporter, url } = await two()
  const [talking, mentioned] = [await scene.user(), await scene.user()]
  await talking.post(`${url}/notes`, { body: 'Hello' })
  await owner.put(url, { assignee_ids: [reporter.id], description: `For @${mentioned.username}` })

  const ids = async () => (await guest.get(`${url}/participants`)).body.map((user: { id: number }) => user.id)
  assert.deepEqual(
    await ids(),
    [owner, reporter, talking, mentioned].map(({ id }) => id).sort((a, b) => a - b),
  )
  await owner.put(url, { description: 'For nobody' })
  assert.ok(!(await ids()).includes(mentioned.id))
})

test('mentioning a group mentions its members, and @all those of the project', async () => {
  const { group, developer, maintainer } = await scene.group({ members: ['developer', 'maintainer'], visibility: 'public' })
  const { project, owner, guest } = await scene.project({ visibility: 'public', members: ['guest'] })
  await owner.post(`${project.url}/issues`, { title: 'One', description: `Ask @${group.full_path}` })
  await owner.post(`${project.url}/issues`, { title: 'Two', description: 'Ask @all' })

  const titles = async (person: Person) => (await person.get('/todos')).body.map((todo: { target: { title: string } }) => todo.target.title)
  assert.deepEqual([await titles(developer), await titles(maintainer), await titles(guest)], [['One'], ['One'], ['Two']])
})

test('blocked users get no to-do item for a mention, and cannot be assigned', async () => {
  const { owner, reporter, guest, url } = await two()
  assert.equal((await scene.root.post(`/users/${reporter.id}/block`)).status, 201)

  await owner.post(`${url}/notes`, { body: `For @${reporter.username} and @${guest.username}` })
  const { body: issue } = await owner.put(url, { assignee_ids: [reporter.id] })

  assert.equal((await scene.root.post(`/users/${reporter.id}/unblock`)).status, 201)
  assert.deepEqual(issue.assignees, [])
  assert.equal((await guest.get('/todos')).body.length, 1)
  assert.deepEqual((await reporter.get('/todos')).body, [])
})

test('a long text is read before anything is written: its transaction begins again then, and writes as much as that of a short one', async () => {
  scene.setTime(new Date().toISOString())
  const { project: asked, owner: author, reporter } = await scene.project({ members: ['reporter'] })
  const { group, owner: planner } = await scene.group()
  await scene.commit(asked, { 'a.txt': 'a\n' })
  const { url } = await scene.mergeRequest(asked, { author })
  let [texts, written] = [0, 0]
  const send = async (method: 'POST' | 'PUT', path: string, payload: object, by = author) => {
    const { result, statements } = await recordStatements(async () =>
      scene.app.inject({ method, url: `/api/v4${path}`, headers: { 'private-token': by.token }, payload }),
    )
    assert.match(String(result.statusCode), /^2/, `${method} ${path}: ${result.body}`)
    written += statements.filter(statement => /^(insert|update|with)\b/i.test(statement)).length
    return result.body === '' ? undefined : result.json()
  }
  /** Writes of each kind, with texts of which the parser takes as long. */
  const writesWith = async (long: string) => {
    const text = () => `Dear @${reporter.username}, ${++texts} ${long}`
    const counts: Record<string, number> = {}
    const counted = async (name: string, work: () => Promise<unknown>) => {
      written = 0
      const made = await work()
      counts[name] = written
      return made as { readonly id: number; readonly iid: number }
    }
    const change = async (name: string, path: string, field: 'body' | 'description', by = author) =>
      counted(`change of ${name}`, () => send('PUT', path, { [field]: text() }, by))

    const issue = await counted('issue', () => send('POST', `${asked.url}/issues`, { title: 'One', description: text() }))
    await change('an issue', `${asked.url}/issues/${issue.iid}`, 'description')
    const notes = `${asked.url}/issues/${issue.iid}/notes`
    const note = await counted('note', () => send('POST', notes, { body: text() }))
    await change('a note', `${notes}/${note.id}`, 'body')
    const epic = await counted('epic', () => send('POST', `${group.url}/epics`, { title: 'One', description: text() }, planner))
    await change('an epic', `${group.url}/epics/${epic.iid}`, 'description', planner)
    const file = { file_name: 'a', content: 'a', visibility: 'private' }
    const snippet = await counted('snippet', () => send('POST', `${asked.url}/snippets`, { title: 'One', description: text(), ...file }))
    await change('a snippet', `${asked.url}/snippets/${snippet.id}`, 'description')
    const source_branch = `branch-${texts}`
    await scene.commit(asked, { 'b.txt': 'b\n' }, { branch: source_branch, start_branch: 'main' })
    const proposal = { source_branch, target_branch: 'main', title: 'One', description: text() }
    await counted('merge request', () => send('POST', `${asked.url}/merge_requests`, proposal))
    await change('a merge request', url, 'description')
    for (let draft = 0; draft < 3; draft++) await send('POST', `${url}/draft_notes`, { note: text() })
    await counted('review', () => send('POST', `${url}/draft_notes/bulk_publish`, {}))
    return counts
  }

  // The first of each kind begins the counters of its place.
  await writesWith('')
  const short = await writesWith('')

  assert.deepEqual(await writesWith('and so on '.repeat(4_000)), short)
  const todos = (await reporter.get('/todos', { per_page: 100 })).body
  const said = (await author.get(`${url}/notes`, { activity_filter: 'only_comments', per_page: 100 })).body
  assert.deepEqual([said.length, new Set(said.map(({ body }: { body: string }) => body)).size], [9, 9])
  assert.equal(todos.length, 7, 'one for each item that they may see')
})
