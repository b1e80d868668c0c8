import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPlainly } from './plain.ts'
import { isMap, type YamlValue } from './values.ts'
import { parseFully, plainScalar } from './yaml.ts'

/** Maps as lists of pairs, so that their order is compared too. */
const plainly = (value: YamlValue): unknown =>
  isMap(value) ? [...value].map(([key, below]) => ['map', key, plainly(below)]) : Array.isArray(value) ? value.map(plainly) : value

/** What the parser of YAML proper makes of a text, or why it does not. */
function fully(text: string): unknown {
  try {
    return plainly(parseFully(text, 'file'))
  } catch (error) {
    return (error as Error).message
  }
}

test('a file as most are written is read without the parser of YAML', () => {
  const text = `# what is built
stages: [build, 'test', "deploy now"]

variables:
  DEPTH: 20
  VERSION: 1.10
  EMPTY:
  QUOTED: 'it''s'
  ESCAPED: "a\\nb \\"c\\""   # a comment

build job:
  stage: build
  tags:
  - linux
  - arm64
  script:
    - make all
    - |
      if test -f x; then # no comment
        echo "a: b"
      fi

    - echo done
  only: { refs: [main], variables: [] }
  rules:
    - if: $CI_COMMIT_BRANCH == "main"
      when: on_success
      allow_failure: yes
    - exists: [Makefile]
  needs: [{ job: other, artifacts: true }]
  retry: -1
`
  const read = readPlainly(text, plainScalar)

  assert.deepEqual(read && plainly(read), fully(text))
})

test('what is written otherwise is left to the parser of YAML', () => {
  for (const text of [
    'a: &anchor b\n',
    'a: *alias\n',
    'a: !reference [b, c]\n',
    'a: b\n  c\n',
    'a: "b\n  c"\n',
    'a: >\n  b\n',
    'a: |+\n  b\n',
    'a: |\n  b',
    '<<: b\n',
    '? a\n: b\n',
    '---\na: b\n',
    'a: b\n...\n',
    'a: b: c\n',
    'a:\tb\n',
    'a: b\r\n',
    '- a\n',
    '  a: b\n',
    'a:\n    b: c\n  d: e\n',
    'a: [b,\n  c]\n',
    'a: "\\x41"\n',
    'a: "b" c\n',
    '\ufeffa: b\n',
    '',
  ])
    assert.equal(readPlainly(text, plainScalar), undefined, text)
})

/** The same sequence for the same seed. */
function dice(seed: number) {
  let state = seed
  return <T>(from: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return from[Math.floor((state / 2_147_483_648) * from.length)] as T
  }
}

const indents = ['', '', '', '  ', '  ', '    ', ' ', '      ']
const dashes = ['', '', '', '- ', '-', '-  ', '- - ']
const keys = ['', '', 'a:', 'b: ', 'a b: ', 'on: ', 'yes : ', '.x: ', 'c:d: ', '$e: ', '1: ', "'q': ", '"r": ', 'x:y', 'f#: ', 'g #: ']
const values = [
  '',
  '',
  'text',
  'two words',
  'a:b',
  'a: b',
  'a #b',
  'a#b',
  '# c',
  '#c',
  '12',
  '0x1F',
  '010',
  '1_000',
  '1.10',
  '1e3',
  '-5',
  '-.5',
  '-a',
  '+1',
  '.5',
  '.inf',
  '12:30',
  'yes',
  'Off',
  'n',
  'TRUE',
  'null',
  '~',
  'nullify',
  '2020-01-01',
  'é',
  '$A == "b"',
  "it's",
  "'it''s'",
  "'a' # b",
  "'a'b",
  "'a",
  '"a\\tb"',
  '"a\\u0041"',
  '"a" ',
  '[]',
  '[a, b]',
  '[a, [b, 1], {c: d}]',
  '[\'a, b\', "c"] # d',
  '[a,]',
  '[a b,c]',
  '[a: b]',
  '[a',
  '[yes, -1, 1.0]',
  '{}',
  '{ a: b, c: [d] }',
  '{a: b} c',
  '{a}',
  '{"a": b}',
  '|',
  '|-',
  '|2',
  '>',
  '*a',
  '&a b',
  '!a b',
  '@a',
  '%a',
  '`a`',
  '(a)',
  'a, b',
  'a ]',
  '- b',
  '? b',
  ':b',
  '...',
  '--- a',
]

test('whatever is read plainly is what the parser of YAML makes of it, by twenty thousand files of odd lines', () => {
  const pick = dice(14)
  let read = 0
  for (let count = 0; count < 20_000; count++) {
    const lines = Array.from({ length: pick([1, 2, 3, 4, 5]) }, () => pick(indents) + pick(dashes) + pick(keys) + pick(values))
    const text = `${pick(['', '', 'top: 1\n', 'top:\n', 'top: |\n'])}${lines.join('\n')}${pick(['\n', '\n', '', '\n\n', '\n  \n'])}`
    const found = readPlainly(text, plainScalar)
    if (found === undefined) continue
    read++
    assert.deepEqual(plainly(found), fully(text), JSON.stringify(text))
  }
  assert.ok(read > 500, `${read} were read plainly`)
})
