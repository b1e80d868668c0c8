import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pace } from './transfer.ts'

test('a transfer has to bring so many bytes in each window; one that begins slowly is not given up before its first ends', () => {
  const isFast = pace({ bytes: 100, window: 10 }, 0)
  assert.deepEqual(
    [isFast(1, 5), isFast(99, 10), isFast(0, 19), isFast(120, 21), isFast(90, 31), isFast(500, 60)],
    [true, true, true, true, false, true],
  )
})
