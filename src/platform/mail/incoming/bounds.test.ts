/** What a mail costs is bounded by more than its size. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFewLines, cutWhereDeep, withinTime } from './bounds.ts'
import { parseMessage } from './parse.ts'

const head = 'From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\n'
const parse = (rest: string) => parseMessage(Buffer.from(`${head}${rest}`), 'ingot.example')

test('a mail of line ends or of parts is refused before it is parsed, and a large file is not', async () => {
  for (const line of ['\r\n', '\n', '> x\r\n', 'x \r\n', '=\r\n', '--b\r\n\r\nx\r\n'])
    await assert.rejects(parse(`\r\n${line.repeat(400_000)}`), /too many lines/, JSON.stringify(line))
  await assert.rejects(parse(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(21_000)}`), /too many lines/)
  const file = Buffer.from(`${head}\r\n${`${'A'.repeat(76)}\r\n`.repeat(330_000)}`)
  assertFewLines(file)
})

test('the text of an answer is found although the patterns of quotes take the cube of its length', async () => {
  // Each takes minutes without a limit.
  for (const long of ['\r\n'.repeat(60_000), `On${' '.repeat(60_000)}`]) {
    const { text, unquoted } = await parse(`\r\nIt works.\r\n${long}x\r\n> What was quoted\r\n`)
    assert.match(text, /quoted/)
    assert.match(unquoted, /^It works\.[\s\S]*x$/)
  }
  assert.equal((await parse('\r\nYes.\r\n\r\nOn Monday, Ida wrote:\r\n> No?\r\n')).unquoted, 'Yes.')
})

test('elements that are deep in each other are left out, and those whose end may be left out are not counted', async () => {
  const deep = `<p>Hello</p>${'<div>'.repeat(100_000)}lost`
  assert.ok(cutWhereDeep(deep).length < 2_000)
  const { text } = await parse(`Content-Type: text/html\r\n\r\n${deep.replaceAll('<div><div>', '<div><div>\r\n')}`)
  assert.match(text, /^Hello\s*…?$/)
  for (const usual of [
    '<p>x'.repeat(1_000),
    '<ul><li>a<li>b</ul>'.repeat(500),
    '<div><b>x</b></div>'.repeat(500),
    '<br><IMG>'.repeat(500),
    'a < b',
  ])
    assert.equal(cutWhereDeep(usual), usual)
})

test('work that does not end in its time is ended, in the midst of a pattern too', () => {
  assert.equal(
    withinTime(10_000, () => 'done'),
    'done',
  )
  assert.equal(
    withinTime(10, () => /^(a+)+$/.test(`${'a'.repeat(100)}b`)),
    undefined,
  )
  assert.throws(() => withinTime(10_000, () => assert.fail('its own error')), /its own error/)
})
