/** Which lines of `.gitattributes` are compared with which files. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Attributes, mostLines } from './attributes.ts'

const about = (text: string, paths: readonly string[], most = 100) =>
  new Attributes([{ path: '.gitattributes', text }]).about(paths, most).flatMap(file => file.text.trim().split('\n'))

test('a line is compared with files that have the name or the ending of its pattern', () => {
  const lines = [
    '*.Tmpl linguist-language=HTML',
    'made/** linguist-generated',
    'third_party/ linguist-vendored',
    '/docs/api.md linguist-documentation',
    '*.d.ts linguist-generated',
    'pa*th linguist-vendored',
    '"quoted name" linguist-vendored',
    '[ab].c -text',
  ]
  const relevant = (...paths: string[]) => about(lines.join('\n'), paths).map(line => line.split(' ')[0])
  const tried = ['pa*th', '"quoted', '[ab].c']

  assert.deepEqual(relevant('src/a.rb'), tried)
  assert.deepEqual(relevant('views/page.tmpl'), ['*.Tmpl', ...tried])
  assert.deepEqual(relevant('src/made/x.rb', 'third_party/deep/y.c'), ['made/**', 'third_party/', ...tried])
  assert.deepEqual(relevant('docs/api.md', 'types/a.d.ts'), ['/docs/api.md', '*.d.ts', ...tried])
})

test('lines that say nothing about languages are compared with no file, and the last of a pattern counts', () => {
  const text = '# none\n*.png filter=lfs diff=lfs\n*.c linguist-language=C++ # once\n*.c linguist-language=Rust\n'

  assert.deepEqual(about(text, ['a.c', 'b.png']), ['*.c linguist-language=Rust'])
})

test('thousands of lines cost what the files have of them, and never more than a bound', () => {
  const lines = (pattern: (n: number) => string) => Array.from({ length: 5_000 }, (_, n) => `${pattern(n)} linguist-language=C`).join('\n')
  const paths = Array.from({ length: 500 }, (_, n) => `d${n % 7}/file-${n}.x${n % 20}`)
  const compared = (pattern: (n: number) => string, most: number) => about(lines(pattern), paths, most).length

  assert.equal(
    compared(n => `*.x${n}`, mostLines(500)),
    20,
  )
  assert.equal(
    compared(n => `file-${n}.x${n % 20}`, 1_000),
    500,
  )
  assert.equal(
    compared(n => `f*-${n}?`, mostLines(500)),
    100,
  )
  assert.deepEqual([mostLines(1), mostLines(500), mostLines(20_000)], [50_000, 100, 50])
})

test('a long pattern of slashes is read in one pass', () => {
  assert.deepEqual(about(`${'/'.repeat(500_000)}x linguist-vendored`, ['a/x', 'y']).length, 1)
  assert.deepEqual(about('a/**/*/ linguist-vendored', ['a', 'b']).length, 1)
})
