import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestCase } from './junit.ts'
import { compareSuites } from './test_comparison.ts'
import type { TestSuite } from './test_reports.ts'

const suite = (name: string, statuses: Readonly<Record<string, TestCase['status']>>, suite_error: string | null = null): TestSuite => ({
  name,
  job_ids: [],
  success_count: 0,
  failed_count: 0,
  skipped_count: 0,
  error_count: 0,
  total_time: 0,
  suite_error,
  cases: Object.entries(statuses).map(([of, status]) => ({
    status,
    name: of,
    classname: 'C',
    file: null,
    execution_time: 0,
    system_output: 'said',
    stack_trace: null,
  })),
})

const names = (cases: { readonly first: readonly { readonly name: string }[] }) => cases.first.map(({ name }) => name)

test('tests are compared with those of the same suite, by class and name', () => {
  const compared = compareSuites(
    [
      suite('rspec', { new: 'failed', still: 'error', fixed: 'success', skipped: 'skipped', good: 'success' }),
      suite('jest', { still: 'failed' }, 'truncated'),
    ],
    [suite('rspec', { still: 'failed', fixed: 'error', skipped: 'failed', removed: 'failed', new: 'success' })],
  )
  assert.deepEqual([compared.total, compared.failed], [6, 3])
  assert.deepEqual(names(compared.newlyFailed), ['new', 'still'])
  assert.deepEqual(names(compared.stillFailing), ['still'])
  assert.deepEqual(names(compared.fixed), ['fixed'])
  assert.deepEqual([compared.fixed.first[0]?.output, compared.stillFailing.first[0]?.output], [null, 'said'])
  assert.deepEqual(compared.errors, [{ suite: 'jest', says: 'truncated' }])
})

test('of many failures all are counted, and some shown', () => {
  const { newlyFailed } = compareSuites([suite('a', Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`t${at}`, 'failed'])))], [])
  assert.deepEqual([newlyFailed.count, newlyFailed.first.length], [90, 50])
})
