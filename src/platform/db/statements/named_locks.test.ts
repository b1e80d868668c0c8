/** Names that transactions lock. */
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { testDatabase } from '../../../../test/database.ts'
import { transact } from '../transact.ts'
import { lockName } from './named_locks.ts'

const { db } = await testDatabase()
const source = join(import.meta.dirname, '../../..')

type Name = readonly [what: string, ...key: (string | number)[]]

/** Does a transaction wait for the first one? Where it does not, it ends. */
async function waits(first: Name, second: Name): Promise<boolean> {
  return transact(db, async one => {
    await lockName(one, ...first)
    const other = transact(db, async two => {
      await sql`set local lock_timeout = '50ms'`.execute(two)
      await lockName(two, ...second)
    })
    return other.then(
      () => false,
      error => {
        assert.match(String(error), /lock timeout/)
        return true
      },
    )
  })
}

test('a transaction waits for another one with the same name, and for no other', async () => {
  assert.equal(await waits(['lamp', 1, 'a'], ['lamp', 1, 'a']), true)
  for (const other of [
    ['lamp', 1, 'b'],
    ['lamp', '1', 'a'],
    ['lamp 1', 'a'],
  ] as const)
    assert.equal(await waits(['lamp', 1, 'a'], other), false, other.join())
})

test('each kind of name is locked in one place, and nothing else of the program takes locks of this kind', async () => {
  const places = new Map<string, string[]>()
  const others: string[] = []
  for await (const file of glob('**/*.ts', { cwd: source })) {
    if (file.endsWith('.test.ts')) continue
    const text = await readFile(join(source, file), 'utf8')
    for (const [, what = ''] of text.matchAll(/lockName\(\w+, '([^']+)'/g)) places.set(what, [...(places.get(what) ?? []), file])
    if (text.includes('pg_advisory_xact_lock') && file !== 'platform/db/statements/named_locks.ts') others.push(file)
  }
  assert.ok(places.size > 10)
  assert.deepEqual(
    [...places].filter(([, files]) => files.length > 1),
    [],
  )
  assert.deepEqual(others, [])
})

/** What lets concurrent transactions that count the same rows wait for each other. */
const lock = /\b(?:forNoKeyUpdate|forUpdate)\(\)|\b(?:lockName|lockLists|nextIid|holderOfEmail)\(/

test('rows that are counted against a limit are counted behind a lock, so that concurrent requests do not pass it', async () => {
  const places: string[] = []
  const open: string[] = []
  for await (const file of glob('**/*.ts', { cwd: source })) {
    const text = file.endsWith('.test.ts') ? '' : await readFile(join(source, file), 'utf8')
    if (!/\bcountAll\b/.test(text)) continue
    for (const { index } of text.matchAll(/ >= MOST\w*\)/g)) {
      const start = Math.max(text.lastIndexOf('\nasync function', index), text.lastIndexOf('\nexport ', index))
      places.push(file)
      if (!lock.test(text.slice(start, index))) open.push(`${file}:${text.slice(0, index).split('\n').length}`)
    }
  }
  assert.ok(places.length > 10, `${places.length}`)
  assert.deepEqual(open, [])
})
