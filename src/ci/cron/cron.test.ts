import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cronWords, isCronLine, nextRun } from './lines.ts'
import { isTimeZone, zoneOf } from './time_zones.ts'

test('cron lines have five fields, and nothing else is one', () => {
  const lines = [
    '0 23 * * 5',
    '*/5 * * * *',
    '0 1 * * FRI',
    '0 7 * jan,feb 1',
    '1,2-5/2 * * * 7',
    '0 0 31 DEC *',
    ' 5  4 * * sun-tue ',
    '*/15 0-3 1,2 * 7',
    '@daily',
  ]
  for (const line of lines) assert.equal(isCronLine(line), true, line)
  for (const line of [
    '',
    'soon',
    '60 * * * *',
    '* * * *',
    '* * * * * *',
    '0 25 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '0 0 * * foo',
    'a b c d e',
  ])
    assert.equal(isCronLine(line), false, line)
})

test('the next instant follows the zone, its summer time too', () => {
  const table: [line: string, timezone: string, after: string, next: string | undefined][] = [
    ['0 23 * * 5', 'UTC', '2021-06-01T00:00:00Z', '2021-06-04T23:00:00.000Z'],
    ['0 23 * * 5', 'America/New_York', '2021-06-01T00:00:00Z', '2021-06-05T03:00:00.000Z'],
    ['0 12 * * *', 'Eastern Time (US & Canada)', '2021-01-01T00:00:00Z', '2021-01-01T17:00:00.000Z'],
    ['0 12 * * *', 'Berlin', '2021-03-27T12:00:00Z', '2021-03-28T10:00:00.000Z'],
    ['*/5 * * * *', 'UTC', '2021-06-01T00:05:00Z', '2021-06-01T00:10:00.000Z'],
    // Either day, as cron has always read a line with both.
    ['0 0 13 * 5', 'UTC', '2021-06-01T00:00:00Z', '2021-06-04T00:00:00.000Z'],
    ['0 0 31 2 *', 'UTC', '2021-06-01T00:00:00Z', undefined],
  ]
  for (const [line, timezone, after, next] of table)
    assert.equal(nextRun({ line, timezone }, new Date(after))?.toISOString(), next, `${line} ${timezone}`)
})

test('zones are known by the names of the IANA database and of menus', () => {
  for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific Time (US & Canada)', 'Bern', 'Kyiv'])
    assert.equal(isTimeZone(zone), true, zone)
  for (const zone of ['', 'Mars', 'constructor', '+01:00', 'Europe']) assert.equal(isTimeZone(zone), false, zone)
  assert.equal(zoneOf('Bern'), 'Europe/Zurich')
})

test('lines are said in words, and those without words as they are', () => {
  const table: [line: string, words: string][] = [
    ['0 4 * * *', 'At 04:00'],
    ['30 23 * * 5', 'At 23:30, only on Friday'],
    ['0 7 * jan,feb 1', 'At 07:00, only on Monday, only in January and February'],
    ['@weekly', 'At 00:00, only on Sunday'],
    ['soon', 'soon'],
  ]
  for (const [line, words] of table) assert.equal(cronWords(line), words, line)
})

test('what was found for a line holds until then and for later instants alone, and a line that never comes is cheap to ask for again', () => {
  const line = { line: '0 6 * * *', timezone: 'UTC' }
  const at = (text: string) => nextRun(line, new Date(text))?.toISOString()
  assert.equal(at('2021-06-02T05:00:00Z'), '2021-06-02T06:00:00.000Z')
  assert.equal(at('2021-06-02T05:59:59Z'), '2021-06-02T06:00:00.000Z')
  assert.equal(at('2021-06-02T06:00:00Z'), '2021-06-03T06:00:00.000Z')
  assert.equal(at('2021-06-01T05:00:00Z'), '2021-06-01T06:00:00.000Z')

  const never = { line: '0 0 31 2,4,6,9,11 *', timezone: 'Europe/Berlin' }
  const begun = performance.now()
  for (let time = 0; time < 2_000; time++) assert.equal(nextRun(never, new Date(1_600_000_000_000 + time)), undefined)
  assert.ok(performance.now() - begun < 2_000)
})
