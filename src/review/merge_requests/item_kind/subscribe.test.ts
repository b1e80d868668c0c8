import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'

const scene = await openScene()

test('participants are subscribed until they unsubscribe; repeating a request is a 304 (document 3, decision 14)', async () => {
  const { project, owner, developer, reporter, guest } = await scene.project({ members: ['developer', 'reporter', 'guest'] })
  const { url } = await scene.mergeRequest(project, { author: owner, reviewer_ids: [developer.id] })
  const say = async (who: typeof owner, word: string) => {
    const { status, body } = await who.post(`${url}/${word}`)
    return status === 201 ? body.subscribed : status
  }

  assert.equal(await say(owner, 'subscribe'), 304, 'as its author')
  assert.equal(await say(developer, 'subscribe'), 304, 'as a reviewer')
  assert.equal(await say(reporter, 'unsubscribe'), 304)
  assert.equal(await say(reporter, 'subscribe'), true)
  assert.equal(await say(reporter, 'subscribe'), 304)
  assert.equal((await reporter.get(url)).body.subscribed, true)
  assert.equal(await say(owner, 'unsubscribe'), false)
  assert.equal(await say(owner, 'unsubscribe'), 304)
  assert.equal((await owner.get(url)).body.subscribed, false)
  assert.equal(await say(guest, 'subscribe'), 403)
  assert.equal((await scene.anonymous.post(`${url}/subscribe`)).status, 401)
})
