import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { type Encoding, encodedFor, encodingFor, forOneAnswer } from './encoding.ts'

const cases: readonly [string | undefined, Encoding][] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=1.0, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0.2, gzip;q=0.5', 'gzip'],
  ['deflate', 'identity'],
  ['gzip;q=nonsense', 'gzip'],
]

for (const [header, encoding] of cases)
  test(`Accept-Encoding ${JSON.stringify(header)} is answered with ${encoding}`, () => assert.equal(encodingFor(header), encoding))

test('the memory of bytes that were made for one answer is given back once they are compressed, that of others never', async () => {
  const text = '<p>light</p>'.repeat(10_000)
  const own = forOneAnswer(Buffer.from(text))
  const { body } = await encodedFor('br', own)
  assert.equal(own.length, 0)
  assert.equal(String(brotliDecompressSync(body)), text)

  const kept = Buffer.from(text)
  await encodedFor('br', kept)
  assert.equal(String(kept), text)

  // Uncompressed they are the answer.
  const plain = await encodedFor('identity', forOneAnswer(Buffer.from(text)))
  assert.equal(String(plain.body), text)

  // A part of memory that has others beside it.
  const both = Buffer.from(text + text)
  await encodedFor('gzip', forOneAnswer(both.subarray(text.length)))
  assert.equal(String(both), text + text)
})
