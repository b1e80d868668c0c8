import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestPaths } from './fuzzy.ts'

const paths = [
  'README.md',
  'src/server/app.ts',
  'src/server/app.test.ts',
  'docs/appendix/readers.md',
  'src/portal/files/BlobView.ts',
  'a/p/p/x.ts',
]

test('what fits best comes first: names before directories, words before letters', () => {
  assert.deepEqual(bestPaths(paths, 'app.ts', 1), ['src/server/app.ts'])
  assert.deepEqual(bestPaths(paths, 'app', 3), ['src/server/app.ts', 'src/server/app.test.ts', 'docs/appendix/readers.md'])
  assert.deepEqual(bestPaths(paths, 'read', 2), ['README.md', 'docs/appendix/readers.md'])
  assert.deepEqual(bestPaths(paths, 'bv', 9), ['src/portal/files/BlobView.ts'])
  assert.deepEqual(bestPaths(paths, 'Server APP', 2), ['src/server/app.ts', 'src/server/app.test.ts'])
  assert.deepEqual(bestPaths(paths, 'server/app', 1), ['src/server/app.ts'])
  assert.deepEqual(bestPaths(paths, 'nothing?', 9), [])
  assert.deepEqual(bestPaths(paths, ' ', 2), paths.slice(0, 2))
})

test('a hundred thousand long paths are searched soon', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `${'deep/'.repeat(20)}file-${index}.ts`)
  const begun = performance.now()
  assert.equal(bestPaths(many, 'dfile99999', 5)[0], `${'deep/'.repeat(20)}file-99999.ts`)
  assert.ok(performance.now() - begun < 2_000)
})
