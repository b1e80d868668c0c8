import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { countPassed } from './passed_buffers.ts'

const MB = 1024 * 1024

/** Bytes of buffers, of which V8 has not seen yet that nothing has them. */
const held = () => process.memoryUsage().arrayBuffers

function leaveGarbage(): void {
  for (let count = 0; count < 8; count++) Buffer.alloc(MB, count)
}

// The heap of a server that was quiet may grow by 8 MB before all of it is marked.
test('buffers that have passed are collected before V8 finds its heap grown', async () => {
  const before = held()
  leaveGarbage()
  countPassed(4 * MB)
  assert.ok(await eventually(() => held() < before + 4 * MB, 'the collection'))
})
