import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testDatabase } from '../../../../test/database.ts'
import type { Db } from '../connection.ts'
import { requestDb } from '../handles.ts'
import { singleFlight } from './single_flight.ts'

const { db } = await testDatabase()

/** A query about a number, `n + time`, whose results the test supplies in the order of the calls. */
function byHand() {
  const asked: { n: number; time: number; answer: () => void; fail: () => void }[] = []
  const ask = singleFlight(
    (n: number, _time: number) => String(n),
    (_db: Db, n: number, time: number) => {
      const answered = Promise.withResolvers<number>()
      asked.push({ n, time, answer: () => answered.resolve(n + time), fail: () => answered.reject(new Error('nobody knows')) })
      return answered.promise
    },
  )
  return { ask, asked }
}

/** Waits until everything has run that depends on nothing external. */
const settled = () => new Promise(resolve => setImmediate(resolve))

test('callers that arrive during a query share the next one, which has the time of the last caller', async () => {
  const { ask, asked } = byHand()
  const first = ask(db, 1, 100)
  await settled()
  const others = [ask(requestDb(db), 1, 200), ask(requestDb(db), 1, 300)]
  await settled()
  assert.equal(asked.length, 1)

  asked[0]!.answer()
  assert.equal(await first, 101)
  await settled()

  assert.deepEqual(
    asked.map(({ n, time }) => [n, time]),
    [
      [1, 100],
      [1, 300],
    ],
  )
  asked[1]!.answer()
  assert.deepEqual(await Promise.all(others), [301, 301])
})

test('nothing is cached: a call after an answer queries again, and a call with another key does not wait', async () => {
  const { ask, asked } = byHand()
  const first = ask(db, 1, 100)
  await settled()
  const other = ask(db, 2, 100)
  await settled()
  assert.equal(asked.length, 2)
  asked[1]!.answer()
  assert.equal(await other, 102)
  asked[0]!.answer()
  await first

  const again = ask(db, 1, 400)
  await settled()
  asked[2]!.answer()

  assert.equal(await again, 401)
})

test('a failed query fails for the callers that share it, and for no later caller', async () => {
  const { ask, asked } = byHand()
  const first = ask(db, 1, 100)
  await settled()
  const next = ask(db, 1, 200)

  asked[0]!.fail()
  await assert.rejects(first, /nobody knows/)
  await settled()
  asked[1]!.answer()

  assert.equal(await next, 201)
})

test('a caller sees everything that was committed before the call, however many calls run concurrently', async () => {
  await sql`create table versions (version integer not null)`.execute(db)
  await sql`insert into versions values (0)`.execute(db)
  let asked = 0
  const version = singleFlight(
    () => 'version',
    async base => {
      asked++
      return (await sql<{ version: number }>`select version from versions`.execute(base)).rows[0]!.version
    },
  )
  const askAfterChange = async () => {
    const { rows } = await sql<{ version: number }>`update versions set version = version + 1 returning version`.execute(db)
    return { written: rows[0]!.version, read: await version(db) }
  }

  const seen = await Promise.all(Array.from({ length: 60 }, askAfterChange))

  assert.deepEqual(
    seen.filter(({ written, read }) => read < written),
    [],
  )
  assert.ok(asked < 60, `asked ${asked} times`)
})

test('a transaction runs its own query and sees its own writes', async () => {
  await sql`create table drafts (title text not null)`.execute(db)
  const count = singleFlight(
    () => 'drafts',
    async base => (await sql<{ count: number }>`select count(*)::integer as count from drafts`.execute(base)).rows[0]!.count,
  )

  const [within, without] = await db.transaction().execute(async tx => {
    await sql`insert into drafts values ('mine')`.execute(tx)
    return Promise.all([count(tx), count(db)])
  })

  assert.deepEqual([within, without], [1, 0])
})
