import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutEnding, withoutSuffixes } from './ends.ts'

test('characters at the end of a text are left out, and none before', () => {
  assert.deepEqual(
    ['a-b.-', '-.a', '-.-', ''].map(text => withoutEnding(text, /[-.]/)),
    ['a-b', '-.a', '', ''],
  )
})

test('suffixes are left out as often as they stand at the end', () => {
  assert.deepEqual(
    ['a.git.atom.', '.git', 'a.gi', 'a.git.b', ''].map(text => withoutSuffixes(text, ['.git', '.atom', '.'])),
    ['a', '', 'a.gi', 'a.git.b', ''],
  )
})
