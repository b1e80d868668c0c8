/** Regular expressions of users: whatever they are, they take no longer than their limits say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RE2JS } from 're2js'
import { compiledPattern, isFoundIn, isPattern, PatternTooCostly, sizeOf } from './patterns.ts'

test('steps are counted before an expression is compiled', () => {
  for (const source of [
    'abc',
    'a{10}',
    '(abc){10}',
    '((a{3}){3}){3}',
    '.{0,1000}',
    '\\Qa{5}\\E',
    '\\p{L}{20}',
    '[[:alpha:]]{9}',
    '(?i)ab(?:de){4}',
    '(?P<name>ab{9}){4}',
    '(?<name>.{0,90}){4}',
    '(?i-s:a{5}){9}',
    'a{2,}',
    'x{1000}',
    '^(feat|fix)(\\(.+\\))?: .{1,50}',
    '(){600}',
    '((((a{2}){2}){2}){2}){2}',
  ]) {
    const steps = RE2JS.compile(source).programSize()
    // Its end has two more.
    assert.ok(sizeOf(source).steps + 10 >= steps, `${source}: ${sizeOf(source).steps} of ${steps}`)
    assert.ok(isPattern(source) && compiledPattern(source), source)
  }
})

test('an expression that stands for very many steps, is long, or is none, is not taken', () => {
  for (const source of [
    '.{0,1000}'.repeat(3),
    '((a{0,100}){0,10}){2}b',
    `(?P<a>${'.{0,999}'.repeat(3)})`,
    `(?<a>${'.{0,999}'.repeat(3)})`,
    `(?i${'.{0,999}'.repeat(3)})`,
    'a'.repeat(2_001),
    'a{1001}',
    'a{3,2}',
    '(',
    '*',
    'a**',
    '(?=a)',
  ])
    assert.deepEqual([source, compiledPattern(source), isPattern(source)], [source, undefined, false])
})

test('a text that is too long for its expression is not searched', () => {
  const costly = compiledPattern('(?s).{0,900}[^a]$') as RE2JS
  assert.ok(costly)
  assert.equal(isFoundIn(costly, 'aab'), true)
  assert.throws(() => isFoundIn(costly, 'a'.repeat(10_000)), PatternTooCostly)
  assert.equal(isFoundIn(compiledPattern('b$') as RE2JS, `${'a'.repeat(100_000)}b`), true)
})
