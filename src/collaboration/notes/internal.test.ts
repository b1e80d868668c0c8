/** Internal notes are visible to Reporters and above only, whatever the user's relation to the item. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Client, openScene, type Person } from '../../../test/scene.ts'

const scene = await openScene()

const secret = 'the walrus is sick'

const contains = async (reader: Client, url: string, query: Record<string, string> = {}) => {
  const answer = await reader.get(url, query)
  assert.equal(answer.status, 200, url)
  return JSON.stringify(answer.body).includes(secret)
}

/** An issue of a public project whose author and assignee have no role in it, with an internal note that mentions both. */
async function askedByOutsiders() {
  const { project, owner, reporter } = await scene.project({ visibility: 'public', members: ['reporter'] })
  const [author, assignee] = [await scene.user(), await scene.user()]
  const { body: issue } = await author.post(`${project.url}/issues`, { title: 'Help' })
  const url = `${project.url}/issues/${issue.iid}`
  await owner.put(url, { assignee_ids: [assignee.id] })
  const mentions = `@${author.username} and @${assignee.username}`
  const { body: note } = await reporter.post(`${url}/notes`, { body: `${secret}: ${mentions}`, internal: true })
  return { project, owner, reporter, author, assignee, url, note }
}

describe('an internal note of an issue', () => {
  test('is hidden from the author and the assignee of the issue without a role, in every read', async () => {
    const { project, reporter, author, assignee, url, note } = await askedByOutsiders()

    for (const person of [author, assignee]) {
      assert.equal((await person.get(`${url}/notes/${note.id}`)).status, 404)
      assert.equal((await person.get(`${url}/notes/${note.id}/award_emoji`)).status, 404)
      assert.equal((await person.post(`${url}/notes/${note.id}/award_emoji`, { name: 'eyes' })).status, 404)
      for (const path of [`${url}/notes`, `${url}/discussions`, `${project.url}/events`, `/users/${reporter.id}/events`, '/todos'])
        assert.equal(await contains(person, path), false, path)
      assert.equal(await contains(person, `${project.url}/search`, { scope: 'notes', search: 'walrus' }), false)
      assert.deepEqual(
        (await person.get('/todos')).body.filter((todo: { body: string }) => todo.body.includes(secret)),
        [],
      )
    }
    assert.equal(await contains(reporter, `${url}/notes`), true)
    assert.equal(await contains(reporter, `${project.url}/events`), true)
    assert.equal(await contains(reporter, `${project.url}/search`, { scope: 'notes', search: 'walrus' }), true)
  })

  test('adds no participants for users who may not read it', async () => {
    const { owner, reporter, author, url } = await askedByOutsiders()
    const participants = async (person: Person) => (await person.get(`${url}/participants`)).body.map(({ id }: { id: number }) => id)

    assert.equal((await participants(author)).includes(reporter.id), false)
    assert.equal((await participants(owner)).includes(reporter.id), true)
  })

  test('cannot be created, nor made from a public note, by the author without a role', async () => {
    const { author, url } = await askedByOutsiders()
    const { body: open } = await author.post(`${url}/notes`, { body: 'Anybody?' })
    const refused = { status: 403, body: { message: '403 Forbidden - Internal notes are for members with at least the Reporter role' } }

    assert.deepEqual(await author.post(`${url}/notes`, { body: 'Between us', internal: true }), refused)
    assert.deepEqual(await author.post(`${url}/notes`, { body: 'Between us', confidential: true }), refused)
    assert.deepEqual(await author.post(`${url}/discussions`, { body: 'Between us', confidential: true }), refused)
    assert.deepEqual(await author.put(`${url}/notes/${open.id}`, { confidential: true }), refused)
    assert.equal((await author.get(`${url}/notes/${open.id}`)).body.confidential, false)
  })

  test('is hidden from its own author after the role was taken away, and from their to-do items', async () => {
    const { project, owner, reporter, url, note } = await askedByOutsiders()
    const mentioned = await scene.user()
    await owner.post(`${project.url}/members`, { user_id: mentioned.id, access_level: 20 })
    await owner.post(`${url}/notes`, { body: `${secret}, @${mentioned.username}`, internal: true })
    assert.equal(await contains(mentioned, '/todos'), true)
    for (const { id } of [reporter, mentioned]) await owner.delete(`${project.url}/members/${id}`)

    assert.equal(await contains(mentioned, '/todos'), false)
    assert.equal((await reporter.get(`${url}/notes/${note.id}`)).status, 404)
    assert.equal((await reporter.put(`${url}/notes/${note.id}`, { confidential: false })).status, 404)
    assert.equal((await reporter.delete(`${url}/notes/${note.id}`)).status, 404)
    assert.equal(await contains(reporter, '/events'), false)
  })
})

test('an internal note of a merge request is hidden from its author without a role', async () => {
  const { project, owner, developer } = await scene.project({ visibility: 'public', members: ['developer'] })
  await scene.commit(project, { 'a.txt': 'a' })
  await scene.commit(project, { 'b.txt': 'b' }, { branch: 'topic', start_branch: 'main' })
  const { body: proposal } = await developer.post(`${project.url}/merge_requests`, {
    source_branch: 'topic',
    target_branch: 'main',
    title: 'Topic',
  })
  const url = `${project.url}/merge_requests/${proposal.iid}`
  await owner.post(`${url}/notes`, { body: secret, internal: true })
  assert.equal(await contains(developer, `${url}/notes`), true)

  await owner.delete(`${project.url}/members/${developer.id}`)

  for (const path of [`${url}/notes`, `${url}/discussions`, `${project.url}/events`])
    assert.equal(await contains(developer, path), false, path)
  assert.equal((await developer.post(`${url}/notes`, { body: 'Between us', internal: true })).status, 403)
})
