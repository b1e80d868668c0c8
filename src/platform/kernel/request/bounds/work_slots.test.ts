import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../errors.ts'
import { gitLimits, type WorkLimits, WorkSlots } from './work_slots.ts'

const { signal } = new AbortController()

const slotsWith = (limits: Partial<WorkLimits>) => new WorkSlots({ ...gitLimits, reserved: 0, ...limits })

const refusedWith = (status: number) => (error: unknown) =>
  error instanceof Refusal && error.status === status && Number(error.headers['retry-after']) > 0

test('a caller has a number of slots, waits for one of them, and is refused where too many wait', async () => {
  const slots = slotsWith({ perCaller: 2, total: 10, waiting: 1, patience: 10_000 })
  const [release] = await Promise.all([slots.enter('a', signal), slots.enter('a', signal)])
  let hasEntered = false
  const third = slots.enter('a', signal).then(free => {
    hasEntered = true
    return free
  })

  await assert.rejects(slots.enter('a', signal), refusedWith(429))
  const other = await slots.enter('b', signal)
  assert.equal(hasEntered, false)
  release()
  ;(await third)()
  other()
})

test('in all there are so many, and one caller with many requests does not hold up another', async () => {
  const slots = slotsWith({ perCaller: 1, total: 2, waiting: 5, patience: 10_000 })
  const [one, other] = await Promise.all([slots.enter('a', signal), slots.enter('b', signal)])
  const order: string[] = []
  const waiting = ['a', 'a', 'c'].map(async caller => {
    const release = await slots.enter(caller, signal)
    order.push(caller)
    return release
  })
  // Given back twice counts once.
  other()
  other()
  ;(await (waiting[2] as Promise<() => void>))()

  assert.deepEqual(order, ['c'])
  one()
  ;(await (waiting[0] as Promise<() => void>))()
  ;(await (waiting[1] as Promise<() => void>))()
})

test('callers without an account leave places in the queue to the others', async () => {
  const slots = slotsWith({ perCaller: 1, total: 1, waiting: 5, queue: 4, patience: 10_000 })
  const release = await slots.enter('a', signal)
  const gone = new AbortController()
  const strangers = [1, 2, 3].map(network => slots.enter(`ip:${network}`, gone.signal))

  await assert.rejects(slots.enter('ip:4', signal), refusedWith(503))
  const person = slots.enter('b', signal)
  gone.abort()
  for (const stranger of strangers) await assert.rejects(stranger, refusedWith(503))
  release()
  ;(await person)()
})

test('nobody waits long, nor longer than the client does', async () => {
  const slots = slotsWith({ perCaller: 1, total: 1, waiting: 5, patience: 20 })
  const release = await slots.enter('a', signal)
  const gone = new AbortController()
  const abandoned = slots.enter('b', gone.signal)
  gone.abort()

  await assert.rejects(abandoned, refusedWith(503))
  await assert.rejects(slots.enter('b', signal), refusedWith(503))
  await assert.rejects(slots.enter('a', signal), refusedWith(429))
  release()
  ;(await slots.enter('b', signal))()
})

test('some slots are kept for callers who have none, however many the others ask for', async () => {
  const slots = slotsWith({ perCaller: 10, total: 4, reserved: 2, waiting: 5, patience: 20 })
  const [first, second] = [await slots.enter('a', signal), await slots.enter('a', signal)]

  await assert.rejects(slots.enter('a', signal), refusedWith(503))
  const other = await slots.enter('b', signal)
  await assert.rejects(slots.enter('b', signal), refusedWith(503))
  for (const release of [first, second, other]) release()
})

test('callers without an account leave the kept slots to those with one, from however many addresses they come', async () => {
  const slots = slotsWith({ perCaller: 10, total: 4, reserved: 2, waiting: 5, patience: 20 })
  const [first, second] = [await slots.enter('ip:1', signal), await slots.enter('ip:2', signal)]

  await assert.rejects(slots.enter('ip:3', signal), refusedWith(503))
  const others = [await slots.enter('user:1', signal), await slots.enter('user:2', signal)]
  first()
  others[0]?.()
  const third = await slots.enter('ip:3', signal)
  for (const release of [second, third, ...others]) release()
})

test('the queue of all callers has an end', async () => {
  const slots = slotsWith({ perCaller: 1, total: 1, waiting: 5, queue: 2, patience: 10_000 })
  const release = await slots.enter('a', signal)
  const waiting = ['b', 'c'].map(caller => slots.enter(caller, signal))

  await assert.rejects(slots.enter('d', signal), refusedWith(503))
  release()
  ;(await (waiting[0] as Promise<() => void>))()
  ;(await (waiting[1] as Promise<() => void>))()
})

test('of those who wait, the caller who had no slot for the longest time is next', async () => {
  const slots = slotsWith({ perCaller: 1, total: 1, waiting: 5, patience: 10_000 })
  const order: string[] = []
  const work = async (caller: string) => {
    const release = await slots.enter(caller, signal)
    order.push(caller)
    setImmediate(release)
  }

  await Promise.all(['a', 'a', 'a', 'b', 'b', 'c'].map(work))

  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a'])
})
