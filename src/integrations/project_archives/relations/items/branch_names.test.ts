import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BranchNames } from './branch_names.ts'

test('a branch has a name that is taken neither as a branch nor as a folder of branches', () => {
  const names = new BranchNames(['main', 'a/b/c'])
  const tried = ['main', 'main/x', 'a', 'a/b', 'a/b/c/d', 'a/x', 'a/x', 'b', 'b/c', 'd'.repeat(201), `e/${'d'.repeat(200)}`]
  assert.deepEqual(
    tried.map(name => names.take(name)),
    [false, false, false, false, false, true, false, true, false, false, true],
  )
})
