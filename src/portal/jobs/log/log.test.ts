import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobLog } from '../../../ci/traces/log.ts'
import { colouredLines } from './ansi.ts'
import { partView } from './log_view.ts'
import { lastLines, linesOfPart, PART, partOfLine, partsOf } from './parts.ts'
import { linesWith, MOST_FOUND } from './search.ts'
import { isSection, type LogPiece, sectionsOf } from './sections.ts'

const shown = (...lines: string[]) => colouredLines(lines).map(({ text }) => text)

/** Each log has an id of its own: what is counted of one is remembered. */
let nextId = 1_000_000_000

function logOf(text: string | Buffer, piece = 1000): JobLog {
  const bytes = Buffer.from(text as string)
  return {
    jobId: nextId++,
    size: bytes.length,
    async *read(start, end) {
      // In pieces, as stores send them.
      for (let at = start; at < end; at += piece) yield bytes.subarray(at, Math.min(at + piece, end))
    },
  }
}

test('colours and styles become classes that hold until they are taken back', () => {
  for (const [lines, expected] of [
    [['plain'], ['plain']],
    [['\u001b[32;1mok\u001b[0m done'], ['<span class="ansi-green ansi-bold">ok</span> done']],
    [
      ['\u001b[31mred', 'still', '\u001b[0mnot'],
      ['<span class="ansi-red">red</span>', '<span class="ansi-red">still</span>', 'not'],
    ],
    [['\u001b[38;5;196mx'], ['<span class="ansi-red">x</span>']],
    [['\u001b[38;2;250;80;80mx'], ['<span class="ansi-bright-red">x</span>']],
    [['\u001b[48;5;240my'], ['<span class="ansi-bg-bright-black">y</span>']],
    [['<script>alert(1)</script>'], ['&lt;script&gt;alert(1)&lt;/script&gt;']],
  ] as const)
    assert.deepEqual(shown(...lines), expected)
})

test('a style that is switched on again and again makes a page no longer than a style that is switched on once', () => {
  const sizeOf = (sequence: string) => shown(...Array.from({ length: 100 }, () => `\u001b[${sequence}mx`.repeat(100))).join('').length
  const once = sizeOf('31')
  for (const sequence of ['1', '1;1', '2;21', '38;2;1', '38;5;1;1', '4;3;9'])
    assert.ok(sizeOf(sequence) < 4 * once, `${sequence}: ${sizeOf(sequence)} is far more than ${once}`)
  assert.deepEqual(shown('\u001b[1mon\u001b[1mon\u001b[22moff'), ['<span class="ansi-bold">on</span><span class="ansi-bold">on</span>off'])
})

test('a part of empty lines is cut, and says so', async () => {
  const view = partView(await linesOfPart(logOf('\n'.repeat(PART)), 0), () => '').text
  assert.equal([...view.matchAll(/class="log-line"/g)].length, 8_000)
  assert.match(view, /57536 short lines more/)
})

test('what was written over, and what moves cursors, is not shown', () => {
  for (const [line, expected] of [
    ['10 %\r50 %\r100 %', '100 %'],
    ['\u001b[33mslow\r\u001b[Kdone', '<span class="ansi-yellow">done</span>'],
    ['a\u001b[2Jb\u001b[10;20Hc\u001b[?25l', 'abc'],
    ['\u001b]0;title\u0007text', 'text'],
    ['bell\u0007 and \u0000 and tab\t', 'bell and  and tab\t'],
    ['\u001b', ''],
  ] as const)
    assert.deepEqual(shown(line), [expected])
})

const start = (name: string, time = 10, options = '') => `section_start:${time}:${name}${options}\r\u001b[0K`
const end = (name: string, time = 15) => `section_end:${time}:${name}\r\u001b[0K`

const outline = (pieces: readonly LogPiece[]): unknown[] =>
  pieces.map(piece =>
    isSection(piece)
      ? { [piece.heading?.text ?? piece.name]: outline(piece.content), for: piece.duration, closed: piece.isCollapsed }
      : piece.text,
  )

const sectionsIn = (...lines: string[]) => outline(sectionsOf(lines.map((text, index) => ({ number: index + 1, text }))))

test('sections hold their lines, nest, say how long they took, and end with the one around them', () => {
  assert.deepEqual(sectionsIn('a', `${start('x')}Heading`, 'b', end('x'), 'c'), ['a', { Heading: ['b'], for: 5, closed: false }, 'c'])
  assert.deepEqual(sectionsIn(`${start('x', 10, '[collapsed=true]')}H`, 'b', `${end('x', 12)}after`), [
    { H: ['b'], for: 2, closed: true },
    'after',
  ])
  assert.deepEqual(sectionsIn(`${start('x')}X`, `${start('y')}Y`, 'b', end('x', 20), 'c'), [
    { X: [{ Y: ['b'], for: undefined, closed: false }], for: 10, closed: false },
    'c',
  ])
  assert.deepEqual(sectionsIn(`${end('old')}${start('new')}New`, 'b'), [{ New: ['b'], for: undefined, closed: false }])
  assert.deepEqual(sectionsIn('before', end('begun_elsewhere'), 'after'), ['before', 'after'])
})

test('a section says on hover when it began', () => {
  const lines = [`${start('x', 1_560_896_352)}Heading`, 'b', end('x', 1_560_896_357)].map((text, index) => ({ number: index + 1, text }))

  assert.match(partView(lines, () => '').text, /title="Time of the section, which began at 22:19:12 UTC">5 s</)
})

test('parts hold each line once, in their order and with their numbers, whatever the bytes', async () => {
  const texts = [
    '',
    'one line without an end',
    'a\nb\n',
    Array.from({ length: 20_000 }, (_, index) => `line ${index + 1}${'.'.repeat(index % 37)}`).join('\n'),
    `${'x'.repeat(PART - 1)}\n${'y'.repeat(PART)}\nz\n`,
    `${'ü'.repeat(PART)}\nshort`,
    '\n'.repeat(3 * PART),
  ]
  for (const text of texts) {
    const log = logOf(text)
    const lines = []
    for (let part = 0; part < partsOf(log); part++) lines.push(...(await linesOfPart(log, part)))
    const wanted = text === '' ? [] : text.split('\n')
    // A part that would begin after the last end of line has no line.
    assert.deepEqual(
      lines.map(({ text: line }) => line.slice(0, 50)),
      wanted.slice(0, lines.length).map(line => line.slice(0, 50)),
    )
    assert.ok(lines.length >= wanted.length - 1, 'no line is missing but an empty one at the end')
    assert.deepEqual(
      lines.map(({ number }) => number),
      lines.map((_, index) => index + 1),
    )
  }
})

test('the part of a line is the one that holds it', async () => {
  const log = logOf(Array.from({ length: 30_000 }, (_, index) => `this is line ${index + 1}`).join('\n'))
  for (const line of [1, 2, 5_000, 29_999, 30_000]) {
    const numbers = (await linesOfPart(log, await partOfLine(log, line))).map(({ number }) => number)
    assert.ok(numbers.includes(line), `${line} is among ${numbers[0]} to ${numbers.at(-1)}`)
  }
  assert.equal(await partOfLine(log, 1_000_000), partsOf(log) - 1)
})

test('the end of a log is its last lines, without one that is cut', () => {
  assert.deepEqual(lastLines('cut off\na\nb\nc\n', 2), ['b', 'c'])
  assert.deepEqual(lastLines('\na\r\n', 5), ['a'])
  assert.deepEqual(lastLines('', 5), [''])
})

test('what only resets the colour after the last end of line is no line; what shows something is', async () => {
  const texts = async (text: string) => (await linesOfPart(logOf(text), 0)).map(line => line.text)
  assert.deepEqual(await texts('built\n\u001b[0;m'), ['built'])
  assert.deepEqual(await texts('built\n\u001b[0K\u001b[32;1m'), ['built'])
  assert.deepEqual(await texts('built\n\u001b[32mdone'), ['built', '\u001b[32mdone'])
  assert.deepEqual(await texts('\u001b[0;m'), ['\u001b[0;m'])
})

test('a search finds lines with their numbers, through colours, over pieces, and not what was written over', async () => {
  const numbers = async (text: string, wanted: string, most?: number) =>
    (await linesWith(logOf(text, most), wanted)).lines.map(({ number, text }) => [number, text])
  const text = 'one lamp\n\u001b[31mtwo L\u001b[0mAMPS\r\nlamp 1 %\rdone\nnothing\n\nthe last lamp'
  const found = [
    [1, 'one lamp'],
    [2, 'two LAMPS'],
    [6, 'the last lamp'],
  ]
  for (const most of [1, 3, 7, 1_000]) assert.deepEqual(await numbers(text, 'lamp', most), found)
  assert.deepEqual(await numbers(`${'ü'.repeat(400)}ß\n`, 'ß', 3), [[1, `…${'ü'.repeat(100)}ß`]])
  assert.deepEqual(await numbers(text, '.*'), [])
  const { lines, isCut } = await linesWith(logOf('lamp\n'.repeat(MOST_FOUND + 1)), 'lamp')
  assert.deepEqual([lines.length, lines.at(-1)?.number, isCut], [MOST_FOUND, MOST_FOUND, true])
  assert.equal((await linesWith(logOf('lamp\n'.repeat(MOST_FOUND)), 'lamp')).isCut, false)
})
