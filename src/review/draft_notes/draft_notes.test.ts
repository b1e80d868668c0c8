/** Drafts of a review, and publishing them (draft notes API). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overtakenBy } from '../../../test/held_table.ts'
import { openScene } from '../../../test/scene.ts'
import { recordStatements } from '../../platform/db/statements/statements.ts'

const scene = await openScene()

async function proposed() {
  const world = await scene.project({ visibility: 'public', members: ['reporter', 'developer'] })
  const mergeRequest = await scene.mergeRequest(world.project, { author: world.developer, files: { 'f.txt': 'one\n' } })
  const { body } = await world.developer.get(mergeRequest.url)
  const position = { ...body.diff_refs, position_type: 'text', old_path: 'f.txt', new_path: 'f.txt', old_line: null, new_line: 1 }
  return { ...world, mergeRequest, position, notes: `${mergeRequest.url}/notes`, drafts: `${mergeRequest.url}/draft_notes` }
}

test('a draft has the fields of the draft notes API and is visible to its author only', async () => {
  const { reporter, developer, mergeRequest, position, drafts, notes } = await proposed()

  const { status, body } = await reporter.post(drafts, { note: 'Hm' })

  assert.equal(status, 201)
  const { id, position: nowhere, ...rest } = body
  assert.deepEqual(rest, {
    author_id: reporter.id,
    merge_request_id: mergeRequest.id,
    resolve_discussion: false,
    discussion_id: null,
    note: 'Hm',
    commit_id: null,
  })
  assert.equal(nowhere.base_sha, null)
  assert.deepEqual((await reporter.post(drafts, { note: 'Here', position })).body.position, { ...position, line_range: null })
  assert.equal((await reporter.get(drafts)).body.length, 2)
  for (const person of [developer, scene.root]) {
    assert.deepEqual((await person.get(drafts)).body, [])
    assert.equal((await person.get(`${drafts}/${id}`)).status, 404)
    assert.equal((await person.put(`${drafts}/${id}/publish`)).status, 404)
  }
  assert.deepEqual((await reporter.get(notes)).body, [])
  assert.equal((await scene.anonymous.get(drafts)).status, 401)
})

test('drafts are changed and deleted; positions outside the diff, unknown threads and blank texts are refused', async () => {
  const { reporter, position, drafts } = await proposed()
  const { body } = await reporter.post(drafts, { note: 'Hm' })

  assert.equal((await reporter.put(`${drafts}/${body.id}`, { note: 'Hm!', position })).body.position.new_line, 1)
  assert.equal((await reporter.get(`${drafts}/${body.id}`)).body.note, 'Hm!')
  assert.equal((await reporter.put(`${drafts}/${body.id}`, {})).status, 400)
  assert.equal((await reporter.put(`${drafts}/${body.id}`, { position: { ...position, new_line: 9 } })).status, 400)
  assert.equal((await reporter.post(drafts, { note: ' ' })).status, 400)
  assert.equal((await reporter.post(drafts, { note: 'Hm', in_reply_to_discussion_id: 'f'.repeat(40) })).status, 404)
  assert.equal((await reporter.delete(`${drafts}/${body.id}`)).status, 204)
  assert.equal((await reporter.get(`${drafts}/${body.id}`)).status, 404)
})

test('all drafts are published in one request, in order of writing, and resolve threads where they say so', async () => {
  const { reporter, developer, position, drafts, notes, mergeRequest } = await proposed()
  const { body: thread } = await reporter.post(`${mergeRequest.url}/discussions`, { body: 'Why?' })
  await developer.post(drafts, { note: 'Fine', position })
  await developer.post(drafts, { note: 'Because', in_reply_to_discussion_id: thread.id, resolve_discussion: true })
  await developer.post(drafts, { note: 'All in all good' })

  assert.equal((await developer.post(`${drafts}/bulk_publish`)).status, 204)

  const said = (await reporter.get(notes, { sort: 'asc', activity_filter: 'only_comments' })).body
  assert.deepEqual(
    said.map((note: { body: string; type: string | null; resolved?: boolean }) => [note.body, note.type, note.resolved]),
    [
      ['Why?', 'DiscussionNote', true],
      ['Fine', 'DiffNote', false],
      ['Because', 'DiscussionNote', true],
      ['All in all good', null, undefined],
    ],
  )
  assert.deepEqual((await developer.get(drafts)).body, [])
  assert.equal((await developer.post(`${drafts}/bulk_publish`)).status, 204)
})

test('a review that approves another commit than the last one is a conflict, and its drafts stay drafts', async () => {
  const { developer, drafts, notes, mergeRequest } = await proposed()
  await developer.post(drafts, { note: 'Fine' })
  const { sha } = (await developer.get(mergeRequest.url)).body

  const answer = await developer.post(`${drafts}/bulk_publish`, { note: 'All in all good', approve: true, sha: '0'.repeat(40) })

  assert.deepEqual(answer, { status: 409, body: { message: `SHA does not match HEAD of source branch: ${sha}` } })
  assert.equal((await developer.get(drafts)).body.length, 1)
  assert.deepEqual((await developer.get(notes, { activity_filter: 'only_comments' })).body, [])
})

test('one draft is published alone; a user who may not resolve threads publishes without resolving', async () => {
  const { reporter, developer, drafts, notes, mergeRequest } = await proposed()
  const { body: thread } = await developer.post(`${mergeRequest.url}/discussions`, { body: 'Why?' })
  const { body: draft } = await reporter.post(drafts, { note: 'So', in_reply_to_discussion_id: thread.id, resolve_discussion: true })
  await reporter.post(drafts, { note: 'Later' })

  assert.equal((await reporter.put(`${drafts}/${draft.id}/publish`)).status, 204)

  const [answer] = (await developer.get(notes)).body
  assert.deepEqual([answer.body, answer.resolved], ['So', false])
  assert.equal((await reporter.get(drafts)).body.length, 1)
})

test('a draft that is deleted while it is published is not published, and the answer says so', async () => {
  const { reporter, drafts, notes, developer } = await proposed()
  const { body: draft } = await reporter.post(drafts, { note: 'Gone' })
  const before = (await developer.get(notes)).body.length

  const deletion = ['delete from draft_notes where id = $1', [draft.id]] as const
  const answer = await overtakenBy(scene.deps.database, deletion, () => reporter.put(`${drafts}/${draft.id}/publish`))

  assert.equal(answer.status, 404)
  assert.equal((await developer.get(notes)).body.length, before)
})

test('drafts of a merge request that is deleted while they are published are refused with it', async () => {
  const { reporter, drafts, mergeRequest } = await proposed()
  await reporter.post(drafts, { note: 'Gone' })

  const deletion = ['delete from merge_requests where id = $1', [mergeRequest.id]] as const
  const answer = await overtakenBy(scene.deps.database, deletion, () => reporter.post(`${drafts}/bulk_publish`))

  assert.equal(answer.status, 404)
})

test('long drafts with quick actions are read together: their transaction begins again once, not for each of them', async () => {
  const { developer, drafts, notes } = await proposed()
  // Longer than what is read within a transaction, and mentioning someone.
  const long = `@root ${'word '.repeat(6600)}`
  for (const number of [1, 2, 3]) await developer.post(drafts, { note: `${number} ${long}\n/cc @root` })

  // Statements are recorded of what is called from here, not of a server that is asked.
  const request = { method: 'POST', url: `/api/v4${drafts}/bulk_publish`, headers: { 'private-token': developer.token } } as const
  const { statements, result } = await recordStatements(async () => scene.app.inject(request))

  assert.equal(result.statusCode, 204)
  assert.equal(statements.filter(text => text.startsWith('delete from "draft_notes"')).length, 2)
  const { headers } = await developer.get(notes, { activity_filter: 'only_comments', per_page: 1 })
  assert.equal(headers['x-total'], '3')
})

test('a person has a hundred drafts at most for one merge request, also of those that are sent together', async () => {
  const { project, reporter, developer, drafts, mergeRequest } = await proposed()
  const other = await scene.mergeRequest(project, { author: developer, files: { 'g.txt': 'one\n' } })
  await scene.deps.database.pool.query(
    `insert into draft_notes (merge_request_id, author_id, note, resolve_discussion, created_at, updated_at)
     select $1, $2, 'Draft ' || number, false, now(), now() from generate_series(1, 98) number`,
    [mergeRequest.id, reporter.id],
  )

  const answers = await Promise.all(Array.from({ length: 6 }, () => reporter.post(drafts, { note: 'Hm' })))

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 400, 400, 400, 400])
  assert.deepEqual(answers.find(({ status }) => status === 400)?.body, {
    message: '400 Bad request - a person has 100 drafts at most for one merge request',
  })
  assert.equal((await developer.post(drafts, { note: 'Hm' })).status, 201)
  assert.equal((await reporter.post(`${other.url}/draft_notes`, { note: 'Hm' })).status, 201)
  assert.equal((await reporter.delete(`${drafts}/${answers.find(({ status }) => status === 201)?.body.id}`)).status, 204)
  assert.equal((await reporter.post(drafts, { note: 'Hm' })).status, 201)
})
