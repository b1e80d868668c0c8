import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inNewOrder } from './order.ts'

test('an element is moved after its predecessor or before its successor', () => {
  assert.deepEqual(inNewOrder([1, 2, 3], 1, { move_before_id: 3 }), [2, 3, 1])
  assert.deepEqual(inNewOrder([1, 2, 3], 1, { move_before_id: 2 }), [2, 1, 3])
  assert.deepEqual(inNewOrder([1, 2, 3], 3, { move_after_id: 1 }), [3, 1, 2])
  assert.deepEqual(inNewOrder([1, 2, 3], 3, { move_before_id: 1, move_after_id: 2 }), [1, 3, 2])
  assert.deepEqual(inNewOrder([1, 2, 3], 2, {}), [1, 2, 3])
  assert.deepEqual(inNewOrder([1, 2, 3], 2, { move_after_id: 2 }), [1, 2, 3])
})

test('a neighbour outside of the list is rejected', () => {
  assert.equal(inNewOrder([1, 2, 3], 2, { move_after_id: 4 }), undefined)
})
