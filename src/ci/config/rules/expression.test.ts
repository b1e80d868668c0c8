/** Issue "Pipelines, jobs and runners": `rules: if` and `only: variables` have a language of their own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFoundIn } from '../../../platform/patterns/patterns.ts'
import { type Find, holds, parseExpression } from './expression.ts'

const variables: Readonly<Record<string, string>> = {
  BRANCH: 'main',
  EMPTY: '',
  RELEASE: 'v1.2',
  PATTERN: '/^v\\d/',
  SLASHED: 'feature/a',
  LINES: 'a\nmain\nb',
}

const find: Find = async (pattern, text) => isFoundIn(pattern, text)

const cases: readonly (readonly [string, boolean])[] = [
  ['$BRANCH', true],
  ['$EMPTY', false],
  ['$NONE', false],
  ['$BRANCH == "main"', true],
  ["$BRANCH == 'main'", true],
  ['"main" == $BRANCH', true],
  ['$BRANCH == "other"', false],
  ['$BRANCH != "other"', true],
  ['$NONE == null', true],
  ['$EMPTY == null', false],
  ['$EMPTY == ""', true],
  ['$NONE != "x"', true],
  ['$BRANCH == $OTHER', false],
  ['$BRANCH=="main"', true],
  ['$RELEASE =~ /^v\\d+\\.\\d+$/', true],
  ['$RELEASE =~ /^V/', false],
  ['$RELEASE =~ /^V/i', true],
  ['$RELEASE !~ /^x/', true],
  ['$NONE =~ /x/', false],
  ['$NONE !~ /x/', true],
  ['$RELEASE =~ $PATTERN', true],
  ['$RELEASE =~ $BRANCH', false],
  ['$SLASHED =~ /^feature\\//', true],
  ['$LINES =~ /^main$/', false],
  ['$LINES =~ /^main$/m', true],
  ['$BRANCH && $NONE', false],
  ['$BRANCH || $NONE', true],
  ['$NONE && $NONE || $BRANCH', true],
  ['$BRANCH || $NONE && $NONE', true],
  ['($BRANCH || $NONE) && $NONE', false],
  ['$BRANCH == "main" && $RELEASE =~ /^v/ || $NONE == "x"', true],
  ['(($BRANCH))', true],
  ['"text"', true],
  ['""', false],
  ['null', false],
]

for (const [text, expected] of cases)
  test(`${text} is ${expected}`, async () => {
    const expression = parseExpression(text)
    assert.equal(expression && (await holds(expression, name => variables[name], find)), expected)
  })

const wrong = [
  '',
  '$',
  'BRANCH',
  '$A ==',
  '== $A',
  '$A = "x"',
  '$A == "x" $B',
  '($A',
  '$A)',
  '$A =~ "x',
  '$A =~ /(/',
  '$A == /x/',
  '/x/',
  '/x/ =~ $A',
  '$A &&',
  '$A & $B',
  `${'('.repeat(500)}$A${')'.repeat(500)}`,
  Array.from({ length: 8_000 }, () => '$A == $B').join(' && '),
]

for (const text of wrong) test(`${text.slice(0, 30)} is no expression`, () => assert.equal(parseExpression(text), undefined))

test('ten thousand parentheses are no expression', () => {
  const deep = `${'('.repeat(30)}$A${')'.repeat(30)}`

  assert.notEqual(parseExpression(Array(100).fill(deep).join(' && ')), undefined)
  assert.equal(parseExpression(Array(200).fill(deep).join(' && ')), undefined)
})

test('a regular expression takes linear time', async () => {
  const expression = parseExpression('$A =~ /^(a+)+$/')

  assert.equal(expression && (await holds(expression, () => `${'a'.repeat(50_000)}b`, find)), false)
})

test('a chain is evaluated however it is written', async () => {
  const chain = parseExpression(Array.from({ length: 1_000 }, () => '$BRANCH').join(' && '))

  assert.equal(chain && (await holds(chain, name => variables[name], find)), true)
})
