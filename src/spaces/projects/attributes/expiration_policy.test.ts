import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicy, type ExpirationPolicy, mergedPolicy, nextRunOf } from './expiration_policy.ts'

const monday = new Date('2021-02-01T10:00:00Z')

test('an enabled policy runs one cadence later, a disabled one never', () => {
  assert.equal(defaultPolicy.next_run_at, null)
  for (const [cadence, next] of [
    ['1d', '2021-02-02'],
    ['7d', '2021-02-08'],
    ['14d', '2021-02-15'],
    ['1month', '2021-03-01'],
    ['3month', '2021-05-01'],
  ] as const)
    assert.equal(mergedPolicy(defaultPolicy, { enabled: true, cadence }, monday).next_run_at, `${next}T10:00:00.000Z`)
  const on = mergedPolicy(defaultPolicy, { enabled: true }, monday)
  assert.equal(mergedPolicy(on, { enabled: false }, monday).next_run_at, null)
})

test('other changes leave the next run unchanged; a new cadence restarts it', () => {
  const on = mergedPolicy(defaultPolicy, { enabled: true, cadence: '7d' }, monday)
  const thursday = new Date('2021-02-04T12:00:00Z')
  assert.equal(mergedPolicy(on, { keep_n: 5 }, thursday).next_run_at, on.next_run_at)
  assert.equal(mergedPolicy(on, { cadence: '1d' }, thursday).next_run_at, '2021-02-05T12:00:00.000Z')
})

test('the next run is the first future one of the cadence', () => {
  const next = (cadence: ExpirationPolicy['cadence'], now: string) =>
    nextRunOf(mergedPolicy(defaultPolicy, { enabled: true, cadence }, monday), new Date(now))
  assert.equal(next('7d', '2021-02-03T00:00:00Z'), '2021-02-08T10:00:00.000Z')
  assert.equal(next('7d', '2021-02-08T10:00:00Z'), '2021-02-15T10:00:00.000Z')
  assert.equal(next('1d', '2023-06-01T09:00:00Z'), '2023-06-01T10:00:00.000Z')
  assert.equal(next('1month', '2022-01-15T00:00:00Z'), '2022-02-01T10:00:00.000Z')
  assert.equal(next('3month', '2031-01-15T00:00:00Z'), '2031-02-01T10:00:00.000Z')
  assert.equal(nextRunOf(defaultPolicy, monday), null)
})
