/** Burndown chart events (milestones API at 14.0). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

test('burndown events list creation, closing and reopening of the issues that the caller may see', async t => {
  const { group } = await scene.group({ visibility: 'public' })
  const { project, owner } = await scene.project({ group, visibility: 'public' })
  const dates = { start_date: '2030-01-10', due_date: '2030-01-20' }
  const { body: milestone } = await scene.root.post(`${group.url}/milestones`, { title: 'One', ...dates })
  const add = async (title: string, more: object = {}) =>
    (await owner.post(`${project.url}/issues`, { title, milestone_id: milestone.id, ...more })).body
  t.after(() => scene.setTime(undefined))
  scene.setTime('2030-01-01T08:00:00Z')
  const early = await add('Early', { weight: 3 })
  scene.setTime('2030-01-12T08:00:00Z')
  await add('Later')
  await add('Secret', { confidential: true })
  for (const [time, state_event] of [
    ['2030-01-13T08:00:00Z', 'close'],
    ['2030-01-14T08:00:00Z', 'reopen'],
    ['2030-01-21T08:00:00Z', 'close'],
  ] as const) {
    scene.setTime(time)
    await owner.put(`${project.url}/issues/${early.iid}`, { state_event })
  }
  const events = async (who: Pick<typeof owner, 'get'>) =>
    (await who.get(`${group.url}/milestones/${milestone.id}/burndown_events`)).body.map(
      (event: { created_at: string; weight: number | null; action: string }) => [event.created_at.slice(0, 10), event.weight, event.action],
    )

  const seen = [
    ['2030-01-10', 3, 'created'],
    ['2030-01-12', null, 'created'],
    ['2030-01-12', null, 'created'],
    ['2030-01-13', 3, 'closed'],
    ['2030-01-14', 3, 'reopened'],
  ]
  assert.deepEqual(await events(owner), seen)
  assert.deepEqual(
    await events(scene.anonymous),
    seen.filter((_, index) => index !== 2),
  )
  const { body: bare } = await owner.post(`${project.url}/milestones`, { title: 'Two' })
  assert.deepEqual((await owner.get(`${project.url}/milestones/${bare.id}/burndown_events`)).body, [])
})
