import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datesOf } from './dates.ts'
import type { DatedEpic } from './queries.ts'

const epic = (id: number, attributes: Partial<DatedEpic> = {}): DatedEpic => ({
  id,
  parent_id: null,
  start_date_is_fixed: false,
  start_date_fixed: null,
  due_date_is_fixed: false,
  due_date_fixed: null,
  milestones_start: null,
  milestones_due: null,
  ...attributes,
})

test('an epic inherits the earliest start and the latest end of its contents', () => {
  const dates = datesOf([
    epic(1, { milestones_start: '2021-03-01', milestones_due: '2021-03-31' }),
    epic(2, { parent_id: 1, milestones_start: '2021-02-01' }),
    epic(3, { parent_id: 2, milestones_due: '2021-12-31' }),
  ])
  assert.deepEqual(dates.get(1), { start_inherited: '2021-02-01', due_inherited: '2021-12-31', start: '2021-02-01', due: '2021-12-31' })
})

test('fixed dates apply to the epic and its ancestors', () => {
  const dates = datesOf([
    epic(1),
    epic(2, {
      parent_id: 1,
      start_date_is_fixed: true,
      start_date_fixed: '2020-01-01',
      milestones_start: '2019-01-01',
      milestones_due: '2019-02-01',
    }),
    epic(3, { parent_id: 1, due_date_is_fixed: true, due_date_fixed: null, milestones_due: '2022-02-01' }),
  ])
  assert.deepEqual(dates.get(2), { start_inherited: '2019-01-01', due_inherited: '2019-02-01', start: '2020-01-01', due: '2019-02-01' })
  assert.deepEqual(dates.get(3)?.due, null)
  assert.deepEqual([dates.get(1)?.start, dates.get(1)?.due], ['2020-01-01', '2019-02-01'])
})

test('an empty epic has no dates', () => {
  assert.deepEqual(datesOf([epic(1)]).get(1), { start_inherited: null, due_inherited: null, start: null, due: null })
})
