/** Values of Ruby, compared with the bytes that Ruby 3.1 writes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { specsDocument } from './documents.ts'
import { marshal, marshalList, type RubyValue, symbol } from './marshal.ts'

const hex = (value: RubyValue) => marshal(value).toString('hex')

test('plain values are written as Ruby writes them', () => {
  assert.equal(
    hex(['a', 'ü', null, true, false, 0, 1, 122, 123, 255, 256, 65_536, 2 ** 30 - 1]),
    '04085b1249220661063a064554492207c3bc063b005430544669006906697f69017b6901ff6902000169030000016904ffffff3f',
  )
  assert.ok(hex('x'.repeat(300)).startsWith('04084922022c01787878'))
  for (const value of [-1, 0.5, 2 ** 30]) assert.throws(() => marshal(value), RangeError, `${value}`)
})

test('symbols that come again are named by their number', () => {
  const rows: RubyValue = [
    {
      kind: 'hash',
      pairs: [
        [symbol('name'), 'n'],
        [symbol('number'), '1'],
      ],
    },
    { kind: 'hash', pairs: [[symbol('name'), 'm']] },
  ]
  assert.equal(hex(rows), '04085b077b073a096e616d654922066e063a0645543a0b6e756d62657249220631063b06547b063b004922066d063b0654')
})

test('the index of gems is that of Ruby', async () => {
  const gems = [
    { name: 'thing', version: '1.0', platform: 'ruby' },
    { name: 'thing', version: '2.0', platform: 'java' },
  ]
  assert.equal(
    Buffer.concat(await specsDocument(gems)).toString('hex'),
    '04085b075b0849220a7468696e67063a064554553a1147656d3a3a56657273696f6e5b06492208312e30063b005449220972756279063b0054' +
      '5b0849220a7468696e67063b0054553b065b06492208322e30063b00544922096a617661063b0054',
  )
})

test('a long list is written in pieces, which together are its bytes', async () => {
  const row = (at: number): RubyValue => ({
    kind: 'hash',
    pairs: [
      [symbol('name'), `thing${at}`.repeat(1_000)],
      [symbol('number'), at],
    ],
  })
  const values = Array.from({ length: 100 }, (_, at) => row(at))
  const pieces = await marshalList(values)
  assert.ok(pieces.length > 5)
  assert.ok(Buffer.concat(pieces).equals(marshal(values)))
  assert.ok(Buffer.concat(await marshalList([])).equals(marshal([])))
})

test('other requests are served while a long list is written', async () => {
  const needs = Array.from({ length: 1_000 }, (_, at) => [`thing${at}`, '>= 0'])
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  await marshalList(Array.from({ length: 300 }, () => needs))
  clearInterval(timer)
  assert.ok(turns > 5, `${turns} turns`)
})
