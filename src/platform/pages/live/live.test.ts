/** Open pages hear of changes of what they show, and of nothing else: over real streams, from commits of other connections. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { liveScene } from './scene.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)

const { cookieOf, open, listen } = liveScene(scene)

const commit = (project: { url: string }, file: string) =>
  scene.root.post(`${project.url}/repository/commits`, {
    branch: 'main',
    commit_message: `Add ${file}`,
    actions: [{ action: 'create', file_path: file, content: 'x' }],
  })

const watches = (topic: string) => scene.deps.database.db.selectFrom('live_watches').selectAll().where('topic', '=', topic).execute()

describe('a stream', () => {
  test('says that a repository has changed, once it has', async () => {
    const { project } = await scene.project({ visibility: 'public' })
    const stream = await listen(`repository:${project.id}`)
    assert.ok(!stream.text().includes('event:'))

    await commit(project, 'a.txt')

    await eventually(() => stream.text().includes(`event: change\ndata: repository:${project.id}\n`), 'the change')
    await stream.close()
  })

  test('says nothing of a private project to those who may not see it', async () => {
    const { project } = await scene.project({ visibility: 'private' })
    const outsider = await surfer()
    const cookie = await cookieOf(outsider.person.username)
    const stream = await listen(`repository:${project.id} todos:${outsider.person.id}`, cookie)

    await commit(project, 'a.txt')
    await scene.root.post(`${project.url}/members`, { user_id: outsider.person.id, access_level: 10 })
    const { body: issue } = await scene.root.post(`${project.url}/issues`, { title: 'Look', assignee_ids: outsider.person.id })
    assert.ok(issue.iid)

    // The to-do item comes after the commit: what was due for the commit would be there.
    await eventually(() => stream.text().includes(`data: todos:${outsider.person.id}`), 'the to-do item')
    assert.ok(!stream.text().includes('repository:'))
    assert.deepEqual(await watches(`repository:${project.id}`), [])
    await stream.close()
  })

  test('ends for a topic with the right to it', async () => {
    const { project } = await scene.project({ visibility: 'private' })
    const member = await surfer()
    await scene.root.post(`${project.url}/members`, { user_id: member.person.id, access_level: 30 })
    const stream = await listen(`repository:${project.id}`, await cookieOf(member.person.username))
    await commit(project, 'a.txt')
    await eventually(() => stream.text().includes('event: change'), 'the first change')
    const before = stream.text().split('event: change').length

    await scene.root.delete(`${project.url}/members/${member.person.id}`)
    await commit(project, 'b.txt')

    // No topic is left.
    await stream.ended
    assert.equal(stream.text().split('event: change').length, before)
  })

  for (const [how, act] of Object.entries({
    'the session ends': async (id: number) => {
      await scene.deps.database.db.deleteFrom('sessions').where('user_id', '=', id).execute()
    },
    'the account is blocked': (id: number) => scene.root.post(`/users/${id}/block`),
  }))
    test(`ends when ${how}`, async () => {
      const { project } = await scene.project({ visibility: 'public' })
      const { person } = await surfer()
      const stream = await listen(`repository:${project.id}`, await cookieOf(person.username))

      await act(person.id)
      await commit(project, 'a.txt')

      await stream.ended
      assert.ok(!stream.text().includes('event: change'))
    })

  test('brings the number of to-do items, for their owner alone', async () => {
    const { project } = await scene.project({ visibility: 'public' })
    const [owner, other] = [await surfer(), await surfer()]
    await scene.root.post(`${project.url}/members`, { user_id: owner.person.id, access_level: 30 })
    const topic = `todos:${owner.person.id}`
    const stream = await listen(topic, await cookieOf(owner.person.username))
    await eventually(() => stream.text().includes('To-dos: 0'), 'the number as it is')

    await scene.root.post(`${project.url}/issues`, { title: 'Look', assignee_ids: owner.person.id })

    await eventually(() => stream.text().includes('To-dos: 1'), 'the number after it')
    assert.match(stream.text(), /data: <turbo-stream action="replace" method="morph" target="global-counters">/)
    const foreign = await open(topic, await cookieOf(other.person.username))
    // There is nothing that it may follow, and the browser need not come back.
    assert.equal(foreign.statusCode, 204)
    foreign.resume()
    await stream.close()
  })

  test('says what has changed since the page was made', async () => {
    const { project } = await scene.project({ visibility: 'public' })
    const since = Date.now()
    await commit(project, 'a.txt')

    const late = await listen(`repository:${project.id} activity:${project.id}`, undefined, { since })
    await eventually(() => late.text().includes(`data: activity:${project.id}`), 'the activity')
    assert.ok(late.text().includes(`data: repository:${project.id}`))
    await late.close()
    // The browser sends the id of the last message when it comes back.
    const back = await listen(`repository:${project.id}`, undefined, { since, headers: { 'last-event-id': String(Date.now() + 1_000) } })
    assert.ok(!back.text().includes('event:'))
    await back.close()
    // What no browser sends says nothing.
    const odd = await listen(`repository:${project.id}`, undefined, { headers: { 'last-event-id': '8640000000000001' } })
    assert.ok(!odd.text().includes('event:'))
    await odd.close()
  })

  test('finds what was written by a transaction that ran while the page was made', async () => {
    const { project } = await scene.project({ visibility: 'public' })
    await commit(project, 'a.txt')

    const stream = await listen(`activity:${project.id}`, undefined, { since: Date.now() + 500 })
    await eventually(() => stream.text().includes(`data: activity:${project.id}`), 'the second look')
    await stream.close()
  })

  test('gathers changes that come together', async () => {
    const { project } = await scene.project({ visibility: 'public' })
    const stream = await listen(`activity:${project.id}`)
    await Promise.all(Array.from({ length: 5 }, (_, n) => scene.root.post(`${project.url}/issues`, { title: `Issue ${n}` })))
    await eventually(() => stream.text().includes('event: change'), 'the change')
    assert.ok(stream.text().split('event: change').length - 1 < 5)
    await stream.close()
  })

  test('is registered while it is open, and forgotten after the last one', async () => {
    const { project } = await scene.project({ visibility: 'public' })
    const topic = `repository:${project.id}`
    const [first, second] = [await listen(topic), await listen(topic)]
    assert.equal((await watches(topic)).length, 1)
    await first.close()
    await second.close()
    await eventually(async () => (await watches(topic)).length === 0, 'the watch to go')
  })

  test('is answered once where the client does not listen', async () => {
    const { project } = await scene.project({ visibility: 'public' })
    const since = Date.now()
    await commit(project, 'a.txt')
    const { status, body } = await scene.anonymous.get(`${scene.url}/-/live`, {
      on: `repository:${project.id} nonsense todos:x`,
      since: String(since),
    })
    assert.equal(status, 200)
    assert.match(String(body), new RegExp(`event: change\ndata: repository:${project.id}\n`))
  })

  test('does not prolong the session', async () => {
    const { person } = await surfer()
    const cookie = await cookieOf(person.username)
    const { db } = scene.deps.database
    const expiry = async () =>
      (
        await db
          .selectFrom('sessions')
          .select('expires_at')
          .where('user_id', '=', person.id)
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow()
      ).expires_at
    const stream = await listen(`todos:${person.id}`, cookie)
    const soon = new Date(Date.now() + 60 * 60_000).toISOString()
    await db.updateTable('sessions').set({ expires_at: soon }).where('user_id', '=', person.id).execute()
    const { project } = await scene.project({ visibility: 'public' })
    await scene.root.post(`${project.url}/members`, { user_id: person.id, access_level: 30 })
    await scene.root.post(`${project.url}/issues`, { title: 'Look', assignee_ids: person.id })
    await eventually(() => stream.text().includes('To-dos: 1'), 'the number')
    assert.equal(Date.parse(await expiry()), Date.parse(soon))
    await stream.close()
  })
})

test('one caller has a limited number of streams', async () => {
  const { project } = await scene.project({ visibility: 'public' })
  const { person } = await surfer()
  const cookie = await cookieOf(person.username)
  const streams = await Promise.all(Array.from({ length: 30 }, () => listen(`repository:${project.id}`, cookie)))
  const refused = await open(`repository:${project.id}`, cookie)
  assert.equal(refused.statusCode, 429)
  refused.resume()
  await Promise.all(streams.map(stream => stream.close()))
  await eventually(async () => {
    const again = await open('nonsense:1', cookie)
    again.resume()
    return again.statusCode === 204
  }, 'a slot')
})
