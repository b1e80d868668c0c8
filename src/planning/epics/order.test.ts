import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inNewOrder } from './order.ts'

test('a thing is put behind the one to come before it, or before the one to come after it', () => {
  assert.deepEqual(inNewOrder([1, 2, 3], 1, { move_before_id: 3 }), [2, 3, 1])
  assert.deepEqual(inNewOrder([1, 2, 3], 1, { move_before_id: 2 }), [2, 1, 3])
  assert.deepEqual(inNewOrder([1, 2, 3], 3, { move_after_id: 1 }), [3, 1, 2])
  assert.deepEqual(inNewOrder([1, 2, 3], 3, { move_before_id: 1, move_after_id: 2 }), [1, 3, 2])
  assert.deepEqual(inNewOrder([1, 2, 3], 2, {}), [1, 2, 3])
  assert.deepEqual(inNewOrder([1, 2, 3], 2, { move_after_id: 2 }), [1, 2, 3])
})

test('a neighbour that is elsewhere is none', () => {
  assert.equal(inNewOrder([1, 2, 3], 2, { move_after_id: 4 }), undefined)
})
