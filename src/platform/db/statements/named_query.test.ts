import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { atEnd } from '../../../../test/at_end.ts'
import { testDatabaseUrl } from '../../../../test/database.ts'
import { types } from '../types.ts'
import { deallocateUnless, queryNamed } from './named_query.ts'

const pool = new pg.Pool({ connectionString: await testDatabaseUrl(), max: 1, types, pipeline: true })
const client = await pool.connect()
atEnd(async () => {
  client.release()
  await pool.end()
})

/** Runs the work and returns the server messages of these kinds that arrived meanwhile. */
async function heard(messages: readonly string[], work: () => Promise<unknown>): Promise<string[]> {
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter }
  const seen: string[] = []
  const listeners = messages.map(message => [message, () => void seen.push(message)] as const)
  for (const [message, listener] of listeners) connection.on(message, listener)
  await work()
  for (const [message, listener] of listeners) connection.off(message, listener)
  return seen
}
const described = (work: () => Promise<unknown>) => heard(['rowDescription', 'noData', 'parseComplete'], work)

const wide = 'select $1::bigint as id, $2::text as name, array[$1::bigint, 2] as ids, now() at time zone $3 is null as never'

test('a named statement is parsed and described once, and has the same rows ever after', async () => {
  const run = async (id: number) => (await queryNamed(client, 'wide', wide, [id, 'Ä', 'UTC'])).rows
  const expected = (id: number) => [{ id, name: 'Ä', ids: [id, 2], never: false }]
  assert.deepEqual(await described(async () => assert.deepEqual(await run(1), expected(1))), ['parseComplete', 'rowDescription'])
  assert.deepEqual(await described(async () => assert.deepEqual(await run(2), expected(2))), [])
})

test('the rows of one execution are not those of another, also where there are none', async () => {
  const series = (to: number) => queryNamed(client, 'series', 'select n from generate_series(1, $1::int) n where n > 0', [to])
  const [two, none, three] = [await series(2), await series(0), await series(3)]
  assert.deepEqual([two.rows.length, none.rows.length, three.rows.length], [2, 0, 3])
  assert.deepEqual([two.rowCount, none.rowCount, three.rowCount], [2, 0, 3])
})

test('a named statement without columns says how many rows it changed', async () => {
  await client.query('create temporary table numbers (n int)')
  const insert = (n: number) => queryNamed(client, 'insert', 'insert into numbers select generate_series(1, $1::int)', [n])
  assert.deepEqual([(await insert(2)).rowCount, (await insert(3)).rowCount], [2, 3])
  assert.deepEqual(await described(() => insert(1)), [])
})

test('a failed statement can run again on the same connection', async () => {
  const divide = (by: number) => queryNamed(client, 'divide', 'select 10 / $1::int as result', [by])
  await assert.rejects(divide(0), { code: '22012' })
  assert.deepEqual((await divide(5)).rows, [{ result: 2 }])
  await assert.rejects(divide(0), { code: '22012' })
  assert.deepEqual((await divide(2)).rows, [{ result: 5 }])
  await assert.rejects(queryNamed(client, 'wrong', 'select nothing from nowhere', []), { code: '42P01' })
  assert.deepEqual((await divide(1)).rows, [{ result: 10 }])
})

test('a value that cannot become text fails that statement alone', async () => {
  const say = (value: unknown) => queryNamed(client, 'say', 'select $1::text as said', [value])
  await say('once')
  const unspeakable = {
    toPostgres() {
      throw new Error('no text')
    },
  }
  await assert.rejects(say(unspeakable), /no text/)
  assert.deepEqual((await say('again')).rows, [{ said: 'again' }])
})

test('concurrent statements on one connection keep their own rows', async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4].map(async n => (await queryNamed(client, 'concurrent', 'select $1::int as n, $1::text as t', [n])).rows),
  )
  assert.deepEqual(
    answers,
    [1, 2, 3, 4].map(n => [{ n, t: String(n) }]),
  )
})

test('after a change of the table the statement fails instead of mixing up columns', async () => {
  await client.query('create temporary table growing (a int); insert into growing values (1)')
  const all = () => queryNamed(client, 'growing', 'select * from growing where a = $1', [1])
  assert.deepEqual((await all()).rows, [{ a: 1 }])
  await client.query('alter table growing add b int default 2')
  await assert.rejects(all(), /cached plan must not change result type/)
})

test('a deallocated name can be used for another statement', async () => {
  await queryNamed(client, 'kept', 'select $1::int as kept', [1])
  await queryNamed(client, 'freed', 'select $1::int as old', [1])
  await deallocateUnless(client, name => name === 'kept')
  const names = (await client.query('select name from pg_prepared_statements')).rows.map(({ name }) => name)
  assert.deepEqual(names, ['kept'])
  assert.deepEqual((await queryNamed(client, 'freed', 'select $1::text as new', ['x'])).rows, [{ new: 'x' }])
})
