/** The internal flag of a note is either applied or refused, never silently ignored. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()

const secret = 'the walrus is sick'
const flags = ['confidential', 'internal'] as const
const refusal = (what: string) => ({ status: 400, body: { message: { confidential: [`must be that of ${what}`] } } })
const ofPublicThread = refusal('the thread, which is public')
const ofInternalThread = refusal('the thread, which is internal')

interface Place {
  readonly owner: Person
  readonly url: string
}

async function aboutIssue(): Promise<Place> {
  const { project, owner } = await scene.project({ visibility: 'public' })
  return { owner, url: `${project.url}/issues/${(await owner.post(`${project.url}/issues`, { title: 'Help' })).body.iid}` }
}

async function aboutMergeRequest(): Promise<Place> {
  const { project, owner } = await scene.project({ visibility: 'public' })
  return { owner, url: (await scene.mergeRequest(project, { author: owner })).url }
}

async function aboutEpic(): Promise<Place> {
  const { group, owner } = await scene.group({ visibility: 'public' })
  return { owner, url: `${group.url}/epics/${(await owner.post(`${group.url}/epics`, { title: 'Help' })).body.id}` }
}

for (const [noun, make] of [
  ['an issue', aboutIssue],
  ['a merge request', aboutMergeRequest],
  ['an epic', aboutEpic],
] as const)
  describe(`a thread on ${noun}`, () => {
    const begin = async (given: Record<string, unknown> = {}) => {
      const place = await make()
      const { status, body } = await place.owner.post(`${place.url}/discussions`, { body: 'one', ...given })
      assert.equal(status, 201)
      return { ...place, thread: `${place.url}/discussions/${body.id}`, first: body.notes[0] }
    }

    test('that is public accepts no internal reply', async () => {
      const { owner, thread } = await begin()

      for (const flag of flags) assert.deepEqual(await owner.post(`${thread}/notes`, { body: secret, [flag]: true }), ofPublicThread)

      assert.equal((await owner.get(thread)).body.notes.length, 1)
      assert.equal((await owner.post(`${thread}/notes`, { body: 'two', internal: false })).body.confidential, false)
      assert.equal((await owner.post(`${thread}/notes`, { body: 'three' })).body.confidential, false)
    })

    test('that is internal accepts no public reply', async () => {
      const { owner, thread } = await begin({ internal: true })

      for (const flag of flags) {
        assert.deepEqual(await owner.post(`${thread}/notes`, { body: secret, [flag]: false }), ofInternalThread)
        assert.equal((await owner.post(`${thread}/notes`, { body: 'two', [flag]: true })).body.confidential, true)
      }
      assert.equal((await owner.post(`${thread}/notes`, { body: 'three' })).body.confidential, true)
    })

    test('is not split by a change of one of its notes', async () => {
      const { owner, url, thread, first } = await begin()
      const { body: answer } = await owner.post(`${thread}/notes`, { body: 'two' })

      for (const { id } of [first, answer])
        for (const flag of flags)
          for (const path of [`${thread}/notes/${id}`, `${url}/notes/${id}`])
            assert.deepEqual(await owner.put(path, { body: secret, [flag]: true }), ofPublicThread, path)

      assert.deepEqual(
        (await owner.get(thread)).body.notes.map(({ body }: { body: string }) => body),
        ['one', 'two'],
      )
    })

    test('becomes internal with its only note, by either name of the flag', async () => {
      for (const flag of flags) {
        const { owner, url, thread, first } = await begin()
        const path = flag === 'internal' ? `${thread}/notes/${first.id}` : `${url}/notes/${first.id}`

        const { status, body } = await owner.put(path, { body: secret, [flag]: true })

        assert.deepEqual([status, body.body, body.confidential, body.internal], [200, secret, true, true])
      }
    })

    test('and a note are refused if the two names of the flag contradict each other', async () => {
      const { owner, url, first } = await begin()
      const given = { body: secret, confidential: false, internal: true }
      const refused = { status: 400, body: { message: { internal: ['contradicts confidential'] } } }

      assert.deepEqual(await owner.post(`${url}/discussions`, given), refused)
      assert.deepEqual(await owner.post(`${url}/notes`, given), refused)
      assert.deepEqual(await owner.put(`${url}/notes/${first.id}`, given), refused)
    })
  })

test('a note becomes internal by the newer name of the flag alone', async () => {
  const { owner, url } = await aboutIssue()
  const { body: note } = await owner.post(`${url}/notes`, { body: secret })

  const { status, body } = await owner.put(`${url}/notes/${note.id}`, { internal: true })

  assert.deepEqual([status, body.confidential], [200, true])
})

test('resolving a note does not change its flag', async () => {
  const { owner, url } = await aboutMergeRequest()
  const { body: thread } = await owner.post(`${url}/discussions`, { body: 'one' })

  const { status } = await owner.put(`${url}/discussions/${thread.id}/notes/${thread.notes[0].id}`, { resolved: true, internal: true })

  assert.equal(status, 400)
})

describe('a draft', () => {
  test('is internal if its thread is, and cannot be internal otherwise', async () => {
    const { owner, url } = await aboutMergeRequest()
    const threadOf = async (given: object) => (await owner.post(`${url}/discussions`, { body: 'one', ...given })).body.id
    const [open, internal] = [await threadOf({}), await threadOf({ internal: true })]
    const { body: draft } = await owner.post(`${url}/draft_notes`, { note: 'two' })

    for (const flag of flags) {
      const draftIn = (id: string) => owner.post(`${url}/draft_notes`, { note: secret, in_reply_to_discussion_id: id, [flag]: true })
      const alone = refusal('a thread that a draft begins, which is public')
      assert.deepEqual(await owner.post(`${url}/draft_notes`, { note: secret, [flag]: true }), alone)
      assert.deepEqual(await owner.put(`${url}/draft_notes/${draft.id}`, { note: secret, [flag]: true }), alone)
      assert.deepEqual(await draftIn(open), ofPublicThread)
      assert.equal((await draftIn(internal)).status, 201)
    }
    assert.equal((await owner.post(`${url}/draft_notes/bulk_publish`)).status, 204)
    const said = (await owner.get(`${url}/notes`)).body.filter(({ body }: { body: string }) => body === secret)
    assert.deepEqual(
      said.map(({ confidential }: { confidential: boolean }) => confidential),
      [true, true],
    )
  })

  test('that replies to an internal thread is not published elsewhere after the thread was deleted', async () => {
    const { owner, url } = await aboutMergeRequest()
    const { body: thread } = await owner.post(`${url}/discussions`, { body: 'one', internal: true })
    await owner.post(`${url}/draft_notes`, { note: secret, in_reply_to_discussion_id: thread.id })
    await owner.delete(`${url}/notes/${thread.notes[0].id}`)

    const answer = await owner.post(`${url}/draft_notes/bulk_publish`)

    assert.deepEqual(answer, { status: 404, body: { message: '404 Discussion Not Found' } })
    assert.equal((await owner.get(`${url}/draft_notes`)).body.length, 1)
    assert.equal(JSON.stringify((await owner.get(`${url}/notes`)).body).includes(secret), false)
  })
})

test('moving an issue with an internal thread reveals neither its text nor its author, and leaves no public note in it', async () => {
  const { project, owner, reporter } = await scene.project({ visibility: 'public', members: ['reporter'] })
  const proposal = await scene.mergeRequest(project, { author: owner })
  const { body: thread } = await reporter.post(`${proposal.url}/discussions`, { body: secret, internal: true })
  const outsider = await scene.user()

  const { status, body: issue } = await owner.post(`${project.url}/issues`, {
    title: 'Go on',
    merge_request_to_resolve_discussions_of: proposal.iid,
  })

  assert.equal(status, 201)
  const { description } = (await outsider.get(`${project.url}/issues/${issue.iid}`)).body
  assert.match(description, /An internal \[discussion\]/)
  assert.equal(description.includes(secret) || description.includes(reporter.username), false)
  assert.equal((await outsider.get(`${proposal.url}/discussions/${thread.id}`)).status, 404)
  assert.equal((await owner.get(`${proposal.url}/discussions/${thread.id}`)).body.notes.at(-1).confidential, true)
})
