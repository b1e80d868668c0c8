import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesExcept } from './changes.ts'

test('what was never set and is sent empty by a form is no change; what was set and is taken away is one', () => {
  const before = { template: null, notices: null, topics: 'lamps', enabled: true, limit: null }
  const after = { template: '', notices: false, topics: '', enabled: false, limit: 0 }

  assert.deepEqual(changesExcept(before, after, []), {
    topics: { from: 'lamps', to: '' },
    enabled: { from: true, to: false },
    limit: { from: null, to: 0 },
  })
})
