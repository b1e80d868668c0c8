import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AppliedRule, leftInAll, stateOf } from './state.ts'

const rule = (approvals_required: number, approver_ids?: readonly number[]): AppliedRule => ({
  id: 1,
  name: 'Rule',
  rule_type: approver_ids ? 'regular' : 'any_approver',
  approvals_required,
  approver_ids,
})

test('a rule misses only approvals of its own users, and never more than it has users', () => {
  const cases: readonly (readonly [AppliedRule, readonly number[], number])[] = [
    [rule(0), [], 0],
    [rule(2), [], 2],
    [rule(2), [1], 1],
    [rule(2), [1, 2, 3], 0],
    [rule(1, [5, 6]), [1, 2], 1],
    [rule(1, [5, 6]), [1, 6], 0],
    [rule(3, [5, 6]), [], 2],
    [rule(3, [5, 6]), [5], 1],
    [rule(3, [5, 6]), [5, 6], 0],
    [rule(1, []), [], 0],
  ]
  for (const [given, approved, left] of cases) assert.equal(stateOf(given, approved).left, left, JSON.stringify({ given, approved }))
})

test('one approval counts for every rule that names the approver', () => {
  const states = [rule(1, [5, 6]), rule(1, [6, 7]), rule(2)].map(one => stateOf(one, [6]))

  assert.deepEqual(
    states.map(({ left }) => left),
    [0, 0, 1],
  )
  assert.equal(leftInAll(states), 1)
})
