import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { isFrozen } from './frozen.ts'

const scene = await openScene()

test('a freeze period is created, shown, changed and deleted', async () => {
  const { project, maintainer, reporter, guest } = await scene.project({ members: ['maintainer', 'reporter', 'guest'] })
  const url = `${project.url}/freeze_periods`

  const created = await maintainer.post(url, { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' })

  const { id, created_at, updated_at, ...rest } = created.body
  assert.equal(created.status, 201)
  assert.deepEqual(rest, { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'UTC' })
  assert.equal(created_at, updated_at)
  assert.deepEqual(await reporter.get(`${url}/${id}`), { status: 200, body: created.body })
  await maintainer.post(url, { freeze_start: '0 1 * * FRI', freeze_end: '0 7 * jan,feb 1', cron_timezone: 'Europe/Berlin' })
  const listed = await reporter.get(url)
  assert.deepEqual(
    listed.body.map((period: { freeze_start: string }) => period.freeze_start),
    ['0 1 * * FRI', '0 23 * * 5'],
    'by their beginning',
  )
  const changed = await maintainer.put(`${url}/${id}`, { freeze_end: '0 8 * * 1', cron_timezone: 'America/New_York' })
  assert.deepEqual(
    [changed.status, changed.body.freeze_start, changed.body.freeze_end, changed.body.cron_timezone],
    [200, '0 23 * * 5', '0 8 * * 1', 'America/New_York'],
  )
  assert.equal((await guest.get(url)).status, 403)
  assert.equal((await reporter.delete(`${url}/${id}`)).status, 403)
  assert.deepEqual(await maintainer.delete(`${url}/${id}`), { status: 204, body: undefined })
  assert.deepEqual(await maintainer.get(`${url}/${id}`), { status: 404, body: { message: '404 Freeze Period Not Found' } })
})

test('a project has fifty freeze periods at most, also by requests at the same time', async () => {
  const { project, owner } = await scene.project()
  const add = async () =>
    (await owner.post(`${project.url}/freeze_periods`, { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' })).status
  for (let number = 1; number <= 48; number++) assert.equal(await add(), 201)

  assert.deepEqual((await Promise.all([add(), add(), add(), add()])).sort(), [201, 201, 400, 400])
})

test('what is no cron line or time zone is refused, all of it together', async () => {
  const { project, owner } = await scene.project()
  const url = `${project.url}/freeze_periods`
  const wrong = ['is invalid syntax']

  assert.deepEqual(await owner.post(url, { freeze_start: 'soon', freeze_end: '60 * * * *', cron_timezone: 'Mars' }), {
    status: 400,
    body: { message: { freeze_start: wrong, freeze_end: wrong, cron_timezone: wrong } },
  })
  const { body } = await owner.post(url, { freeze_start: '0 0 * * *', freeze_end: '0 1 * * *' })
  assert.equal((await owner.put(`${url}/${body.id}`, { freeze_start: '0 24 * * *' })).status, 400)
  assert.deepEqual(await owner.post(url, { freeze_start: '0 0 * * *' }), {
    status: 400,
    body: { message: '400 (Bad request) "freeze_end" not given' },
  })
})

test('a period holds from its beginning to its end, in its time zone', async () => {
  const { project, owner } = await scene.project()
  // From Friday evening to Monday morning.
  const period = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'Eastern Time (US & Canada)' }
  await owner.post(`${project.url}/freeze_periods`, period)
  const table: [now: string, frozen: boolean][] = [
    ['2021-06-05T02:59:59Z', false],
    ['2021-06-05T03:00:00Z', true],
    ['2021-06-06T12:00:00Z', true],
    ['2021-06-07T10:59:59Z', true],
    ['2021-06-07T11:00:00Z', false],
    ['2021-06-09T00:00:00Z', false],
  ]
  for (const [now, frozen] of table) assert.equal(await isFrozen(scene.deps.database.db, project.id, new Date(now)), frozen, now)
  const { project: other } = await scene.project()
  assert.equal(await isFrozen(scene.deps.database.db, other.id, new Date('2021-06-06T12:00:00Z')), false)
})
