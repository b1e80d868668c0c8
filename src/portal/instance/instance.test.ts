/** What the API says of the instance as a whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'

const scene = await openScene({ settings: { tier: 'ultimate' } })

test('the counts of the instance are texts, for administrators alone', async () => {
  const { project, owner } = await scene.project()
  const before = (await scene.root.get('/application/statistics')).body

  await owner.post(`${project.url}/issues`, { title: 'One' })
  const { body } = await scene.root.get('/application/statistics')

  assert.equal(Number(body.issues), Number(before.issues) + 1)
  assert.match(body.users, /^\d+$/)
  assert.equal((await owner.get('/application/statistics')).status, 403)
})

test('a user counts what waits for them', async () => {
  const { project, developer } = await scene.project({ members: ['developer'], initialize_with_readme: true })
  await scene.root.post(`${project.url}/issues`, { title: 'One', assignee_ids: [developer.id] })
  await scene.mergeRequest(project, { assignee_ids: [developer.id] })
  await scene.mergeRequest(project, { reviewer_ids: [developer.id] })

  const { body } = await developer.get('/user_counts')

  assert.deepEqual(
    [body.assigned_issues, body.merge_requests, body.assigned_merge_requests, body.review_requested_merge_requests],
    [1, 1, 1, 1],
  )
  assert.equal(body.todos, (await developer.get('/todos')).body.length)
  assert.equal((await scene.anonymous.get('/user_counts')).status, 401)
})

test('the licence is the tier of the instance, and cannot be added or deleted', async () => {
  const { body } = await scene.root.get('/license')

  assert.deepEqual([body.plan, body.expired, body.user_limit], ['ultimate', false, 0])
  assert.deepEqual((await scene.root.get('/licenses')).body, [body])
  assert.deepEqual((await scene.root.get('/license/1')).body, body)
  assert.equal((await scene.root.get('/license/2')).status, 404)
  assert.equal((await scene.root.post('/license', { license: 'eyJ' })).status, 405)
})

test('the queue is seen to be idle once its work is done', async () => {
  const { body } = await scene.root.get('/sidekiq/compound_metrics')

  assert.deepEqual(Object.keys(body), ['queues', 'processes', 'jobs'])
  assert.deepEqual((await scene.root.get('/sidekiq/queue_metrics')).body.queues.default.latency >= 0, true)
  assert.equal((await scene.root.get('/sidekiq/process_metrics')).body.processes[0].pid, process.pid)
  assert.equal(
    (await scene.root.get('/sidekiq/job_stats')).body.jobs.enqueued,
    (await scene.root.get('/sidekiq/queue_metrics')).body.queues.default.backlog,
  )
})

test('a user sees how much is theirs; administrators see it of everybody', async () => {
  const { project, developer } = await scene.project({ members: ['developer'], initialize_with_readme: true })
  const { group, owner } = await scene.group()
  await owner.post(`${group.url}/members`, { user_id: developer.id, access_level: 20 })
  await developer.post(`${project.url}/issues`, { title: 'One' })
  const path = `/users/${developer.id}/associations_count`

  const { body } = await developer.get(path)
  assert.deepEqual(body, { groups_count: 1, projects_count: 1, issues_count: 1, merge_requests_count: 0 })
  assert.deepEqual((await scene.root.get(path)).body, body)
  assert.equal((await owner.get(path)).status, 403)
})
