import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOf } from './due_dates.ts'

/** Noon in the server's own time zone. */
const at = (day: string) => new Date(`${day}T12:00:00`)

test('the keywords of `due_date` mean days of the server’s time zone and weeks from Monday (decision 37)', () => {
  assert.deepEqual(daysOf('overdue', at('2021-06-01')), { from: undefined, to: '2021-05-31' })
  assert.deepEqual(daysOf('week', at('2021-06-02')), { from: '2021-05-31', to: '2021-06-06' })
  assert.deepEqual(daysOf('week', at('2021-06-06')), { from: '2021-05-31', to: '2021-06-06' })
  assert.deepEqual(daysOf('week', at('2021-06-07')), { from: '2021-06-07', to: '2021-06-13' })
  assert.deepEqual(daysOf('month', at('2024-02-10')), { from: '2024-02-01', to: '2024-02-29' })
  assert.deepEqual(daysOf('next_month_and_previous_two_weeks', at('2021-01-05')), { from: '2020-12-22', to: '2021-02-28' })
  assert.deepEqual(daysOf('next_month_and_previous_two_weeks', at('2021-01-31')), { from: '2021-01-17', to: '2021-02-28' })
})
