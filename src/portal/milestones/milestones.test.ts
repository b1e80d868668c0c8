import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openScene } from '../../../test/scene.ts'
import { oauthScene } from '../../identity/oauth/scene.ts'
import type { BurndownDay } from '../../planning/milestones/burndown.ts'
import { burndownSeries } from './burndown.ts'
import { milestoneTopic } from './live.ts'

const scene = await openScene()
const { surfer } = oauthScene(scene)
const owner = await surfer()
const reader = await surfer()

/** A public project in a group of the owner, the path of its milestones, and how to add issues. */
async function place() {
  const { group } = await scene.group({ visibility: 'public', members: [] })
  await scene.root.post(`${group.url}/members`, { user_id: owner.person.id, access_level: 50 })
  const { project } = await scene.project({ group, visibility: 'public' })
  const issue = async (body: object) => (await scene.root.post(`${project.url}/issues`, body)).body
  const milestone = async (body: object, of: { readonly url: string } = project) =>
    (await scene.root.post(`${of.url}/milestones`, body)).body
  return {
    group,
    project,
    issue,
    milestone,
    milestones: `/${project.full_path}/-/milestones`,
    above: `/groups/${group.full_path}/-/milestones`,
  }
}

const titles = (body: string): string[] =>
  [...body.matchAll(/<div class="title"><a href="[^"]*\/milestones\/\d+">([^<]*)<\/a>/g)].map(([, title = '']) => title)

test('milestones are listed with their groups’, by state, words and dates, with what is done of them', async () => {
  const { project, group, issue, milestone, milestones, above } = await place()
  const late = await milestone({ title: 'Late', due_date: '2020-01-02', description: 'harbour' })
  await milestone({ title: 'Far', due_date: '2090-01-01' })
  await milestone({ title: 'Without a day' })
  await milestone({ title: 'Of all', due_date: '2050-01-01', start_date: '2049-01-01' }, group)
  const closed = await milestone({ title: 'Done' })
  await scene.root.put(`${project.url}/milestones/${closed.id}`, { state_event: 'close' })
  await issue({ title: 'One', milestone_id: late.id })
  const two = await issue({ title: 'Two', milestone_id: late.id })
  await scene.root.put(`${project.url}/issues/${two.iid}`, { state_event: 'close' })
  await issue({ title: 'Secret', milestone_id: late.id, confidential: true })

  const list = await owner.get(milestones)
  assert.deepEqual(titles(list.body), ['Late', 'Of all', 'Far', 'Without a day'])
  assert.match(list.body, /Open <span class="counter">4<\/span>[\s\S]*Closed <span class="counter">1<\/span>/)
  assert.match(list.body, /1 of 3 issues closed[\s\S]*33 %/)
  assert.match((await reader.get(milestones)).body, /1 of 2 issues closed/, 'confidential issues do not count for others')
  assert.match(list.body, /Expired[\s\S]*Upcoming/)
  assert.deepEqual(titles((await owner.get(milestones, { state: 'closed' })).body), ['Done'])
  assert.deepEqual(titles((await owner.get(milestones, { search: 'harbour' })).body), ['Late'])
  assert.deepEqual(titles((await owner.get(milestones, { sort: 'name_desc' })).body), ['Without a day', 'Of all', 'Late', 'Far'])
  assert.deepEqual(titles((await owner.get(above)).body), ['Late', 'Of all', 'Far', 'Without a day'])
  assert.deepEqual(titles((await owner.get('/dashboard/milestones', { state: 'all' })).body).filter(title => title === 'Of all').length, 1)
  assert.deepEqual(titles((await reader.get('/dashboard/milestones', { state: 'all' })).body), [], 'they are a member of nothing')
})

test('a list of a group has no milestones of projects that the caller may not see', async () => {
  const { group, above } = await place()
  const { project } = await scene.project({ group, visibility: 'private' })
  await scene.root.post(`${project.url}/milestones`, { title: 'Hidden' })

  assert.deepEqual(titles((await reader.get(above)).body), [])
  assert.deepEqual(titles((await owner.get(above)).body), ['Hidden'])
})

test('a milestone is created, changed, closed, promoted and deleted by forms', async () => {
  const { project, group, milestones, above } = await place()
  const wrong = await owner.submit(`${milestones}/new`, {
    title: 'v1',
    start_date: '2021-05-02',
    due_date: '2021-05-01',
    description: '<b>',
  })
  assert.equal(wrong.status, 422)
  assert.match(wrong.body, /id="field-due_date-wrong">Last day must be greater than start date/)
  assert.match(wrong.body, /value="2021-05-02"/, 'what was typed is kept')

  const made = await owner.submit(`${milestones}/new`, {
    title: 'v1 <i>',
    start_date: '2021-05-02',
    due_date: '2021-06-01',
    description: '*soon* <script>',
  })
  assert.deepEqual([made.status, made.headers.location], [303, `${milestones}/1`])
  const page = await owner.get(`${milestones}/1`)
  assert.match(page.body, /<h1>v1 &lt;i&gt;<\/h1>[\s\S]*2 May 2021 – 1 Jun 2021[\s\S]*<em>soon<\/em>/)
  assert.ok(!page.body.includes('<script>'))

  assert.equal(
    (await owner.submit(`${milestones}/1/edit`, { title: 'v1', start_date: '', due_date: '2021-06-02', description: '' })).status,
    303,
  )
  const { body: changed } = await scene.root.get(`${project.url}/milestones?iids=1`)
  assert.deepEqual([changed[0].title, changed[0].start_date, changed[0].due_date], ['v1', null, '2021-06-02'])

  assert.equal((await owner.submit(`${milestones}/1/change`, { state_event: 'close' })).status, 303)
  assert.match((await owner.get(`${milestones}/1`)).body, /Reopen milestone[\s\S]*Closed<\/span>/)
  const promoted = await owner.submit(`${milestones}/1/promote`, {})
  assert.deepEqual([promoted.status, promoted.headers.location], [303, `${above}/1`])
  assert.equal((await owner.get(`${milestones}/1`)).status, 404)
  assert.equal((await owner.submit(`${above}/1/delete`, {})).status, 303)
  assert.deepEqual((await scene.root.get(`${group.url}/milestones`)).body, [])
})

test('others read a milestone and change nothing; the private one is not there for them', async () => {
  const { project, milestone, milestones } = await place()
  await milestone({ title: 'v1' })
  const page = await reader.get(`${milestones}/1`)
  assert.equal(page.status, 200)
  assert.ok(!/\/edit"|\/change"|\/promote"|\/delete"/.test(page.body))
  assert.equal((await reader.submit(`${milestones}/1/change`, { state_event: 'close' })).status, 403)
  assert.equal((await reader.get(`${milestones}/2`)).status, 404)

  await scene.root.put(`${project.url}`, { visibility: 'private' })
  for (const path of ['', '/1', '/new']) assert.equal((await reader.get(`${milestones}${path}`)).status, 404, path)
})

test('its page shows the issues by what is done about them, labels, people and weights, as far as the reader may see them', async () => {
  const { project, issue, milestone, milestones } = await place()
  const { id: milestone_id } = await milestone({ title: 'None' })
  await scene.root.post(`${project.url}/labels`, { name: 'bug', color: '#d73a4a' })
  await issue({ title: 'Waits', milestone_id, weight: 2, labels: 'bug' })
  await issue({ title: 'Goes on', milestone_id, weight: 3, assignee_ids: [owner.person.id] })
  const done = await issue({ title: 'Is over', milestone_id, weight: 5, labels: 'bug' })
  await scene.root.put(`${project.url}/issues/${done.iid}`, { state_event: 'close' })
  await issue({ title: 'Secret', milestone_id, confidential: true, labels: 'bug' })
  await issue({ title: 'Elsewhere' })

  const { body } = await reader.get(`${milestones}/1`)
  const column = (title: string) => new RegExp(`<section aria-label="${title}">(.*?)</section>`, 's').exec(body)?.[1] ?? ''
  assert.match(column('Unstarted'), /class="counter">1<[\s\S]*Waits/)
  assert.match(column('Ongoing'), /class="counter">1<[\s\S]*Goes on/)
  assert.match(column('Completed'), /class="counter">1<[\s\S]*Is over/)
  assert.match(body, /1 of 3 issues closed[\s\S]*5 of 10 done/)
  assert.match(body, /1 of 2 closed[\s\S]*1 participant/)
  assert.ok(!body.includes('Secret') && !body.includes('Elsewhere'))
  assert.match((await owner.get(`${milestones}/1`)).body, /Unstarted <span class="counter">2</)
})

test('without both days it says which one is missing; with them it has charts of issues and weights', async () => {
  const { issue, milestone, milestones } = await place()
  await milestone({ title: 'v1', due_date: '2090-01-01' })
  assert.match((await owner.get(`${milestones}/1`)).body, /It has no first day: [\s\S]*href="[^"]*\/milestones\/1\/edit">Set the dates/)
  assert.ok(!(await reader.get(`${milestones}/1`)).body.includes('Set the dates'))
  const { id: milestone_id } = await milestone({ title: 'v2', start_date: '2021-01-01', due_date: '2021-01-05' })
  await issue({ title: 'One', milestone_id, weight: 7, created_at: '2021-01-02T00:00:00Z' })

  const byCount = (await reader.get(`${milestones}/2`)).body
  assert.match(byCount, /<th scope="row">1 Jan 2021<\/th><td>0<\/td>[\s\S]*<th scope="row">2 Jan 2021<\/th><td>1<\/td>/)
  assert.match((await reader.get(`${milestones}/2`, { by: 'weight' })).body, /<th scope="row">2 Jan 2021<\/th><td>7<\/td>/)
})

test('burndown and burnup follow what happened on each day, until today', () => {
  const on = (day: string, action: BurndownDay['action'], count: number): BurndownDay => ({ day, action, count, weight: count * 2 })
  const happened = [
    on('2021-01-01', 'created', 4),
    on('2021-01-02', 'closed', 2),
    on('2021-01-03', 'created', 2),
    on('2021-01-03', 'reopened', 1),
  ]
  const dates = { start_date: '2021-01-01', due_date: '2021-01-05' }
  const valuesOf = (by: 'count' | 'weight', today: string) => {
    const { down, up } = burndownSeries(dates, happened, by, today)
    return [...down, ...up].map(({ values }) => values)
  }
  assert.deepEqual(valuesOf('count', '2021-01-04'), [
    [4, 2, 5, 5, null],
    [6, 4.5, 3, 1.5, 0],
    [4, 4, 6, 6, null],
    [0, 2, 1, 1, null],
  ])
  assert.deepEqual(valuesOf('weight', '2021-02-01')[0], [8, 4, 10, 10, 10])
  assert.deepEqual(valuesOf('count', '2020-12-31')[0], [null, null, null, null, null], 'nothing is known before it begins')
})

test('a long milestone is drawn in steps, with its first and last day', () => {
  const { along, down } = burndownSeries({ start_date: '2000-01-01', due_date: '2021-01-05' }, [], 'count', '2021-01-05')
  const days = 'days' in along ? along.days : []
  assert.ok(days.length <= 182 && days.length === down[0]?.values.length, `${days.length} days`)
  assert.deepEqual([days[0], days.at(-1)], ['2000-01-01', '2021-01-05'])
})

test('who may not see a milestone may not follow it', async () => {
  const { project, milestone } = await place()
  const { id } = await milestone({ title: 'v1' })
  const opens = (person: { readonly id: number }) => scene.run(person, ctx => milestoneTopic.isOpen(ctx, id))
  assert.deepEqual([await opens(owner.person), await opens(reader.person)], [true, true])
  await scene.root.put(`${project.url}`, { visibility: 'private' })
  assert.deepEqual([await opens(owner.person), await opens(reader.person)], [true, false])
})

test('the text of a group’s milestone is completed from the group', async () => {
  const { group, above, milestone } = await place()
  await milestone({ title: 'Harbour' }, group)
  const { body } = await owner.get(`${above}/new`)
  const [, base = ''] = /<markdown-editor data-base="([^"]+)"/.exec(body) ?? []
  assert.equal(base, `/groups/${group.full_path}/-`)
  const complete = async (kind: string, search: string) => (await owner.get(`${base}/completions`, { kind, search })).body
  assert.match(await complete('user', owner.person.username), new RegExp(`data-value="@${owner.person.username}"`))
  assert.match(await complete('milestone', 'harb'), /Harbour/)
})
