import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ObjectId, zeroId } from '../../platform/git/index.ts'
import { takeBack } from './instant_refs.ts'

test('moves are taken back along what led to a value, also in circles', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(letter => letter.repeat(40) as ObjectId) as [ObjectId, ObjectId, ObjectId]
  const ref = 'refs/heads/main'
  const takenBack = (value: ObjectId, made: [ObjectId, ObjectId][], pending: [ObjectId, ObjectId][] = []) => {
    const refs = new Map(value === zeroId ? [] : [[ref, value]])
    const moves = (all: [ObjectId, ObjectId][]) => all.map(([old, to]) => ({ ref, old, new: to }))
    takeBack(refs, { made: moves(made), pending: moves(pending) })
    return refs.get(ref)
  }
  assert.equal(
    takenBack(c, [
      [a, b],
      [b, c],
    ]),
    a,
  )
  assert.equal(
    takenBack(c, [
      [b, c],
      [a, b],
    ]),
    a,
  )
  assert.equal(
    takenBack(b, [
      [a, b],
      [b, a],
      [a, b],
    ]),
    a,
  )
  assert.equal(
    takenBack(a, [
      [a, b],
      [b, a],
    ]),
    a,
  )
  assert.equal(takenBack(zeroId, [[a, zeroId]]), a)
  assert.equal(takenBack(a, [[zeroId, a]]), undefined)
  assert.equal(takenBack(b, [], [[a, b]]), a)
  assert.equal(takenBack(a, [], [[a, b]]), a)
})
