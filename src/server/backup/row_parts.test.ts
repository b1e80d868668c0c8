import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partsOfRows } from './row_parts.ts'

const rows = Array.from({ length: 20_000 }, (_, id) => `${id}\tname ${id * 7919}\t${'x'.repeat(id % 90)}\n`)

/** Parts of these rows, which come in pieces of this size. */
async function partsOf(texts: readonly string[], piece = 10_007): Promise<string[]> {
  const all = Buffer.from(texts.join(''))
  async function* pieces() {
    for (let at = 0; at < all.length; at += piece) yield all.subarray(at, at + piece)
  }
  const parts: string[] = []
  for await (const part of partsOfRows(pieces())) parts.push(part.toString())
  return parts
}

test('parts are whole rows, all of them in their order, however they come', async () => {
  const parts = await partsOf(rows)

  assert.equal(parts.join(''), rows.join(''))
  assert.ok(parts.every(part => part.endsWith('\n')))
  assert.ok(parts.length > 5)
  assert.deepEqual(await partsOf(rows, 11), parts)
  assert.deepEqual(await partsOf([]), [])
})

test('rows that were changed, added and removed change the parts around them, and no other', async () => {
  const before = new Set(await partsOf(rows))
  const changed = rows.with(3_000, 'another\n').toSpliced(9_000, 1).toSpliced(15_000, 0, 'an added one\n')

  const added = (await partsOf(changed)).filter(part => !before.has(part))

  assert.ok(added.length > 0 && added.length <= 6, `${added.length} of ${before.size}`)
})

test('rows of one kind, or a row without an end, make parts that fit into memory', async () => {
  const alike = await partsOf(Array.from({ length: 100_000 }, () => `${'y'.repeat(99)}\n`))
  const [long, ...others] = await partsOf(['z'.repeat(6_000_000), '\n'])

  assert.ok(alike.every(part => part.length <= 4 * 1024 * 1024 + 100))
  assert.deepEqual([long!.length, others], [6_000_001, []])
})
