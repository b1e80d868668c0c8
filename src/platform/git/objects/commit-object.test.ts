import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCommit, formatPerson, parseCommit, parseSignature, titleOf, trailersOf } from './commit-object.ts'

const signatures: readonly [string, { name: string; email: string; date: string }][] = [
  ['A B <a@b> 1622541600 +0200', { name: 'A B', email: 'a@b', date: '2021-06-01T12:00:00.000+02:00' }],
  ['A <a@b> 1622541600 -0330', { name: 'A', email: 'a@b', date: '2021-06-01T06:30:00.000-03:30' }],
  ['A <a@b> 1622541600 +9999', { name: 'A', email: 'a@b', date: '2021-06-01T10:00:00.000+00:00' }],
  ['A <a@b> 1622541600 -9999999', { name: 'A', email: 'a@b', date: '2021-06-01T10:00:00.000+00:00' }],
  ['A <a@b> 1622541600 +2359', { name: 'A', email: 'a@b', date: '2021-06-02T09:59:00.000+23:59' }],
  ['A <a@b> 0 +0000', { name: 'A', email: 'a@b', date: '1970-01-01T00:00:00.000+00:00' }],
  [' <> 1 +0000', { name: '', email: '', date: '1970-01-01T00:00:01.000+00:00' }],
  ['A <a@b>', { name: 'A', email: 'a@b', date: '1970-01-01T00:00:00.000+00:00' }],
]

test('signatures are read with their zone, broken ones too', () => {
  for (const [line, expected] of signatures) assert.deepEqual(parseSignature(line), expected)
})

test('a written signature is read back', () => {
  const line = formatPerson({ name: 'A <x> \nB', email: 'a@b', date: '2021-06-01T12:00:00.000+02:00' }, new Date(0))
  assert.equal(line, 'A x B <a@b> 1622541600 +0200')
  assert.throws(() => formatPerson({ name: '<>', email: 'a@b' }, new Date(0)), { kind: 'invalid' })
})

test('a commit keeps its message byte for byte, and a NUL in it is refused', () => {
  const person = { name: 'A', email: 'a@b' }
  const text = { author: person, committer: person, now: new Date(1_622_541_600_000) }
  const message = '\n  odd\r\nmessage without end'
  const parsed = parseCommit('x', formatCommit('t', ['p', 'q'], { ...text, message }))
  assert.equal(parsed.message, message)
  assert.equal(parsed.title, 'odd')
  assert.deepEqual([parsed.parent_ids, parsed.is_signed], [['p', 'q'], false])
  assert.throws(() => formatCommit('t', [], { ...text, message: 'a\0b' }), { kind: 'invalid' })
})

test('a message in a declared encoding is decoded; one that is not UTF-8 becomes text nevertheless', () => {
  const head = 'tree t\nauthor A <a> 0 +0000\ncommitter A <a> 0 +0000\n'
  const latin = Buffer.concat([Buffer.from(`${head}encoding ISO-8859-1\n\n`), Buffer.from([0xe9])])
  assert.equal(parseCommit('x', latin).message, 'é')
  assert.equal(parseCommit('x', Buffer.concat([Buffer.from(`${head}\n`), Buffer.from([0xe9])])).message, 'é')
})

test('the title is the first line that is not blank', () => {
  for (const [message, title] of [
    ['a\nb', 'a'],
    ['\n\n a \nb', 'a'],
    ['', ''],
  ] as const)
    assert.equal(titleOf(message), title)
})

test('trailers are the last paragraph, when all of it is trailers', () => {
  assert.deepEqual(trailersOf('t\n\nb\n\nSigned-off-by: A <a>\nKey: one\n  two\nKey: three\n'), { 'Signed-off-by': 'A <a>', Key: 'three' })
  assert.deepEqual(trailersOf('t\n\nKey: value\nplain text'), {})
  assert.deepEqual(trailersOf('Key: value'), {})
})

test('long lines of a message and of a signature are read in one pass', () => {
  const line = `Key:${' '.repeat(500_000)}x\u2028y`
  assert.deepEqual(trailersOf(`Title\n\n${line}`), { Key: 'x\u2028y' })
  assert.equal(parseSignature('<'.repeat(500_000)).email, '')
})
