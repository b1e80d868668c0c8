import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intervalOf, intervals, noteWatching } from './watching.ts'

test('a log counts as watched for a minute after it was last read', () => {
  const at = (seconds: number) => new Date(Date.UTC(2021, 5, 1) + seconds * 1000)
  noteWatching(-1, at(0))

  assert.equal(intervalOf(-1, at(60)), intervals.watched)
  noteWatching(-1, at(60))
  assert.equal(intervalOf(-1, at(120)), intervals.watched)
  assert.equal(intervalOf(-1, at(121)), intervals.unwatched)
  assert.equal(intervalOf(-2, at(0)), intervals.unwatched)
})
