import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, parseDuration } from './durations.ts'

const hour = 3600

test('human durations are read with months of 4 weeks, weeks of 5 days and days of 8 hours (decision 37)', () => {
  const table: [string, number][] = [
    ['3h30m', 3.5 * hour],
    ['3h 30m', 3.5 * hour],
    ['1mo', 160 * hour],
    ['1w', 40 * hour],
    ['1d', 8 * hour],
    ['1mo 2w 3d 4h 5m 6s', (160 + 80 + 24 + 4) * hour + 306],
    ['2 hours and 5 minutes', 2 * hour + 300],
    ['1 Week, 2 DAYS', 56 * hour],
    ['1.5h', 1.5 * hour],
    ['-45m', -2700],
    ['+45m', 2700],
    ['- 1h 30m', -1.5 * hour],
    ['2', 2 * hour],
    ['0', 0],
    ['-0h', 0],
  ]
  for (const [text, seconds] of table) assert.equal(parseDuration(text), seconds, text)
})

test('texts without a duration, or with one out of range, are not parsed', () => {
  const texts = ['', ' ', '-', 'soon', '3x', 'h', '1h x', '1h 30', 'h1', '1h-30m', '--1h', '9999999999h', '1h\0']
  for (const text of texts) assert.equal(parseDuration(text), undefined, JSON.stringify(text))
})

test('a long text is read in linear time', () => {
  assert.equal(parseDuration(`${'1m '.repeat(100_000)}x`), undefined)
})

test('seconds are written in the largest units that fit', () => {
  const table: [number, string | null][] = [
    [0, null],
    [1, '1s'],
    [12_600, '3h 30m'],
    [8 * hour, '1d'],
    [(160 + 40 + 16 + 3) * hour + 240, '1mo 1w 2d 3h 4m'],
    [-2700, '-45m'],
  ]
  for (const [seconds, text] of table) assert.equal(formatDuration(seconds), text)
})
