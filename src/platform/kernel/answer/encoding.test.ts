import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Encoding, encodingFor } from './encoding.ts'

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
