import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineFinder } from './positions.ts'

const text = `# A comment
stages: [build, test]

build:
  script:
    - make
    - |
      make
      install
  rules:
    - if: $A
      when: manual
    - { if: $B,
        when: never }
"quoted": &anchor
  image: x
other: *anchor
`

test('the line of a key is that on which it stands, also within lists; a block has that of its text', () => {
  const find = lineFinder(text)

  assert.deepEqual(
    [['stages'], ['build'], ['build', 'script'], ['build', 'script', '[1]'], ['build', 'rules', '[0]', 'when']].map(find),
    [2, 4, 5, 8, 12],
  )
  assert.deepEqual(
    [
      ['build', 'rules', '[1]'],
      ['build', 'rules', '[1]', 'when'],
      ['quoted', 'image'],
      ['other', 'image'],
    ].map(find),
    [13, 14, 16, 17],
  )
})

test('of keys that the text does not have, the line is that of the part that it has', () => {
  const find = lineFinder(text)

  assert.deepEqual([find(['build', 'needs', '[3]']), find(['nothing', 'script']), find([])], [4, undefined, undefined])
})

test('a text that is no YAML has no lines', () => {
  for (const wrong of ['a: [', '', '\t- x: y: z', 'a: b\n---\nc: d'])
    assert.equal(lineFinder(wrong)(['c']), undefined, JSON.stringify(wrong))
})
