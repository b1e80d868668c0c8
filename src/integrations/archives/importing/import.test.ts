/** Rows of archives in groups. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Row } from '../reading/row.ts'
import { groupsOf } from './import.ts'

async function* rowsOf(bytes: readonly number[]): AsyncGenerator<Row, void, void> {
  for (const each of bytes) yield Row.of({}, 'issues', each)
}

async function sizesOfGroups(bytes: readonly number[]): Promise<number[]> {
  const sizes: number[] = []
  for await (const group of groupsOf(rowsOf(bytes))) sizes.push(group.length)
  return sizes
}

test('a group ends after a hundred rows, or when its lines have 8 MB', async () => {
  const megabyte = 1024 * 1024
  assert.deepEqual(await sizesOfGroups(Array.from({ length: 250 }, () => 10)), [100, 100, 50])
  assert.deepEqual(await sizesOfGroups([24, 24, 3, 3, 3, 1].map(size => size * megabyte)), [1, 1, 3, 1])
})
