/** Comments and threads on commits (commits and discussions API, and webhook events, at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'
import { addHookTo, openReceiver, workOf } from '../../integrations/hooks/scene.ts'
import { git } from '../../platform/git/scene.ts'

const scene = await openScene({ settings: { outboundAllow: '127.0.0.1' } })
const { deliver } = workOf(scene)

/** A commit that changes line 2 of three, and its parent. */
async function changed(visibility: 'public' | 'private' = 'private') {
  const world = await scene.project({ visibility, members: ['reporter', 'developer', 'guest'] })
  const parent = await scene.commit(world.project, { 'f.txt': 'one\ntwo\nthree\n' })
  const { body } = await scene.root.post(`${world.project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Change a line',
    actions: [{ action: 'update', file_path: 'f.txt', content: 'one\nTWO\nthree\n' }],
  })
  return { ...world, parent, sha: body.id as string, url: `${world.project.url}/repository/commits/${body.id}` }
}

async function make(person: Person, path: string, body: object) {
  const answer = await person.post(path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

test('a comment is on the commit, or on a line of its changes', async () => {
  const { reporter, url } = await changed()

  const whole = await make(reporter, `${url}/comments`, { note: 'Nice' })
  const added = await make(reporter, `${url}/comments`, { note: 'Loud', path: 'f.txt', line: 2, line_type: 'new' })
  const removed = await make(reporter, `${url}/comments`, { note: 'Quiet', path: 'f.txt', line: 2, line_type: 'old' })
  const elsewhere = await make(reporter, `${url}/comments`, { note: 'Where?', path: 'f.txt', line: 99 })

  const { author, created_at, ...rest } = whole
  assert.deepEqual(rest, { note: 'Nice', path: null, line: null, line_type: null })
  assert.equal(author.id, reporter.id)
  assert.match(created_at, /^\d{4}-/)
  assert.deepEqual([added.path, added.line, added.line_type], ['f.txt', 2, 'new'])
  assert.deepEqual([removed.path, removed.line, removed.line_type], ['f.txt', 2, 'old'])
  assert.deepEqual([elsewhere.path, elsewhere.line, elsewhere.line_type], [null, null, null])
  const listed = await reporter.get(`${url}/comments`)
  assert.deepEqual(
    listed.body.map(({ note }: { note: string }) => note),
    ['Nice', 'Loud', 'Quiet', 'Where?'],
  )
  assert.equal(listed.headers['x-total'], '4')
  assert.deepEqual((await reporter.post(`${url}/comments`, {})).body, { message: '400 (Bad request) "note" not given' })
  assert.deepEqual((await reporter.post(`${url}/comments`, { note: 'x', path: 'f.txt' })).body, { message: { line: ['is missing'] } })
  assert.equal((await reporter.post(`${url}/comments`, { note: ' ' })).status, 400)
  assert.deepEqual((await reporter.post(`${url.slice(0, -40)}${'0'.repeat(40)}/comments`, { note: 'x' })).body, {
    message: '404 Commit Not Found',
  })
})

test('the line of a comment is found in its file alone, however large the rest of the commit is, and however the file was called', async () => {
  const { project, reporter } = await changed()
  await scene.commit(project, { 'old.txt': 'one\ntwo\nthree\nfour\n' })
  const { body } = await scene.root.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: 'Rename a file, and add one with more lines than all diffs of an answer may have',
    actions: [
      { action: 'create', file_path: 'a.txt', content: 'x\n'.repeat(1_000_001) },
      { action: 'move', previous_path: 'old.txt', file_path: 'z.txt', content: 'one\nTWO\nthree\nfour\n' },
    ],
  })
  const comments = `${project.url}/repository/commits/${body.id}/comments`

  const places = []
  for (const path of ['z.txt', 'old.txt'])
    for (const line_type of ['new', 'old']) {
      const made = await make(reporter, comments, { note: 'Here', path, line: 2, line_type })
      places.push([made.path, made.line, made.line_type])
    }

  const [added, removed] = [
    ['z.txt', 2, 'new'],
    ['z.txt', 2, 'old'],
  ]
  assert.deepEqual(places, [added, removed, added, removed])
})

test('a thread on a commit is begun at a position, answered, changed and deleted', async () => {
  const { reporter, developer, owner, url, sha, parent } = await changed()
  const position = { base_sha: parent, start_sha: parent, head_sha: sha, position_type: 'text', old_path: 'f.txt', new_path: 'f.txt' }

  const thread = await make(reporter, `${url}/discussions`, { body: 'Why?', position: { ...position, new_line: 2 } })
  const [first] = thread.notes
  assert.equal(thread.individual_note, false)
  assert.deepEqual(
    [first.type, first.noteable_type, first.noteable_iid, first.commit_id, first.resolvable, first.position.new_line],
    ['DiffNote', 'Commit', null, sha, false, 2],
  )
  const answer = await make(developer, `${url}/discussions/${thread.id}/notes`, { body: 'Because' })
  assert.equal(answer.type, 'DiffNote')
  const one = `${url}/discussions/${thread.id}/notes/${answer.id}`
  assert.equal((await reporter.put(one, { body: 'No' })).status, 403, 'a note of another')
  assert.equal((await developer.put(one, { body: 'Really' })).body.body, 'Really')
  assert.equal((await reporter.get(one)).body.body, 'Really')
  assert.equal((await reporter.delete(one)).status, 403)
  assert.equal((await owner.delete(one)).status, 204)
  assert.equal((await reporter.get(`${url}/discussions/${thread.id}`)).body.notes.length, 1)
  assert.equal((await reporter.get(`${url}/discussions`)).body.length, 1)
  assert.equal((await reporter.put(`${url}/discussions/${thread.id}`, { resolved: true })).status, 405, 'cannot be resolved')

  const plain = await make(reporter, `${url}/discussions`, { body: 'As a whole' })
  assert.equal(plain.notes[0].type, 'DiscussionNote')
  const wrong = await reporter.post(`${url}/discussions`, { body: 'x', position: { ...position, new_line: 77 } })
  assert.equal(wrong.status, 400)
  const other = await reporter.post(`${url}/discussions`, { body: 'x', position: { ...position, head_sha: parent, new_line: 2 } })
  assert.equal(other.status, 400)
})

test('the lines of a first commit have a place too', async () => {
  const { reporter, project, parent } = await changed()
  const url = `${project.url}/repository/commits/${parent}`

  const comment = await make(reporter, `${url}/comments`, { note: 'The first line', path: 'f.txt', line: 1 })
  const [thread] = (await reporter.get(`${url}/discussions`)).body
  const zeros = '0'.repeat(40)
  const position = { base_sha: zeros, start_sha: zeros, head_sha: parent, position_type: 'text', new_path: 'f.txt', new_line: 3 }
  const begun = await make(reporter, `${url}/discussions`, { body: 'The last line', position })

  assert.deepEqual([comment.path, comment.line], ['f.txt', 1])
  assert.equal(thread.notes[0].position.base_sha, zeros)
  assert.equal(begun.notes[0].position.new_line, 3)
})

test('who may read the code may comment; for others there is no commit', async () => {
  const open = await changed('public')
  const stranger = await scene.user()
  assert.equal((await stranger.post(`${open.url}/comments`, { note: 'Hello' })).status, 201)
  assert.equal((await scene.anonymous.get(`${open.url}/comments`)).body.length, 1)
  assert.equal((await scene.anonymous.post(`${open.url}/comments`, { note: 'Hello' })).status, 401)

  await open.owner.put(open.project.url, { repository_access_level: 'private' })
  assert.equal((await stranger.get(`${open.url}/comments`)).status, 404)
  assert.equal((await stranger.post(`${open.url}/comments`, { note: 'Again' })).status, 404)
  assert.equal((await open.reporter.get(`${open.url}/comments`)).body.length, 1)

  const closed = await changed()
  assert.equal((await closed.guest.get(`${closed.url}/comments`)).status, 403)
  assert.equal((await stranger.get(`${closed.url}/discussions`)).status, 404)
  await closed.owner.post(`${closed.project.url}/archive`)
  assert.equal((await closed.reporter.post(`${closed.url}/comments`, { note: 'Late' })).status, 403)
})

test('comments outlive a push that drops their commit', async () => {
  const { reporter, owner, project, parent, sha, url } = await changed()
  await make(reporter, `${url}/comments`, { note: 'Keep this' })
  const branches = `${project.url}/repository/branches`
  await make(owner, branches, { branch: 'other', ref: parent })
  await owner.put(project.url, { default_branch: 'other' })
  assert.equal((await owner.delete(`${project.url}/protected_branches/main`)).status, 204)
  assert.equal((await owner.delete(`${branches}/main`)).status, 204)
  const repository = scene.deps.storages.repository({ id: project.id, repository_storage: 'default' })
  git(repository, ['gc', '--prune=now', '--quiet'])

  assert.equal((await reporter.get(`${url}/comments`)).body[0].note, 'Keep this')
  assert.equal((await reporter.get(url)).body.id, sha)
})

test('a comment is an event, a to-do of who is mentioned, and a note on the issue that it names', async () => {
  const { reporter, developer, guest, project, sha, url } = await changed()
  const { iid } = await make(reporter, `${project.url}/issues`, { title: 'The lamp' })
  const issue = `${project.url}/issues/${iid}`

  await make(reporter, `${url}/comments`, { note: `@${developer.username} @${guest.username} see #${iid}` })

  const { body: todos } = await developer.get('/todos')
  assert.deepEqual(
    todos.map((todo: { target_type: string; target: { id: string }; target_url: string }) => [todo.target_type, todo.target.id]),
    [['Commit', sha]],
  )
  assert.match(todos[0].target_url, new RegExp(`/-/commit/${sha}#note_\\d+$`))
  assert.equal((await developer.get('/todos', { type: 'Commit' })).body.length, 1)
  assert.deepEqual((await guest.get('/todos')).body, [], 'who may not read the code gets no to-do')
  const { body: notes } = await reporter.get(`${issue}/notes`)
  assert.deepEqual(
    notes.map(({ body }: { body: string }) => body),
    [`mentioned in commit ${sha}`],
  )
  assert.deepEqual((await guest.get(`${issue}/notes`)).body, [], 'nor is the commit named to them')
  const { body: events } = await reporter.get(`${project.url}/events`, { action: 'commented' })
  assert.deepEqual(
    [events[0].action_name, events[0].target_type, events[0].target_title, events[0].note.noteable_type],
    ['commented on', 'Note', 'Change a line', 'Commit'],
  )
  assert.deepEqual((await guest.get(`${project.url}/events`, { action: 'commented' })).body, [])
  await make(developer, `${url}/comments`, { note: 'Done' })
  assert.deepEqual((await developer.get('/todos')).body, [], 'an answer does it')
})

test('a hook receives a comment with its commit and its line', async () => {
  const { reporter, owner, project, sha, url } = await changed()
  const receiver = await openReceiver()
  await deliver()
  await addHookTo(owner, project, { url: receiver.url, push_events: false, note_events: true })

  await make(reporter, `${url}/comments`, { note: 'Loud', path: 'f.txt', line: 2 })
  await deliver()

  const [request] = receiver.received
  assert.equal(request?.headers['x-gitlab-event'], 'Note Hook')
  assert.ok(request)
  const { object_attributes: note, commit, object_kind } = request.body
  assert.equal(object_kind, 'note')
  assert.deepEqual(
    [note.note, note.noteable_type, note.noteable_id, note.commit_id, note.st_diff.new_path],
    ['Loud', 'Commit', null, sha, 'f.txt'],
  )
  assert.match(note.line_code, /^[0-9a-f]{40}_\d+_2$/)
  assert.match(note.url, new RegExp(`/-/commit/${sha}#note_${note.id}$`))
  assert.deepEqual([commit.id, commit.message], [sha, 'Change a line'])
})

test('comments of a deleted account become those of the ghost, or are deleted with it', async () => {
  const { project, url } = await changed('public')
  const [one, other] = [await scene.user(), await scene.user()]
  await make(one, `${url}/comments`, { note: 'First' })
  await make(other, `${url}/comments`, { note: 'Second' })

  await scene.root.delete(`/users/${one.id}`)
  await scene.root.delete(`/users/${other.id}`, { hard_delete: true })

  const { body } = await scene.root.get(`${project.url}/repository/commits/${url.split('/').at(-1)}/comments`)
  assert.deepEqual(
    body.map(({ note, author }: { note: string; author: { username: string } }) => [note, author.username]),
    [['First', 'ghost']],
  )
})
