/** Award emoji on issues and notes (award emoji API at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

async function talkedAbout() {
  const world = await scene.project({ visibility: 'public', members: ['guest', 'reporter'] })
  const { body: issue } = await world.owner.post(`${world.project.url}/issues`, { title: 'Paint the shed' })
  const url = `${world.project.url}/issues/${issue.iid}`
  return { ...world, issue, url, awards: `${url}/award_emoji` }
}

test('a reaction answers 201, is listed, and thumbs are counted with the issue', async () => {
  const { guest, reporter, issue, url, awards } = await talkedAbout()

  const { status, body } = await guest.post(awards, { name: 'thumbsup' })
  await reporter.post(awards, { name: '-1' })

  assert.deepEqual(
    [status, body.name, body.user.id, body.awardable_id, body.awardable_type],
    [201, 'thumbsup', guest.id, issue.id, 'Issue'],
  )
  const counted = (await guest.get(url)).body
  assert.deepEqual([counted.upvotes, counted.downvotes], [1, 1])
  assert.deepEqual(
    (await guest.get(awards)).body.map((award: { name: string }) => award.name),
    ['thumbsup', 'thumbsdown'],
  )
  assert.deepEqual((await guest.get(`${awards}/${body.id}`)).body, body)
})

test('a repeated reaction is a 404, and an unknown emoji a 400', async () => {
  const { guest, url, awards } = await talkedAbout()
  await guest.post(awards, { name: 'thumbsup' })

  assert.deepEqual(await guest.post(awards, { name: '+1' }), {
    status: 404,
    body: { message: '404 Award Emoji Name has already been taken Not Found' },
  })
  assert.deepEqual(await guest.post(awards, { name: 'no_such_thing' }), {
    status: 400,
    body: { message: { name: ['is not a valid emoji name'] } },
  })
  assert.equal((await guest.get(url)).body.upvotes, 1)
})

test('a reaction is removed by its author and by administrators', async () => {
  const { guest, owner, url, awards } = await talkedAbout()
  const { body: one } = await guest.post(awards, { name: 'thumbsup' })
  const { body: two } = await guest.post(awards, { name: 'tada' })

  assert.equal((await owner.delete(`${awards}/${one.id}`)).status, 403)
  assert.equal((await guest.delete(`${awards}/${one.id}`)).status, 204)
  assert.equal((await scene.root.delete(`${awards}/${two.id}`)).status, 204)
  assert.equal((await guest.get(url)).body.upvotes, 0)
  assert.deepEqual(await guest.delete(`${awards}/${one.id}`), { status: 404, body: { message: '404 Award Emoji Not Found' } })
})

test('reactions to notes are not counted with the issue', async () => {
  const { guest, owner, url } = await talkedAbout()
  const { body: note } = await owner.post(`${url}/notes`, { body: 'Red' })
  const awards = `${url}/notes/${note.id}/award_emoji`

  const { status, body } = await guest.post(awards, { name: 'thumbsup' })

  assert.deepEqual([status, body.awardable_type, body.awardable_id], [201, 'Note', note.id])
  assert.equal((await guest.get(url)).body.upvotes, 0)
  assert.deepEqual((await guest.get(awards)).body, [body])
  assert.equal((await guest.delete(`${awards}/${body.id}`)).status, 204)
})

test('only members react while the discussion is locked', async () => {
  const { owner, guest, url, awards } = await talkedAbout()
  const outsider = await scene.user()
  await owner.put(url, { discussion_locked: true })

  assert.equal((await outsider.post(awards, { name: 'tada' })).status, 403)
  assert.equal((await guest.post(awards, { name: 'tada' })).status, 201)
})
