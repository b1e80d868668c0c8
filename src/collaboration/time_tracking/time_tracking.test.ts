import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene()

async function newIssue() {
  const made = await scene.project({ members: ['reporter', 'guest'] })
  await made.owner.post(`${made.project.url}/issues`, { title: 'x' })
  return { ...made, url: `${made.project.url}/issues/1` }
}

const hour = 3600

test('an estimate is set with 200 and reset with 200 (document 3; decision 14)', async () => {
  const { url, reporter, owner } = await newIssue()

  assert.deepEqual(await reporter.post(`${url}/time_estimate`, { duration: '3h30m' }), {
    status: 200,
    body: { time_estimate: 3.5 * hour, total_time_spent: 0, human_time_estimate: '3h 30m', human_total_time_spent: null },
  })
  assert.equal((await owner.get(`${url}/time_stats`)).body.time_estimate, 3.5 * hour)
  const reset = await reporter.post(`${url}/reset_time_estimate`)
  assert.deepEqual([reset.status, reset.body.time_estimate, reset.body.human_time_estimate], [200, 0, null])
})

test('spent time adds up with 201, is subtracted with a minus, and its total is never negative', async () => {
  const { url, reporter } = await newIssue()
  const add = (duration: string) => reporter.post(`${url}/add_spent_time`, { duration })

  const first = await add('1h')
  assert.deepEqual([first.status, first.body.total_time_spent], [201, hour])
  assert.equal((await add('1d')).body.human_total_time_spent, '1d 1h')
  assert.equal((await add('-2h')).body.total_time_spent, 7 * hour)
  assert.equal((await add('-1w')).status, 400)
  assert.equal((await reporter.get(`${url}/time_stats`)).body.total_time_spent, 7 * hour)
  assert.equal((await add('-7h')).body.total_time_spent, 0)
  await add('1mo')
  const reset = await reporter.post(`${url}/reset_spent_time`)
  assert.deepEqual([reset.status, reset.body.total_time_spent], [200, 0])
})

test('concurrent additions are all counted, and the log adds up to the total', async () => {
  const { url, reporter } = await newIssue()

  await Promise.all(Array.from({ length: 10 }, () => reporter.post(`${url}/add_spent_time`, { duration: '1m' })))

  const issue = (await reporter.get(url)).body
  assert.equal(issue.time_stats.total_time_spent, 600)
  const logs = await scene.deps.database.db.selectFrom('timelogs').select('time_spent').where('issue_id', '=', issue.id).execute()
  assert.equal(logs.length, 10)
  assert.equal(
    logs.reduce((sum, log) => sum + log.time_spent, 0),
    600,
  )
})

test('an invalid duration is a 400 and changes nothing', async () => {
  const { url, reporter } = await newIssue()

  for (const duration of ['soon', '-', '0', '1x', '99999999999h', '3h30']) {
    const answer = await reporter.post(`${url}/add_spent_time`, { duration })
    assert.equal(answer.status, 400, duration)
  }
  assert.equal((await reporter.post(`${url}/time_estimate`, { duration: '-1h' })).status, 400)
  assert.deepEqual((await reporter.get(`${url}/time_stats`)).body, {
    time_estimate: 0,
    total_time_spent: 0,
    human_time_estimate: null,
    human_total_time_spent: null,
  })
})

test('Reporters track time, and all who may see the issue read it', async () => {
  const { url, guest } = await newIssue()

  assert.equal((await guest.post(`${url}/time_estimate`, { duration: '1h' })).status, 403)
  assert.equal((await guest.get(`${url}/time_stats`)).status, 200)
})

test('Developers track the time of merge requests by the same requests (decision 14)', async () => {
  const { project, developer, reporter } = await scene.project({ members: ['developer', 'reporter'] })
  const { url } = await scene.mergeRequest(project)

  const estimate = await developer.post(`${url}/time_estimate`, { duration: '1d' })
  assert.deepEqual([estimate.status, estimate.body.time_estimate], [200, 8 * hour])
  const spent = await developer.post(`${url}/add_spent_time`, { duration: '1h30m', summary: 'Read it' })
  assert.deepEqual([spent.status, spent.body.human_total_time_spent], [201, '1h 30m'])
  assert.equal((await developer.post(`${url}/add_spent_time`, { duration: '-2h' })).status, 400)
  assert.deepEqual((await reporter.get(`${url}/time_stats`)).body, (await reporter.get(url)).body.time_stats)
  assert.equal((await reporter.post(`${url}/add_spent_time`, { duration: '1h' })).status, 403)
  const reset = await developer.post(`${url}/reset_spent_time`)
  assert.deepEqual([reset.status, reset.body.total_time_spent], [200, 0])
  assert.deepEqual([(await developer.post(`${url}/reset_time_estimate`)).body.time_estimate], [0])
  const { id } = (await reporter.get(url)).body
  const logs = await scene.deps.database.db.selectFrom('timelogs').select('time_spent').where('merge_request_id', '=', id).execute()
  assert.deepEqual(
    logs.map(log => log.time_spent),
    [1.5 * hour, -1.5 * hour],
  )
})
