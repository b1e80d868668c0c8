import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EarlierPipeline, followBack } from './failing_since.ts'

const pipeline = (id: number) => ({ id, created_at: `2021-06-${String(id).padStart(2, '0')}T00:00:00Z` })

/** A pipeline with what failed in the suite `unit`; undefined: it did not run it. */
const earlier = (id: number, failed?: readonly string[]): EarlierPipeline => ({
  pipeline: pipeline(id),
  suites: new Set(failed ? ['unit'] : ['lint']),
  failed: new Set((failed ?? []).map(name => `unit\0C\0${name}`)),
})

test('a failure is followed back to the first pipeline of its row, over those that did not run its suite', () => {
  const pipelines = [earlier(9, ['a', 'b']), earlier(8), earlier(7, ['a', 'b']), earlier(6, ['b']), earlier(5, ['a', 'b'])]
  const sinceOf = followBack(pipeline(10), pipelines, { isCut: false })
  const since = (name: string, suite = 'unit', classname: string | null = 'C') => {
    const found = sinceOf(suite, { name, classname })
    return found && [found.first.id, found.count, found.isOpen]
  }

  assert.deepEqual(since('a'), [7, 3, false])
  assert.deepEqual(since('b'), [5, 5, false])
  assert.deepEqual(since('c'), [10, 1, false])
  assert.deepEqual(since('a', 'unit', null), [10, 1, false], 'a test of another class is another one')
  assert.deepEqual(since('a', 'lint'), [10, 1, false])
  assert.equal(since('a', 'browser'), undefined, 'nothing is known of a suite that no earlier pipeline has run')
})

test('a failure in all pipelines that were looked at may be older', () => {
  const sinceOf = followBack(pipeline(3), [earlier(2, ['a']), earlier(1, ['a'])], { isCut: true })

  assert.deepEqual(sinceOf('unit', { name: 'a', classname: 'C' }), { first: pipeline(1), count: 3, isOpen: true })
  assert.equal(sinceOf('unit', { name: 'b', classname: 'C' })?.isOpen, false)
})
