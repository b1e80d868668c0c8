import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AnswerRoom } from './answer_room.ts'

const limits = { small: 1, perCaller: 10, anonymous: 12, total: 20 }

test('large answers have a bounded room: of one caller, of those without an account, and in all', () => {
  const room = new AnswerRoom(limits)
  room.take('ip:1', 10)
  assert.throws(() => room.take('ip:1', 2), { status: 429, headers: { 'retry-after': '5' } })
  assert.throws(() => room.take('ip:2', 3), { status: 503, headers: { 'retry-after': '5' } })
  room.take('ip:2', 2)
  const release = room.take('user:1', 6)
  assert.throws(() => room.take('user:2', 3), { status: 503 })
  assert.equal(room.bytes(), 18)

  release()
  room.take('user:2', 8)
  assert.equal(room.bytes(), 20)
})

test('small answers are not counted', () => {
  const room = new AnswerRoom(limits)
  for (let count = 0; count < 100; count += 1) room.take('user:1', 1)
  assert.equal(room.bytes(), 0)
})
