import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testDatabase } from '../../../test/database.ts'

const { db } = await testDatabase()

/** The value of a SQL expression as our connections read it. */
async function read(expression: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(db)
  return rows[0]!.value
}

const cases: [expression: string, value: unknown][] = [
  ["timestamptz '2021-06-01 12:00:00Z'", '2021-06-01T12:00:00.000Z'],
  ["timestamptz '2021-06-01 12:00:00.1Z'", '2021-06-01T12:00:00.100Z'],
  ["timestamptz '2021-06-01 12:00:00.045Z'", '2021-06-01T12:00:00.045Z'],
  ["timestamptz '2021-06-01 12:00:00.123999Z'", '2021-06-01T12:00:00.123Z'],
  ["timestamptz '2021-06-01 14:00:00+02'", '2021-06-01T12:00:00.000Z'],
  ["timestamp '2021-06-01 12:00:00.5'", '2021-06-01T12:00:00.500Z'],
  ["array[timestamptz '2021-06-01 12:00:00Z', null]", ['2021-06-01T12:00:00.000Z', null]],
  ["date '2021-06-01'", '2021-06-01'],
  ["array[date '2021-06-01']", ['2021-06-01']],
  ['9007199254740991::bigint', Number.MAX_SAFE_INTEGER],
  ['-1::bigint', -1],
  ['array[1, 2]::bigint[]', [1, 2]],
  ["'{}'::bigint[]", []],
  ['(select count(*) from users)', 0],
  ['12.50::numeric', 12.5],
  [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
  ["array['a,b', 'c\"d']", ['a,b', 'c"d']],
  ['null::timestamptz', null],
]

for (const [expression, value] of cases) {
  test(`${expression} is read as ${JSON.stringify(value)}`, async () => {
    assert.deepEqual(await read(expression), value)
  })
}

for (const expression of [
  '9007199254740993::bigint',
  "timestamptz 'infinity'",
  "timestamptz '0044-03-15 12:00:00Z BC'",
  "timestamptz '12021-06-01'",
]) {
  test(`${expression} is an error rather than a wrong value`, async () => {
    await assert.rejects(read(expression), RangeError)
  })
}

test('a moment written as a Date is read back the same', async () => {
  const moment = new Date('2021-06-01T12:00:00.123Z')
  const { rows } = await sql<{ value: string }>`select ${moment}::timestamptz as value`.execute(db)
  assert.equal(rows[0]!.value, moment.toISOString())
})
