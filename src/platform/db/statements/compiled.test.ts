import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { emptyDatabaseUrl } from '../../../../test/database.ts'
import { openDatabase } from '../connection.ts'
import { anyOf } from './any.ts'
import { compiled, compiledPer } from './compiled.ts'
import { recordQueries } from './statements.ts'

const database = await openDatabase({ url: await emptyDatabaseUrl(), poolSize: 2, log: pino({ level: 'silent' }) })
const { db } = database
test.after(() => database.close())

const numbers = (values: readonly number[]) => sql<{ n: number }>`select n from unnest(${values}::int[]) as n`

test('a statement is built once, and asked with the values of each call', async () => {
  let built = 0
  const between = compiled((_db, from: number, values: readonly number[], to: number) => {
    built += 1
    return sql<{ n: number }>`${numbers(values)} where n >= ${from} and n <= ${to} and n <> ${3}`
  })

  const all = await Promise.all([between(db, 2, [1, 2, 3, 4], 9), between(db, 1, [1, 2], 1)])
  const within = await db.transaction().execute(tx => between(tx, 5, [4, 5, 6], 6))

  assert.deepEqual([...all, within], [[{ n: 2 }, { n: 4 }], [{ n: 1 }], [{ n: 5 }, { n: 6 }]])
  assert.equal(built, 1)
})

test('who records statements sees the values, not what stands for them', async () => {
  const one = compiled(
    (_db, values: readonly number[]) => sql<{ n: number }>`select n from unnest(array[1, 2, 3]) as n where n = ${anyOf(values)}`,
  )
  const { result, queries } = await recordQueries(() => one(db, [2]))
  assert.deepEqual(result, [{ n: 2 }])
  assert.deepEqual(
    queries.map(query => query.parameters),
    [[[2]]],
  )
})

test('each shape has a statement of its own', async () => {
  const ordered = compiledPer(
    (sort: 'asc' | 'desc') => (_db, values: readonly number[]) => sql`${numbers(values)} order by n ${sql.raw(sort)}`,
  )
  assert.deepEqual(await ordered(db, 'asc', [2, 1]), [{ n: 1 }, { n: 2 }])
  assert.deepEqual(await ordered(db, 'desc', [2, 1]), [{ n: 2 }, { n: 1 }])
  assert.deepEqual(await ordered(db, 'asc', [4, 3]), [{ n: 3 }, { n: 4 }])
})
