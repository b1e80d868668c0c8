/** What is said and done about issues, by gitbeaker (`@gitbeaker/rest`) as npm has it: every method that it has for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gitlab } from '@gitbeaker/rest'
import { openScene } from '../scene.ts'

const scene = await openScene()

async function newIssue(options: { issueType?: string } = {}) {
  const { project, owner } = await scene.project()
  const client = new Gitlab({ host: scene.url, token: owner.token })
  const { iid } = await client.Issues.create(project.id, 'Paint the shed', options)
  return { id: project.id, iid, owner, client }
}

test('notes are written, read, changed, listed and deleted', async () => {
  const { client, id, iid } = await newIssue()
  const note = await client.IssueNotes.create(id, iid, 'Red?', { internal: true })

  assert.deepEqual([note.body, note.noteable_type, note.system], ['Red?', 'Issue', false])
  assert.equal((await client.IssueNotes.edit(id, iid, note.id, { body: 'Red!' })).body, 'Red!')
  assert.equal((await client.IssueNotes.show(id, iid, note.id)).body, 'Red!')
  assert.deepEqual(
    (await client.IssueNotes.all(id, iid, { sort: 'asc', orderBy: 'updated_at' })).map(found => found.id),
    [note.id],
  )
  await client.IssueNotes.remove(id, iid, note.id)
  assert.deepEqual(await client.IssueNotes.all(id, iid), [])
})

test('threads are begun, answered, changed and taken back', async () => {
  const { client, id, iid } = await newIssue()
  const thread = await client.IssueDiscussions.create(id, iid, 'Which colour?')
  const answer = await client.IssueDiscussions.addNote(id, iid, thread.id, 'Red')

  await client.IssueDiscussions.editNote(id, iid, thread.id, answer.id, { body: 'Blue' })
  const [found] = await client.IssueDiscussions.all(id, iid)
  assert.deepEqual(
    found?.notes?.map(note => note.body),
    ['Which colour?', 'Blue'],
  )
  await client.IssueDiscussions.removeNote(id, iid, thread.id, answer.id)
  assert.equal((await client.IssueDiscussions.show(id, iid, thread.id)).notes?.length, 1)
})

test('issues and notes are reacted to', async () => {
  const { client, id, iid } = await newIssue()
  const note = await client.IssueNotes.create(id, iid, 'Red?')
  const award = await client.IssueAwardEmojis.award(id, iid, 'thumbsup')
  const onNote = await client.IssueNoteAwardEmojis.award(id, iid, note.id, 'tada')

  assert.equal((await client.Issues.show(iid, { projectId: id })).upvotes, 1)
  assert.equal((await client.IssueAwardEmojis.show(id, iid, award.id)).name, 'thumbsup')
  assert.equal((await client.IssueNoteAwardEmojis.show(id, iid, note.id, onNote.id)).name, 'tada')
  await client.IssueAwardEmojis.remove(id, iid, award.id)
  await client.IssueNoteAwardEmojis.remove(id, iid, note.id, onNote.id)
  assert.deepEqual([await client.IssueAwardEmojis.all(id, iid), await client.IssueNoteAwardEmojis.all(id, iid, note.id)], [[], []])
})

test('changes of states, labels, milestones and weights are listed', async () => {
  const { client, id, iid } = await newIssue()
  const milestone = await client.ProjectMilestones.create(id, 'One day')
  await client.Issues.edit(id, iid, { labels: 'wood', milestoneId: milestone.id, weight: 3, stateEvent: 'close' })

  for (const kind of ['IssueStateEvents', 'IssueLabelEvents', 'IssueMilestoneEvents', 'IssueWeightEvents'] as const) {
    const [event] = await client[kind].all(id, iid)
    assert.equal((await client[kind].show(id, iid, event?.id as number)).id, event?.id, kind)
  }
  assert.deepEqual(await client.IssueIterationEvents.all(id, iid), [])
})

test('issues are marked as something to do, and done', async () => {
  const { client, id, iid } = await newIssue()
  const todo = await client.Issues.createTodo(id, iid)

  assert.deepEqual(
    (await client.TodoLists.all({ action: 'marked', type: 'Issue' })).map(found => found.id),
    [todo.id],
  )
  assert.equal((await client.TodoLists.done({ todoId: todo.id })).state, 'done')
  await client.Issues.createTodo(id, iid)
  await client.TodoLists.done()
  assert.deepEqual(await client.TodoLists.all(), [])
})

test('incidents have metric images', async () => {
  const { client, id, iid } = await newIssue({ issueType: 'incident' })
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
  const image = await client.Issues.uploadMetricImage(
    id,
    iid,
    { content: new Blob([gif]), filename: 'load.gif' },
    { url: 'https://example.com' },
  )

  assert.deepEqual(
    (await client.Issues.allMetricImages(id, iid)).map(found => found.id),
    [image.id],
  )
  assert.equal((await client.Issues.editMetricImage(id, iid, image.id, { urlText: 'Load' })).id, image.id)
  await client.Issues.removeMetricImage(id, iid, image.id)
  assert.deepEqual(await client.Issues.allMetricImages(id, iid), [])
})

test('those who take part are listed', async () => {
  const { client, id, iid, owner } = await newIssue()

  assert.deepEqual(
    (await client.Issues.allParticipants(id, iid)).map(user => user.id),
    [owner.id],
  )
})
