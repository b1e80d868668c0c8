/** Issues by gitbeaker (`@gitbeaker/rest`) as npm has it: every method that it has for them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitbeakerRequestError, Gitlab } from '@gitbeaker/rest'
import { openScene } from '../scene.ts'

const scene = await openScene()

async function newProject() {
  const { project, owner } = await scene.project()
  return { id: project.id, owner, client: new Gitlab({ host: scene.url, token: owner.token }) }
}

const ids = (issues: readonly { id: number }[]) => issues.map(issue => issue.id)

test('issues are created, read, changed, listed, counted and deleted', async () => {
  const { client, id, owner } = await newProject()
  const issue = await client.Issues.create(id, 'Paint the shed', { labels: 'wood,colour', assigneeIds: [owner.id], dueDate: '2030-01-01' })
  const other = await client.Issues.create(id, 'Other')

  assert.deepEqual(issue.labels, ['colour', 'wood'])
  assert.equal((await client.Issues.show(issue.iid, { projectId: id })).title, 'Paint the shed')
  assert.equal((await new Gitlab({ host: scene.url, token: scene.root.token }).Issues.show(issue.id)).iid, issue.iid)
  assert.equal((await client.Issues.edit(id, issue.iid, { stateEvent: 'close', removeLabels: 'wood' })).state, 'closed')
  assert.deepEqual(ids(await client.Issues.all({ projectId: id, state: 'opened' })), [other.id])
  assert.deepEqual(ids(await client.Issues.all({ projectId: id, not: { labels: 'colour' } })), [other.id])
  assert.deepEqual(ids(await client.Issues.all({ assigneeId: owner.id })), [issue.id])
  const [detailed] = await client.Issues.all({ projectId: id, labels: 'colour', withLabelsDetails: true })
  assert.equal(detailed?.labels[0]?.name, 'colour')
  assert.deepEqual((await client.IssuesStatistics.all({ projectId: id })).statistics.counts, { all: 2, closed: 1, opened: 1 })
  await client.Issues.remove(id, issue.iid)
  await assert.rejects(
    client.Issues.show(issue.iid, { projectId: id }),
    error => error instanceof GitbeakerRequestError && error.cause?.response.status === 404,
  )
})

test('issues are moved, copied, put in order and linked', async () => {
  const { client, id } = await newProject()
  const target = await client.Projects.create({ name: 'Target' })
  const [one, two] = [await client.Issues.create(id, 'one'), await client.Issues.create(id, 'two')]

  await client.Issues.reorder(id, one.iid, { moveAfterId: two.id })
  assert.deepEqual(ids(await client.Issues.all({ projectId: id, orderBy: 'relative_position', sort: 'asc' })), [two.id, one.id])
  const link = await client.IssueLinks.create(id, one.iid, id, two.iid, { linkType: 'blocks' })
  assert.equal(link.link_type, 'blocks')
  const [linked] = await client.IssueLinks.all(id, one.iid)
  await client.IssueLinks.remove(id, one.iid, linked?.issue_link_id as number)
  assert.deepEqual(await client.IssueLinks.all(id, one.iid), [])
  assert.equal((await client.Issues.clone(id, one.iid, target.id)).project_id, target.id)
  const moved = await client.Issues.move(id, one.iid, target.id)
  assert.equal((await client.Issues.show(one.iid, { projectId: id })).moved_to_id, moved.id)
})

test('time is tracked, people subscribe and take part', async () => {
  const { client, id, owner } = await newProject()
  const { iid } = await client.Issues.create(id, 'x')

  assert.equal((await client.Issues.addTimeEstimate(id, iid, '3h30m')).time_estimate, 12_600)
  assert.equal((await client.Issues.addSpentTime(id, iid, '1h')).human_total_time_spent, '1h')
  assert.equal((await client.Issues.showTimeStats(id, iid)).total_time_spent, 3600)
  assert.equal((await client.Issues.resetTimeEstimate(id, iid)).time_estimate, 0)
  assert.equal((await client.Issues.resetSpentTime(id, iid)).total_time_spent, 0)
  assert.equal((await client.Issues.unsubscribe(id, iid)).subscribed, false)
  assert.equal((await client.Issues.subscribe(id, iid)).subscribed, true)
  assert.deepEqual(ids(await client.Issues.allParticipants(id, iid)), [owner.id])
  const admin = new Gitlab({ host: scene.url, token: scene.root.token })
  assert.equal((await admin.Issues.showUserAgentDetails(id, iid)).ip_address, '127.0.0.1')
})
