/** Limits that processes have in common, over a channel like that between two processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymous } from '../../platform/access/actor.ts'
import { Refusal } from '../../platform/kernel/errors.ts'
import { RateLimiter } from '../../platform/kernel/request/rate_limit.ts'
import { Calls } from './calls.ts'
import { limitsThere, type SharedLimits, sharedLimits } from './shared_limits.ts'

const limits = { anonymous: 3, authenticated: 3, signIn: 3 }

/** Another process of the port. */
function joined(shared: SharedLimits) {
  const held = shared.forProcess()
  /** What is sent is JSON, as between processes. */
  const over = (to: () => Calls) => (message: object) => queueMicrotask(() => to().heard(JSON.parse(JSON.stringify(message))))
  const first: Calls = new Calls(
    over(() => other),
    held.callable,
  )
  const other: Calls = new Calls(
    over(() => first),
    {},
  )
  const limiter = new RateLimiter(limits, limitsThere(other))
  return { limiter, ask: (name: string, ...given: readonly unknown[]) => other.call(name, ...given), end: held.end }
}

const statusOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 200,
    error => (error instanceof Refusal ? error.status : error),
  )

test('requests to any process count together, and those who are refused are known to all', async () => {
  const shared = sharedLimits()
  const here = new RateLimiter(limits, shared.parts)
  const [one, other] = [joined(shared).limiter, joined(shared).limiter]
  const ask = (limiter: RateLimiter) => statusOf(limiter.request(anonymous, '192.0.2.1'))

  const statuses = [await ask(here), await ask(one), await ask(other), await ask(one), await ask(here)]

  assert.deepEqual(statuses, [200, 200, 200, 429, 429])
  assert.deepEqual(await statusOf(one.request(anonymous, '192.0.2.2')), 200)
  for (const limiter of [here, one, other]) {
    const [refused] = await limiter.refused(new Date())
    assert.deepEqual([refused?.limit, refused?.caller], ['anonymous', 'ip:192.0.2.1'])
  }
})

test('what is refused says when to come again, as in a process that counts for itself', async () => {
  const shared = sharedLimits()
  new RateLimiter(limits, shared.parts)
  const { limiter: there } = joined(shared)
  for (let index = 0; index < 3; index++) await there.signIn('192.0.2.1')
  await assert.rejects(there.signIn('192.0.2.1'), (error: Refusal) => {
    assert.deepEqual([error.status, error.headers['ratelimit-limit'], error.headers['ratelimit-remaining']], [429, '3', '0'])
    assert.ok(Number(error.headers['retry-after']) > 0)
    return true
  })
  await there.forgiveSignIn('192.0.2.1')
  await assert.rejects(there.signIn('192.0.2.1'))
  assert.equal(await statusOf(there.signIn('192.0.2.2')), 200)
})

test('slots are those of all processes, and those of a process that has ended are free', async () => {
  const shared = sharedLimits()
  const one = joined(shared)
  const other = joined(shared)
  const { perCaller } = other.limiter.slots.live
  const going = new AbortController()
  const enter = ({ limiter }: typeof one) => limiter.enter('live', { actor: anonymous, ip: '192.0.2.1', signal: going.signal })
  const releases = await Promise.all(Array.from({ length: perCaller }, (_, index) => enter(index % 2 === 0 ? one : other)))

  assert.equal(await statusOf(enter(one)), 429)
  releases[1]?.()
  assert.equal(await statusOf(enter(one)), 200)
  assert.equal(await statusOf(enter(other)), 429)
  one.end()
  assert.equal(await statusOf(enter(other)), 200)
})

test('a client that goes while it waits takes no slot', async () => {
  const shared = sharedLimits()
  const here = new RateLimiter(limits, shared.parts)
  const { limiter } = joined(shared)
  const from = { actor: anonymous, ip: '192.0.2.1', signal: new AbortController().signal }
  const releases = await Promise.all(Array.from({ length: here.slots.heavy.perCaller }, () => here.enter('heavy', from)))
  const going = new AbortController()
  const waiting = statusOf(limiter.enter('heavy', { ...from, signal: going.signal }))
  await new Promise(resolve => setImmediate(resolve))
  going.abort()
  assert.equal(await waiting, 429)
  releases[0]?.()
  assert.equal(await statusOf(limiter.enter('heavy', from)), 200)
})

test('only what is meant for it can be called from another process', async () => {
  const shared = sharedLimits()
  new RateLimiter(limits, shared.parts)
  const { ask } = joined(shared)
  await assert.rejects(ask('constructor'), /nothing to call as constructor/)
  await assert.rejects(ask('count', 'anonymous', 'constructor', []), /no count anonymous that could be asked to constructor/)
  await assert.rejects(ask('count', 'constructor', 'get', ['ip:192.0.2.1']), /no count constructor/)
})
