/** Threads on positions in the diff of a merge request (discussions API at 14.0). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openScene, type Person } from '../../../test/scene.ts'
import { startWorker } from '../../platform/events/worker.ts'
import { tasksOf } from '../../server/tasks.ts'
import { movePositions } from '../notes/positions/position_tracking.ts'
import { unresolvedThreads } from './unresolved.ts'

const scene = await openScene()

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')

/** A merge request by the developer that adds a line to the top of a file of 20 lines and changes the last. */
async function proposed() {
  const world = await scene.project({ visibility: 'public', members: ['reporter', 'developer'] })
  const { project, developer } = world
  await scene.commit(project, { 'f.txt': numbered(1, 20), 'dot.png': 'a' }, { branch: 'main' })
  await make(scene.root, `${project.url}/repository/branches`, { branch: 'topic', ref: 'main' })
  const push = async (files: Record<string, string>) => {
    const actions = Object.entries(files).map(([file_path, content]) => ({ action: 'update', file_path, content }))
    const commit = await make(scene.root, `${project.url}/repository/commits`, { branch: 'topic', commit_message: 'Change', actions })
    return commit.id as string
  }
  await push({ 'f.txt': `new\n${numbered(1, 19)}last\n`, 'dot.png': 'b' })
  const mergeRequest = await scene.mergeRequest(project, { source_branch: 'topic', author: developer })
  const { body } = await developer.get(mergeRequest.url)
  return { ...world, mergeRequest, push, refs: body.diff_refs, threads: `${mergeRequest.url}/discussions` }
}

async function make(person: Person, path: string, body: object) {
  const answer = await person.post(path, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body
}

const at = (refs: object, rest: object) => ({ ...refs, position_type: 'text', old_path: 'f.txt', new_path: 'f.txt', ...rest })

describe('a thread on a line', () => {
  test('is a DiffNote with its position, on added, removed and unchanged lines', async () => {
    const { reporter, refs, threads } = await proposed()
    const cases = [
      { given: { new_line: 1 }, kept: { old_line: null, new_line: 1 } },
      { given: { old_line: 20 }, kept: { old_line: 20, new_line: null } },
      { given: { old_line: 1, new_line: 2 }, kept: { old_line: 1, new_line: 2 } },
      // A line outside of the hunks of the diff.
      { given: { old_line: 10, new_line: 11 }, kept: { old_line: 10, new_line: 11 } },
    ]
    for (const { given, kept } of cases) {
      const { body } = await reporter.post(threads, { body: 'Why?', position: at(refs, { old_line: null, ...given }) })
      const [note] = body.notes
      assert.deepEqual([note.type, note.resolvable, note.resolved, note.commit_id], ['DiffNote', true, false, null])
      assert.deepEqual(note.position, { ...at(refs, {}), ...kept })
    }
    const { body: thread } = await reporter.post(threads, { body: 'Why?', position: at(refs, { new_line: 1 }) })
    const answer = await make(reporter, `${threads}/${thread.id}/notes`, { body: 'Because' })
    assert.deepEqual([answer.type, answer.position.new_line], ['DiffNote', 1])
  })

  test('lines, files and commits outside the diff are refused with 400', async () => {
    const { reporter, refs, threads } = await proposed()
    const refused = [
      { new_line: 50 },
      { new_line: 11 },
      { old_line: 10, new_line: 10 },
      {},
      { new_line: 1, new_path: 'g.txt', old_path: 'g.txt' },
      { new_line: 1, head_sha: '0'.repeat(40) },
      { new_line: 1, base_sha: 'nonsense' },
      { new_line: 1, position_type: 'sound' },
    ]
    for (const given of refused) {
      const { status } = await reporter.post(threads, { body: 'Why?', position: at(refs, given) })
      assert.equal(status, 400, JSON.stringify(given))
    }
    assert.deepEqual((await reporter.get(threads)).body, [])
  })

  test('several lines, a point of an image and a whole file have their own kinds of position', async () => {
    const { reporter, refs, threads } = await proposed()

    const lines = await make(reporter, threads, {
      body: 'These',
      position: at(refs, { old_line: 2, new_line: 3, line_range: { start: { new_line: 1 }, end: { old_line: 2, new_line: 3 } } }),
    })
    const { line_range } = lines.notes[0].position
    assert.deepEqual([line_range.start.new_line, line_range.start.type, line_range.end.old_line], [1, 'new', 2])
    const picture = { old_path: 'dot.png', new_path: 'dot.png', position_type: 'image' }
    assert.equal((await reporter.post(threads, { body: 'Here', position: at(refs, { ...picture, x: 1 }) })).status, 400)
    const point = await make(reporter, threads, { body: 'Here', position: at(refs, { ...picture, x: 1, y: 2, width: 10, height: 20 }) })
    assert.deepEqual([point.notes[0].position.x, point.notes[0].position.height, 'side' in point.notes[0].position], [1, 20, false])
    const before = at(refs, { ...picture, x: 1, y: 2, width: 10, height: 20, side: 'old' })
    assert.equal((await make(reporter, threads, { body: 'There', position: before })).notes[0].position.side, 'old')
    const file = await make(reporter, threads, { body: 'All', position: at(refs, { position_type: 'file' }) })
    assert.equal(file.notes[0].position.position_type, 'file')
  })

  test('follows its line through new commits, and stays in place when the line is removed', async () => {
    const { reporter, mergeRequest, project, push, refs, threads } = await proposed()
    const moves = await make(reporter, threads, { body: 'Moves', position: at(refs, { new_line: 1 }) })
    const goes = await make(reporter, threads, { body: 'Goes', position: at(refs, { new_line: 21 }) })

    const head = await push({ 'f.txt': `first\nnew\n${numbered(1, 19)}other\n` })
    const newer = { base_commit_sha: refs.base_sha, start_commit_sha: refs.start_sha, head_commit_sha: head }
    const older = { ...newer, head_commit_sha: refs.head_sha }
    const stored = await scene.deps.database.db.selectFrom('projects').selectAll().where('id', '=', project.id).executeTakeFirstOrThrow()
    const repository = scene.deps.storages.repository(stored)
    const now = scene.deps.now()
    // Twice, as after a crash.
    for (const _ of [1, 2])
      await scene.run(reporter, ({ db }) => movePositions(db, repository, { mergeRequestId: mergeRequest.id, older, newer, now }))

    const position = async (thread: { id: string }) => (await reporter.get(`${threads}/${thread.id}`)).body.notes[0].position
    assert.deepEqual(await position(moves), { ...at({ ...refs, head_sha: head }, {}), old_line: null, new_line: 2 })
    assert.deepEqual(await position(goes), goes.notes[0].position)
  })
})

test('a push moves threads, and resolves outdated ones where the project enables it', async () => {
  const { owner, developer, reporter, project, push, refs, threads } = await proposed()
  await owner.put(project.url, { resolve_outdated_diff_discussions: true })
  const moves = await make(reporter, threads, { body: 'Moves', position: at(refs, { new_line: 1 }) })
  const goes = await make(reporter, threads, { body: 'Goes', position: at(refs, { new_line: 21 }) })
  const { deps } = scene
  const worker = await startWorker({ database: deps.database, tasks: tasksOf(deps), log: deps.log, concurrency: 1 })
  try {
    await push({ 'f.txt': `first\nnew\n${numbered(1, 19)}other\n` })
    const first = async (thread: { id: string }) => (await developer.get(`${threads}/${thread.id}`)).body.notes[0]
    await eventually(async () => (await first(moves)).position.new_line === 2, 'the thread to move')
    const [moved, gone] = [await first(moves), await first(goes)]
    assert.deepEqual([moved.position.new_line, moved.resolved], [2, false])
    assert.deepEqual([gone.position.head_sha, gone.resolved], [refs.head_sha, true])
  } finally {
    await worker.stop()
  }
})

describe('resolving', () => {
  test('the author of the change and Developers resolve threads and notes, others do not', async () => {
    const { reporter, developer, owner, mergeRequest, refs, threads } = await proposed()
    const thread = await make(reporter, threads, { body: 'Why?', position: at(refs, { new_line: 1 }) })
    const answer = await make(developer, `${threads}/${thread.id}/notes`, { body: 'Because' })
    const one = `${threads}/${thread.id}`
    const unresolved = () => unresolvedThreads(scene.deps.database.db, [mergeRequest.id])

    assert.equal((await reporter.put(one, { resolved: true })).status, 403)
    assert.equal((await reporter.put(`${one}/notes/${answer.id}`, { resolved: true })).status, 403)
    assert.deepEqual(await unresolved(), new Map([[mergeRequest.id, 1]]))
    const { status, body } = await developer.put(one, { resolved: true })
    assert.equal(status, 200)
    for (const note of body.notes) assert.deepEqual([note.resolved, note.resolved_by.id], [true, developer.id])
    assert.deepEqual(await unresolved(), new Map())
    const notes = (await reporter.get(`${mergeRequest.url}/notes`, { activity_filter: 'only_activity' })).body
    assert.equal(notes[0].body, 'resolved all threads')

    const taken = await owner.put(`${one}/notes/${answer.id}`, { resolved: false })
    assert.deepEqual([taken.body.resolved, taken.body.resolved_by, taken.body.resolved_at], [false, null, null])
    assert.equal((await unresolved()).size, 1)
  })

  test('only the author changes the text of a note, and a request changes either the text or the resolution', async () => {
    const { reporter, developer, threads } = await proposed()
    const thread = await make(reporter, threads, { body: 'Why?' })
    const one = `${threads}/${thread.id}/notes/${thread.notes[0].id}`

    assert.equal((await developer.put(one, { body: 'No' })).status, 403)
    assert.equal((await reporter.put(one, { body: 'Why not?' })).body.body, 'Why not?')
    assert.equal((await reporter.put(one, {})).status, 400)
    assert.equal((await developer.put(one, { body: 'No', resolved: true })).status, 400)
  })
})
