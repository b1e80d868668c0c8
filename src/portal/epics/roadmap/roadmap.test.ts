import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openScene } from '../../../../test/scene.ts'
import { oauthScene } from '../../../identity/oauth/scene.ts'
import { barOf, columnsFrom, positionOf, shifted } from './timeframe.ts'

describe('the time of a roadmap', () => {
  test('columns are whole weeks from the day that one prefers, months or quarters, from two before today on', () => {
    const ends = (scale: 'weeks' | 'months' | 'quarters', from?: string) => {
      const columns = columnsFrom(scale, from, '2021-06-16', 'monday')
      return [columns.length, columns[0]?.first, columns[0]?.label, columns.at(-1)?.next]
    }
    assert.deepEqual(ends('weeks'), [12, '2021-05-31', '31 May', '2021-08-23'])
    assert.deepEqual(ends('months'), [12, '2021-04-01', 'Apr 2021', '2022-04-01'])
    assert.deepEqual(ends('quarters'), [12, '2020-10-01', 'Q4 2020', '2023-10-01'])
    assert.deepEqual(ends('weeks', '2021-01-03'), [12, '2020-12-28', '28 Dec', '2021-03-22'])
    assert.equal(columnsFrom('weeks', '2021-06-16', '2021-06-16', 'sunday')[0]?.first, '2021-06-13')
    assert.equal(columnsFrom('weeks', '2021-06-16', '2021-06-16', 'saturday')[0]?.first, '2021-06-12')
    assert.equal(shifted('months', '2021-01-01', -1), '2020-12-01')
  })

  test('a day stands in its column by its share, also where columns are of different lengths', () => {
    const columns = columnsFrom('months', '2021-01-15', '2021-06-16', 'monday')
    for (const [day, at] of [
      ['2020-05-01', 0],
      ['2021-01-01', 0],
      ['2021-02-15', 1.5],
      ['2021-03-01', 2],
      ['2022-05-01', 12],
    ] as const)
      assert.equal(positionOf(columns, day), at, day)
  })

  test('a bar holds both of its days, and is open where an end is not known or not shown', () => {
    const columns = columnsFrom('months', '2021-01-01', '2021-06-16', 'monday')
    const bar = (start: string | null, due: string | null) => barOf(columns, start, due)
    assert.deepEqual(bar('2021-02-01', '2021-02-28'), { from: 1, to: 2, isOpenAt: { start: false, end: false } })
    assert.deepEqual(bar(null, '2021-01-31'), { from: 0, to: 1, isOpenAt: { start: true, end: false } })
    assert.deepEqual(bar('2021-12-01', null), { from: 11, to: 12, isOpenAt: { start: false, end: true } })
    assert.deepEqual(bar('2019-01-01', '2030-01-01'), { from: 0, to: 12, isOpenAt: { start: true, end: true } })
    for (const [start, due] of [
      [null, null],
      ['2022-01-01', null],
      [null, '2020-12-31'],
      ['2021-05-01', '2021-04-01'],
    ] as const)
      assert.equal(bar(start, due), undefined, `${start} to ${due}`)
  })
})

const scene = await openScene()
scene.setTime('2021-06-15T12:00:00Z')
const { surfer } = oauthScene(scene)
const planner = await surfer()
const reader = await surfer()
const by = scene.as({ 'private-token': planner.person.token })

test('the roadmap shows the epics of a group and of those below it over time, as bars and as a table', async () => {
  const { group } = await scene.group({ owner: planner.person, visibility: 'public' })
  const { group: below } = await scene.group({ parent: group, owner: planner.person, visibility: 'public' })
  const roadmap = `/groups/${group.full_path}/-/roadmap`
  const epic = async (title: string, start: string | null, due: string | null, more: object = {}, place = group) => {
    const days = { start_date_is_fixed: true, start_date_fixed: start, due_date_is_fixed: true, due_date_fixed: due }
    return (await by.post(`${place.url}/epics`, { title, ...days, ...more })).body
  }
  assert.match((await planner.get(roadmap)).body, /No epics in this time/)
  const harbour = await epic('Harbour', '2021-05-01', '2021-09-30', { labels: 'sea' })
  await epic('Basin', '2021-06-01', '2021-06-30', { parent_id: harbour.id }, below)
  await epic('Lights', null, null, { parent_id: harbour.id })
  await epic('Old', '2019-01-01', '2019-02-01')
  await epic('Secret', '2021-07-01', '2021-07-31', { confidential: true })
  await epic('Some day', null, null)
  await by.post(`${below.url}/milestones`, { title: 'First ship', due_date: '2021-08-01' })

  const rows = (body: string) => [...body.matchAll(/<th scope="row"[^>]*><a href="[^"]*\/epics\/\d+">([^<]*)</g)].map(([, name]) => name)
  const { body } = await planner.get(roadmap)
  assert.deepEqual(rows(body), ['Harbour', 'Harbour › Basin', 'Harbour › Lights', 'Secret'])
  assert.match(body, /First ship: until 2021-08-01/)
  assert.match(body, /1 epic lies before or after this time/)
  assert.match(body, /1 without days/)
  // May is the second column of twelve, and September ends after the sixth.
  assert.match(body, /class="bar" x="100.0" width="500.0"/)
  assert.match(body, /class="today" x1="246.7"/)
  const others = (await reader.get(roadmap)).body
  assert.ok(others.includes('Basin') && !others.includes('Secret'))
  assert.ok(!(await planner.get(roadmap, { labels: 'sea' })).body.includes('Secret'))
  assert.ok((await planner.get(roadmap, { scale: 'quarters', from: '2019-01-01' })).body.includes('>Old<'))
  assert.equal((await planner.get(roadmap, { from: 'x' })).status, 400)
  for (const scale of ['weeks', 'months', 'quarters']) {
    assert.equal((await planner.get(roadmap, { scale, from: '9999-12-31' })).status, 400)
    assert.equal((await planner.get(roadmap, { scale, from: '0001-01-01' })).status, 400)
    for (const from of ['1010-01-01', '9990-12-31']) assert.equal((await planner.get(roadmap, { scale, from })).status, 200)
  }
})
