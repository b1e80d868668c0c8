/** Issue "Pipelines, jobs and runners": `expire_in`, `timeout`, `start_in` and `auto_stop_in` are durations in words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNever, parseDuration } from './durations.ts'

const week = 604_800

const durations: readonly (readonly [string, number | undefined])[] = [
  ['1 week', week],
  ['3 mins 4 sec', 184],
  ['2 hrs 20 min', 8_400],
  ['2h20min', 8_400],
  ['6 mos 1 day', 6 * 2_592_000 + 86_400],
  ['47 yrs 6 mos and 4d', 47 * 31_557_600 + 6 * 2_592_000 + 4 * 86_400],
  ['3 weeks and 2 days', 3 * week + 172_800],
  ['1.5 hours', 5_400],
  ['an hour', 3_600],
  ['two days', 172_800],
  ['42', 42],
  ['3600', 3_600],
  ['01:30:15', 5_415],
  ['2:05', 125],
  ['1 WEEK', week],
  ['0', 0],
  ['never', undefined],
  ['', undefined],
  ['soon', undefined],
  ['week', undefined],
  ['1 fortnight', undefined],
  ['-1 day', undefined],
  ['1 day!', undefined],
  ['1 2 days', undefined],
]

for (const [text, seconds] of durations)
  test(`${JSON.stringify(text)} is ${seconds === undefined ? 'no duration' : `${seconds} seconds`}`, () =>
    assert.equal(parseDuration(text), seconds))

test('never is a word of its own', () => {
  assert.deepEqual(['never', ' Never ', 'nevermore'].map(isNever), [true, true, false])
})
