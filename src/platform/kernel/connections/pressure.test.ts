/** Requests that come faster than they are answered. The clock is one of the test. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Clock, Pressure } from './pressure.ts'

/** A process whose time passes as the test says. */
function processWith({ hasQueue = false }: { readonly hasQueue?: boolean } = {}) {
  let clock: Clock = { now: 0, idle: 0 }
  const pressure = new Pressure(
    () => hasQueue,
    () => clock,
  )
  const take = () => (pressure.admits() ? pressure.begin() : undefined)
  return {
    take,
    /** So many requests; of these the ones that are taken. */
    takeMany: (count: number) => Array.from({ length: count }, take).filter(release => release !== undefined),
    noteRefusal: () => pressure.noteRefusal(),
    pass(milliseconds: number, { idle = 0 } = {}) {
      clock = { now: clock.now + milliseconds, idle: clock.idle + idle }
    },
  }
}

/** Works for a second, in which a hundred requests are answered. */
function workFor(process: ReturnType<typeof processWith>, seconds: number, answered: number): void {
  for (let moment = 0; moment < seconds * 40; moment++) {
    for (const release of process.takeMany(answered / 40)) release()
    process.pass(25)
  }
}

describe('pressure', () => {
  test('a busy process takes as many requests as it answers in six tenths of a second, and more as soon as some are answered', () => {
    const process = processWith()
    workFor(process, 2, 400)

    const taken = process.takeMany(1_000)

    assert.equal(taken.length, 240)
    for (const release of taken.slice(0, 10)) release()
    assert.equal(process.takeMany(1_000).length, 10)
  })

  test('where more is refused than answered, a busy process takes a third of them, and all of them when it is over', () => {
    const process = processWith()
    const flood = (refused: number) => {
      for (let moment = 0; moment < 80; moment++) {
        for (const release of process.takeMany(10)) release()
        for (let connection = 0; connection < refused; connection++) process.noteRefusal()
        process.pass(25)
      }
    }
    flood(11)
    const taken = process.takeMany(1_000)
    assert.equal(taken.length, 80)
    for (const release of taken) release()

    process.pass(25)
    flood(9)
    assert.equal(process.takeMany(1_000).length, 240)
  })

  test('a slow process that refuses many takes twelve all the same', () => {
    const process = processWith()
    workFor(process, 2, 40)
    process.takeMany(1_000)
    process.pass(25)
    // The hundred are more than may be under way by now.
    assert.equal(process.takeMany(1_000).length, 0)
    process.pass(6_000)
    assert.equal(process.takeMany(1_000).length, 12)
  })

  test('a slow process takes a hundred all the same', () => {
    const process = processWith()
    workFor(process, 2, 40)
    assert.equal(process.takeMany(1_000).length, 100)
  })

  test('a process that waits for others takes any number', () => {
    const process = processWith()
    process.pass(1_000, { idle: 900 })
    assert.equal(process.takeMany(1_000).length, 1_000)
    process.pass(1_000, { idle: 900 })
    assert.equal(process.takeMany(1_000).length, 1_000)
  })

  test('a process whose database has a queue is busy, idle as it is itself', () => {
    const process = processWith({ hasQueue: true })
    for (let moment = 0; moment < 2; moment++) {
      process.pass(25, { idle: 25 })
      process.take()?.()
    }
    process.pass(25, { idle: 25 })
    const taken = process.takeMany(1_000).length
    assert.ok(taken >= 100 && taken < 300, `${taken} were taken`)
  })

  test('a burst on an idle process is bounded by what is assumed of it', () => {
    const process = processWith()
    process.pass(60_000, { idle: 60_000 })
    let taken = 0
    for (let turn = 0; turn < 50; turn++) {
      taken += process.takeMany(50).length
      process.pass(25)
    }
    assert.ok(taken < 300, `${taken} were taken`)
  })

  test('a request that waits by design is not counted for longer than five seconds', () => {
    const process = processWith()
    const waiting = process.takeMany(300)
    assert.equal(waiting.length, 300)
    process.pass(6_000, { idle: 5_900 })
    workFor(process, 2, 400)

    assert.equal(process.takeMany(1_000).length, 240)
    // Their end is nothing that was under way.
    for (const release of waiting) release()
    assert.equal(process.takeMany(1_000).length, 0)
  })
})
