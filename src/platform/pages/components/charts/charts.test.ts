import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisOf, HEIGHT, valueScale } from './axes.ts'
import { type Chart, chart, type Series } from './chart.ts'

const series = (values: readonly (number | null)[], look: Series['look'] = 'line'): Series => ({ name: 'Open <b>', shade: 1, look, values })
const daysFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10))
const shown = (over: Partial<Chart>): string =>
  chart({
    id: 'a',
    title: 'A title',
    says: 'What it shows',
    along: { days: daysFrom('2021-04-01', 3) },
    alongName: 'Day',
    series: [series([1, 2, 3])],
    ...over,
  }).text

test('values begin at nought and end at a round number, in whole steps where values are whole', () => {
  const scale = valueScale({ series: [series([0, 3])], along: { names: ['a', 'b'] } })
  assert.deepEqual([scale.ticks, scale.of(0), scale.of(3)], [[0, 1, 2, 3], HEIGHT, 0])
  const few = valueScale({ series: [series([1])], along: { names: ['a'] } })
  assert.deepEqual(few.ticks, [0, 1])
  const large = valueScale({ series: [series([1_234])], along: { names: ['a'] } })
  assert.deepEqual([large.ticks.at(0), large.ticks.at(-1)], [0, 1_500])
  assert.deepEqual(valueScale({ series: [series([])], along: { days: [] } }).ticks, [0, 1])
})

test('bars that stand on each other reach as high as their sum', () => {
  const bars = [series([2, 1], 'bar'), series([4, 1], 'bar')]
  const scale = valueScale({ series: bars, along: { names: ['a', 'b'] }, stacked: true })
  assert.equal(scale.ticks.at(-1), 6)
  const heights = [
    ...shown({ series: bars, along: { names: ['a', 'b'] }, stacked: true }).matchAll(/chart-bar[^>]*y="([\d.]+)" height="([\d.]+)"/g),
  ]
  const [first, , third] = heights.map(([, y, height]) => [Number(y), Number(height)])
  assert.ok(
    first && third && Math.abs((third[0] as number) + (third[1] as number) - (first[0] as number)) < 0.1,
    'the upper bar begins where the lower ends',
  )
})

test('days have few words below them, whole days all of them, however many there are', () => {
  for (const count of [2, 5, 14, 31, 90, 365, 1_200]) {
    const { ticks, places } = axisOf({ days: daysFrom('2021-01-30', count) })
    assert.ok(ticks.length > 0 && ticks.length <= 6, `${count} days: ${ticks.length}`)
    assert.equal(new Set(ticks.map(({ label }) => label)).size, ticks.length, `${count} days: words twice`)
    assert.deepEqual([places[0]?.middle, places.at(-1)?.middle], [0, 100])
    const covered = places.reduce((sum, { width }) => sum + width, 0)
    assert.ok(Math.abs(covered - 100) < 10, `${count} days cover ${covered}`)
  }
  assert.equal(axisOf({ days: ['2021-04-01'] }).places[0]?.middle, 50)
})

test('a chart says its title and what it shows, and has a table with each value', () => {
  const text = shown({ series: [series([1, null, 3])] })
  assert.match(
    text,
    /role="img" aria-labelledby="a-title a-says"><title id="a-title">A title<\/title><desc id="a-says">What it shows<\/desc>/,
  )
  assert.match(text, /<th scope="col">Open &lt;b&gt;<\/th>/)
  assert.match(text, /<th scope="row">2 Apr 2021<\/th><td>–<\/td>/)
  assert.ok(!text.includes('<b>') && !text.includes(' style='), 'texts are escaped, and nothing has a style of its own')
})

test('a gap ends a line, and a value between gaps is a point', () => {
  const text = shown({ along: { days: daysFrom('2021-04-01', 5) }, series: [series([1, 2, null, 4, null])] })
  assert.equal(/d="(M[^"]*)"/.exec(text)?.[1]?.match(/L/g)?.length, 1)
  assert.equal(text.match(/<circle/g)?.length, 1)
})

test('a chart without values says so', () => {
  assert.match(shown({ along: { days: [] }, series: [series([])] }), /Nothing to show yet/)
  assert.ok(!shown({}).includes('Nothing to show yet'))
})
