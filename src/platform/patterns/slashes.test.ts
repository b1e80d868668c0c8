import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutEndingSlashes, withoutSlashes } from './slashes.ts'

test('slashes at the ends of a path are left out, and none between', () => {
  assert.deepEqual(['a/b//', '//a', '///', ''].map(withoutEndingSlashes), ['a/b', '//a', '', ''])
  assert.deepEqual(['//a//b//', 'a', '///', ''].map(withoutSlashes), ['a//b', 'a', '', ''])
})
