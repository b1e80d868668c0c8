/** Digests of streamed bytes. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Digest } from './digest.ts'

const MB = 1024 * 1024
const random = randomBytes(9 * MB)

async function digestOf(bytes: Buffer, piece: number, where?: 'here' | 'thread'): Promise<string> {
  const digest = new Digest(where)
  for (let at = 0; at < bytes.length; at += piece) await digest.update(bytes.subarray(at, at + piece))
  return digest.finish()
}

describe('a digest is right for any number of bytes and any chunks', () => {
  const cases: [size: number, piece: number][] = [
    [0, 1],
    [1, 1],
    [MB, 65_536],
    [MB + 1, 65_536],
    [3 * MB, MB],
    [9 * MB, 65_000],
    [9 * MB, 5 * MB],
  ]
  for (const where of ['here', 'thread', undefined] as const)
    for (const [size, piece] of cases)
      test(`${size} in pieces of ${piece}, ${where ?? 'as the processor is'}`, async () => {
        const bytes = random.subarray(0, size)
        assert.equal(await digestOf(bytes, piece, where), createHash('sha256').update(bytes).digest('hex'))
      })
})

for (const where of ['here', 'thread'] as const)
  test(`concurrent digests ${where} are independent, and a dropped one ends none of the others`, async () => {
    const dropped = new Digest(where)
    await dropped.update(random.subarray(0, 3 * MB))
    const all = Array.from({ length: 12 }, (_, index) => random.subarray(index, 2 * MB + index))

    const digests = Promise.all(all.map(bytes => digestOf(bytes, 100_000, where)))
    dropped.drop()

    assert.deepEqual(
      await digests,
      all.map(bytes => createHash('sha256').update(bytes).digest('hex')),
    )
    dropped.drop()
    await assert.rejects(dropped.finish(), /dropped/)
  })
