/** Threads on issues (discussions API at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

async function talkedAbout() {
  const world = await scene.project({ visibility: 'public', members: ['guest', 'reporter'] })
  const { body } = await world.owner.post(`${world.project.url}/issues`, { title: 'Paint the shed' })
  const url = `${world.project.url}/issues/${body.iid}`
  return { ...world, url, notes: `${url}/notes`, threads: `${url}/discussions` }
}

test('a thread begins with a note and continues with replies', async () => {
  const { owner, guest, threads, url } = await talkedAbout()

  const { status, body: thread } = await owner.post(threads, { body: 'Which colour?' })
  const { body: answer } = await guest.post(`${threads}/${thread.id}/notes`, { body: 'Red' })

  assert.equal(status, 201)
  assert.match(thread.id, /^[0-9a-f]{40}$/)
  assert.equal(answer.type, 'DiscussionNote')
  const { body } = await owner.get(`${threads}/${thread.id}`)
  assert.deepEqual(
    [body.individual_note, body.notes.map((note: { body: string; type: string }) => [note.body, note.type])],
    [
      false,
      [
        ['Which colour?', 'DiscussionNote'],
        ['Red', 'DiscussionNote'],
      ],
    ],
  )
  assert.deepEqual((await owner.get(`${threads}/${thread.id}/notes`)).body, body.notes)
  assert.deepEqual((await owner.get(`${threads}/${thread.id}/notes/${answer.id}`)).body, body.notes[1])
  assert.equal((await owner.get(url)).body.user_notes_count, 2)
})

test('an individual note becomes a thread by a reply', async () => {
  const { owner, notes, threads } = await talkedAbout()
  const { body: note } = await owner.post(notes, { body: 'By the way' })
  const [alone] = (await owner.get(threads)).body

  await owner.post(`${threads}/${alone.id}/notes`, { body: 'Indeed' })

  assert.deepEqual([alone.individual_note, alone.notes[0].id], [true, note.id])
  const [thread] = (await owner.get(threads)).body
  assert.deepEqual([thread.id, thread.individual_note, thread.notes.length, thread.notes[0].type], [alone.id, false, 2, 'DiscussionNote'])
})

test('threads are listed in order of creation, a page at a time', async () => {
  const { owner, threads } = await talkedAbout()
  const first = (await owner.post(threads, { body: 'one' })).body
  const second = (await owner.post(threads, { body: 'two' })).body
  await owner.post(`${threads}/${first.id}/notes`, { body: 'more of one' })

  const ids = async (page: string) => (await owner.get(threads, { per_page: '1', page })).body.map((thread: { id: string }) => thread.id)

  assert.deepEqual([await ids('1'), await ids('2'), await ids('3')], [[first.id], [second.id], []])
})

test('a confidential thread is confidential as a whole', async () => {
  const { reporter, guest, threads } = await talkedAbout()
  const { body: thread } = await reporter.post(threads, { body: 'Between us', confidential: true })

  const { body: answer } = await reporter.post(`${threads}/${thread.id}/notes`, { body: 'Sure' })

  assert.equal(answer.confidential, true)
  assert.deepEqual((await guest.get(threads)).body, [])
  assert.deepEqual(await guest.get(`${threads}/${thread.id}`), { status: 404, body: { message: '404 Discussion Not Found' } })
})

test('notes of a thread are changed and deleted; the thread ends with its last note', async () => {
  const { owner, reporter, threads } = await talkedAbout()
  const { body: thread } = await owner.post(threads, { body: 'one' })
  const note = `${threads}/${thread.id}/notes/${thread.notes[0].id}`

  assert.equal((await reporter.put(note, { body: 'two' })).status, 403)
  assert.equal((await owner.put(note, { body: 'two' })).body.body, 'two')
  assert.equal((await owner.delete(note)).status, 204)
  assert.equal((await owner.get(`${threads}/${thread.id}`)).status, 404)
})
