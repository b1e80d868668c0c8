import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOfText, textOfFile } from './edited_text.ts'

/** What a browser sends of a field: all line ends as CR LF. */
const sent = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n')

test('a file that is opened and saved as it was has the same bytes', () => {
  for (const text of [
    '',
    '\n',
    '\n\nwith empty lines before\n',
    'no final line end',
    'unix\nlines\n',
    'windows\r\nlines\r\n',
    'windows without the last\r\nend',
    'old mac\rlines\r',
    'mixed\r\nline\nends\r\rof\n\r\nall kinds',
    '\uFEFFmarked\r\nfile\r\n',
    'not a mark \uFEFF here\n',
    'tab\tform feed\f ünï 😀\n',
  ]) {
    const bytes = Buffer.from(text)
    const shown = textOfFile(bytes)
    assert.ok(shown !== undefined)
    assert.equal(bytesOfText(sent(shown), bytes).toString(), text, JSON.stringify(text))
  }
})

test('lines that are changed or new have the line ends of their file, and the others keep theirs', () => {
  const saved = (before: string, typed: string) => bytesOfText(sent(typed), Buffer.from(before)).toString()

  assert.equal(saved('a\r\nb\r\n', 'a\nnew\nb\n'), 'a\r\nnew\r\nb\r\n')
  assert.equal(saved('a\r\nb\nc\r\nd\r\n', 'a\nb\nnew\nc\nd\n'), 'a\r\nb\nnew\r\nc\r\nd\r\n')
  assert.equal(saved('a\nb', 'a\nb\n'), 'a\nb\n')
  assert.equal(saved('a\r\nb\n', ''), '')
  assert.equal(bytesOfText(sent('new\nfile\n'), undefined).toString(), 'new\nfile\n')
})

test('a long file with mixed line ends and many changes is saved soon', () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `line ${index}${index % 2 === 0 ? '\r\n' : '\n'}`).join('')
  const typed = Array.from({ length: 20_000 }, (_, index) => `other ${index}\n`).join('')
  const begun = performance.now()
  assert.equal(bytesOfText(typed, Buffer.from(before)).toString().length, typed.length + 20_000)
  assert.ok(performance.now() - begun < 2_000)
})

test('bytes that would not survive a form are no text', () => {
  assert.equal(textOfFile(Buffer.from('caf\xe9', 'latin1')), undefined)
  assert.equal(textOfFile(Buffer.from('a\0b')), undefined)
})
