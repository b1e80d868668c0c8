/** What is said and done about merge requests, by gitbeaker (`@gitbeaker/rest`) as npm has it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gitlab } from '@gitbeaker/rest'
import { openScene } from '../scene.ts'

const scene = await openScene()

async function newProposal() {
  const { project, owner } = await scene.project()
  const { iid, url } = await scene.mergeRequest(project, { author: owner, files: { 'f.txt': 'one\ntwo\n' } })
  const client = new Gitlab({ host: scene.url, token: owner.token })
  const { diff_refs } = (await owner.get(url)).body
  const position = {
    baseSha: diff_refs.base_sha,
    startSha: diff_refs.start_sha,
    headSha: diff_refs.head_sha,
    positionType: 'text' as const,
    oldPath: 'f.txt',
    newPath: 'f.txt',
    newLine: '2',
  }
  return { id: project.id, iid, owner, client, position }
}

test('notes are written, changed and deleted, and reacted to', async () => {
  const { client, id, iid } = await newProposal()
  const note = await client.MergeRequestNotes.create(id, iid, 'Red?')

  assert.deepEqual([note.noteable_type, note.system], ['MergeRequest', false])
  assert.equal((await client.MergeRequestNotes.edit(id, iid, note.id, { body: 'Red!' })).body, 'Red!')
  const award = await client.MergeRequestNoteAwardEmojis.award(id, iid, note.id, 'tada')
  assert.equal((await client.MergeRequestNoteAwardEmojis.show(id, iid, note.id, award.id)).name, 'tada')
  await client.MergeRequestAwardEmojis.award(id, iid, 'thumbsup')
  assert.equal((await client.MergeRequests.show(id, iid)).upvotes, 1)
  await client.MergeRequestNotes.remove(id, iid, note.id)
  assert.deepEqual(await client.MergeRequestNotes.all(id, iid), [])
})

test('threads are begun on a line, answered and resolved', async () => {
  const { client, id, iid, position } = await newProposal()
  const thread = await client.MergeRequestDiscussions.create(id, iid, 'Why two?', { position })
  const answer = await client.MergeRequestDiscussions.addNote(id, iid, thread.id, 'Because')

  assert.equal(thread.notes?.[0]?.type, 'DiffNote')
  await client.MergeRequestDiscussions.editNote(id, iid, thread.id, answer.id, { body: 'So' })
  const resolved = await client.MergeRequestDiscussions.resolve(id, iid, thread.id, true)
  assert.deepEqual(
    resolved.notes?.map(note => [note.body, note.resolved]),
    [
      ['Why two?', true],
      ['So', true],
    ],
  )
})

test('a review is drafted and published', async () => {
  const { client, id, iid } = await newProposal()
  const draft = await client.MergeRequestDraftNotes.create(id, iid, 'Hm')
  await client.MergeRequestDraftNotes.create(id, iid, 'Well')

  // Its `edit` posts to where the API has PUT alone, and works nowhere.
  assert.equal((await client.MergeRequestDraftNotes.show(id, iid, draft.id)).note, 'Hm')
  await client.MergeRequestDraftNotes.publish(id, iid, draft.id)
  await client.MergeRequestDraftNotes.publishBulk(id, iid)
  assert.deepEqual(
    (await client.MergeRequestNotes.all(id, iid, { sort: 'asc' })).map(note => note.body),
    ['Hm', 'Well'],
  )
})

test('suggestions are applied', async () => {
  const { client, id, iid, position } = await newProposal()
  const thread = await client.MergeRequestDiscussions.create(id, iid, '```suggestion\nTwo\n```', { position })
  const [note] = thread.notes as unknown as { suggestions: { id: number }[] }[]

  const applied = await client.Suggestions.edit(note!.suggestions[0]!.id, { commitMessage: 'Two it is' })
  assert.deepEqual([applied.applied, applied.from_line, applied.to_content], [true, 2, 'Two\n'])
})
