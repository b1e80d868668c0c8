import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import { rangeOf, stepsOf, stepText, WrongRange } from './range.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

/** A public project in a public group. */
async function place() {
  const { group } = await scene.group({ visibility: 'public' })
  await scene.root.post(`${group.url}/members`, { user_id: owner.person.id, access_level: 50 })
  const { project } = await scene.project({ group, visibility: 'public' })
  return { group, project, page: `/${project.full_path}/-`, above: `/groups/${group.full_path}/-` }
}

const rowsOf = (body: string, id: string): string[] => {
  const table = new RegExp(`id="${id}-table">(.*?)</table>`, 's').exec(body)?.[1] ?? ''
  return [...table.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/gs)].map(([, head, cells = '']) =>
    [head, ...[...cells.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell)].join(' '),
  )
}

/** Issues at set times: two are closed, one of them after three days of work; a confidential one too. */
async function history(t: { after(step: () => void): void }) {
  const there = await place()
  const { project } = there
  t.after(() => scene.setTime(undefined))
  const at = async (time: string, method: 'post' | 'put', path: string, body: object) => {
    scene.setTime(time)
    return (await scene.root[method](`${project.url}${path}`, body)).body
  }
  await scene.root.post(`${project.url}/labels`, { name: 'bug', color: '#d73a4a' })
  const one = await at('2020-01-01T00:00:00Z', 'post', '/issues', { title: 'One', labels: 'bug' })
  const two = await at('2020-01-02T00:00:00Z', 'post', '/issues', { title: 'Two' })
  const secret = await at('2020-01-03T00:00:00Z', 'post', '/issues', { title: 'Secret', confidential: true })
  await at('2020-01-08T00:00:00Z', 'put', `/issues/${one.iid}`, { assignee_ids: [owner.person.id] })
  await at('2020-01-11T00:00:00Z', 'put', `/issues/${one.iid}`, { state_event: 'close' })
  await at('2020-02-01T00:00:00Z', 'put', `/issues/${two.iid}`, { state_event: 'close' })
  await at('2020-02-02T00:00:00Z', 'put', `/issues/${secret.iid}`, { state_event: 'close' })
  scene.setTime(undefined)
  return there
}

test('issues are counted as they come and go, with their lead and cycle times; confidential ones for those who see them', async t => {
  const { page, above } = await history(t)
  const asked = { from: '2020-01-01', to: '2020-02-28' }
  const { body } = await reader.get(`${page}/value_stream_analytics`, asked)
  assert.match(body, /2 issues opened and 2 closed in these 2 months/)
  assert.deepEqual(rowsOf(body, 'throughput'), ['Jan 20 2 1', 'Feb 20 0 1'])
  assert.deepEqual(rowsOf(body, 'times-whole'), ['Jan 20 10 d 10 d', 'Feb 20 30 d 30 d'])
  assert.deepEqual(rowsOf(body, 'times-active'), ['Jan 20 3 d 3 d', 'Feb 20 – –'], 'what nobody was assigned has no cycle time')
  assert.match((await owner.get(`${page}/value_stream_analytics`, asked)).body, /3 issues opened and 3 closed/)
  assert.match((await reader.get(`${above}/value_stream_analytics`, asked)).body, /2 issues opened and 2 closed/)
  assert.match((await owner.get(`${above}/value_stream_analytics`, asked)).body, /3 issues opened and 3 closed/)
})

test('filters narrow what is counted', async t => {
  const { page } = await history(t)
  const count = async (filters: object) => {
    const { body } = await owner.get(`${page}/value_stream_analytics`, { from: '2020-01-01', to: '2020-02-28', ...filters })
    return /(\d+) issues opened and (\d+) closed/.exec(body)?.slice(1).join(' ')
  }
  assert.equal(await count({ label: 'bug' }), '1 1')
  assert.equal(await count({ author_username: owner.person.username }), '0 0')
  assert.equal(await count({ author_username: '@root' }), '3 3')
  assert.equal(await count({ milestone: 'none of that name' }), '0 0')
  assert.equal(await count({ to: '2020-01-15' }), '3 1')
  const byWeek = await owner.get(`${page}/value_stream_analytics`, { from: '2020-01-01', to: '2020-01-19', by: 'week' })
  assert.deepEqual(rowsOf(byWeek.body, 'throughput'), ['30 Dec 19 3 0', '6 Jan 20 0 1', '13 Jan 20 0 0'])
})

test('a span that cannot be shown is said at the form', async () => {
  const { page, above } = await place()
  const wrong = await reader.get(`${page}/value_stream_analytics`, { from: '2021-02-01', to: '2021-01-01' })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /value="2021-02-01" aria-invalid="true"[\s\S]*The first day is after the last day/)
  assert.equal((await reader.get(`${page}/value_stream_analytics`, { from: '2001-01-01', to: '2021-01-01' })).status, 422)
  for (const [from, to] of [
    ['9999-01-01', '9999-12-31'],
    ['0001-01-01', '0001-02-01'],
  ] as const) {
    const far = await reader.get(`${page}/value_stream_analytics`, { from, to })
    assert.equal(far.status, 422)
    assert.match(far.body, /must lie between 1000-01-01 and 9998-12-31/)
    assert.equal((await reader.get(`${above}/contribution_analytics`, { from, to })).status, 422)
  }
  assert.equal((await reader.get(`${page}/analytics/issues_analytics`)).headers.location, `${page}/value_stream_analytics`)
})

test('merge requests are measured from their creation and from the first review', async () => {
  const { project, page, above } = await place()
  const { db } = scene.deps.database
  const merge = await scene.mergeRequest(project)
  const by = scene.as({ 'private-token': owner.person.token })
  await by.post(`${merge.url}/notes`, { body: 'Looks good' })
  // What a merge takes of git is tested elsewhere; here the times matter.
  const times = { state: 'merged', created_at: '2020-03-01T00:00:00Z', merged_at: '2020-03-05T00:00:00Z' } as const
  await db.updateTable('merge_requests').set(times).where('id', '=', merge.id).execute()
  await db.updateTable('notes').set({ created_at: '2020-03-04T00:00:00Z' }).where('merge_request_id', '=', merge.id).execute()

  const asked = { from: '2020-03-01', to: '2020-03-31' }
  for (const address of [page, above]) {
    const { body } = await reader.get(`${address}/analytics/merge_request_analytics`, asked)
    assert.deepEqual(rowsOf(body, 'throughput'), ['Mar 20 1 1'])
    assert.deepEqual(rowsOf(body, 'times-whole'), ['Mar 20 4 d 4 d'])
    assert.deepEqual(rowsOf(body, 'times-active'), ['Mar 20 1 d 1 d'])
  }
})

test('contributions to a group are counted by person, as far as the reader may see them', async () => {
  const { group, above, project } = await place()
  const { project: hidden } = await scene.project({ group, visibility: 'private' })
  const by = scene.as({ 'private-token': owner.person.token })
  const { body: issue } = await by.post(`${project.url}/issues`, { title: 'One' })
  await by.put(`${project.url}/issues/${issue.iid}`, { state_event: 'close' })
  await by.post(`${hidden.url}/issues`, { title: 'Hidden' })
  await by.post(`${project.url}/issues`, { title: 'Secret', confidential: true })

  const cells = (body: string) => {
    const row = new RegExp(`class="quiet" href="/${owner.person.username}">[\\s\\S]*?</tr>`).exec(body)?.[0] ?? ''
    return [...row.matchAll(/<td [^>]*><div>(\d+)<\/div><\/td>/g)].map(([, cell]) => Number(cell))
  }
  assert.deepEqual(cells((await owner.get(`${above}/contribution_analytics`)).body), [0, 3, 1, 0, 0, 0, 0, 0])
  assert.deepEqual(cells((await reader.get(`${above}/contribution_analytics`)).body), [0, 1, 1, 0, 0, 0, 0, 0])
  assert.match((await owner.get(`${above}/contribution_analytics`, { from: '2001-01-01', to: '2001-01-02' })).body, /No contributions/)
})

test('analytics that are off, or for members alone, are shown to nobody else', async () => {
  const { project } = await scene.project({ owner: owner.person, visibility: 'public' })
  const by = scene.as({ 'private-token': owner.person.token })
  const pages = ['value_stream_analytics', 'analytics/merge_request_analytics', 'analytics/issues_analytics']
  const statuses = (who: typeof owner) => Promise.all(pages.map(async page => (await who.get(`/${project.full_path}/-/${page}`)).status))
  assert.deepEqual(await statuses(reader), [200, 200, 303])
  for (const [level, ofOwner] of [
    ['private', [200, 200, 303]],
    ['disabled', [404, 404, 404]],
  ] as const) {
    assert.equal((await by.put(project.url, { analytics_access_level: level })).status, 200)
    assert.deepEqual([await statuses(owner), await statuses(reader)], [ofOwner, [404, 404, 404]], level)
  }
  await by.put(project.url, { analytics_access_level: 'enabled', issues_access_level: 'private', merge_requests_access_level: 'private' })
  assert.deepEqual(await statuses(reader), [404, 404, 404])
})

test('spans are the last months unless given, and have all months and weeks', () => {
  const now = new Date('2021-03-17T10:00:00Z')
  assert.deepEqual(rangeOf({}, now), { from: '2020-10-01', to: '2021-03-17' })
  assert.deepEqual(rangeOf({ to: '2001-01-01' }, now), { from: '2001-01-01', to: '2001-01-01' })
  assert.ok(rangeOf({ from: '2021-04-01' }, now) instanceof WrongRange)
  assert.ok(rangeOf({ from: '9999-12-01', to: '9999-12-31' }, now) instanceof WrongRange, 'the month after has five digits in its year')
  assert.deepEqual(stepsOf({ from: '2020-12-31', to: '2021-02-01' }, 'month'), ['2020-12-01', '2021-01-01', '2021-02-01'])
  assert.deepEqual(stepsOf({ from: '2021-01-03', to: '2021-01-11' }, 'monday'), ['2020-12-28', '2021-01-04', '2021-01-11'])
  assert.deepEqual(stepsOf({ from: '2021-01-03', to: '2021-01-11' }, 'sunday'), ['2021-01-03', '2021-01-10'])
  assert.deepEqual([stepText('2021-01-01', 'month'), stepText('2021-01-04', 'monday')], ['Jan 21', '4 Jan 21'])
})
