import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxPayload, PktReader, pktLine, sideband, splitPkts } from './pkt-line.ts'

const table: readonly [string, string][] = [
  ['', '0004'],
  ['a', '0005a'],
  ['a\n', '0006a\n'],
  ['foobar\n', '000bfoobar\n'],
  ['ü', '0006ü'],
]

test('payloads are framed by their length in bytes', () => {
  for (const [payload, framed] of table) {
    assert.equal(pktLine(payload).toString(), framed)
    assert.deepEqual(splitPkts(Buffer.from(framed)).pkts, [{ type: 'data', payload: Buffer.from(payload) }])
  }
  assert.equal(pktLine(Buffer.alloc(maxPayload)).length, 65_520)
  assert.throws(() => pktLine(Buffer.alloc(maxPayload + 1)), { kind: 'invalid' })
})

test('packets are taken out of a buffer as far as they are whole', () => {
  const { pkts, rest } = splitPkts(Buffer.from('0005a00000001000200'))
  assert.deepEqual(
    pkts.map(({ type }) => type),
    ['data', 'flush', 'delimiter', 'end'],
  )
  assert.equal(rest.toString(), '00')
})

test('what is not a length is refused', () => {
  for (const text of ['0003', 'xyz!', '-001', 'ffff', 'fff1'])
    assert.throws(() => splitPkts(Buffer.from(`${text}....`)), { kind: 'invalid' }, text)
})

test('long data is cut into several side-band packets', () => {
  const data = Buffer.alloc(maxPayload * 2, 'x')
  const { pkts, rest } = splitPkts(sideband(1, data))
  assert.equal(rest.length, 0)
  assert.equal(pkts.length, 3)
  const payloads = pkts.map(pkt => (pkt.type === 'data' ? pkt.payload : assert.fail()))
  assert.ok(payloads.every(payload => payload[0] === 1))
  assert.deepEqual(Buffer.concat(payloads.map(payload => payload.subarray(1))), data)
})

async function* bytewise(text: string): AsyncGenerator<Buffer> {
  for (const byte of Buffer.from(text)) yield Buffer.from([byte])
}

test('a reader takes packets from the head of a stream, however it is cut, and hands over the rest', async () => {
  const reader = new PktReader(bytewise('0006hi00000005!PACK rest'))
  assert.deepEqual(await reader.next(), { type: 'data', payload: Buffer.from('hi') })
  assert.deepEqual(await reader.next(), { type: 'flush' })
  assert.deepEqual(await reader.next(), { type: 'data', payload: Buffer.from('!') })
  const rest: Buffer[] = []
  for await (const chunk of reader.rest()) rest.push(chunk)
  assert.equal(Buffer.concat(rest).toString(), 'PACK rest')
})

test('a stream that ends between packets is over, one that ends within a packet is broken', async () => {
  assert.equal(await new PktReader(bytewise('')).next(), undefined)
  await assert.rejects(new PktReader(bytewise('00')).next(), { kind: 'invalid' })
  await assert.rejects(new PktReader(bytewise('0009ab')).next(), { kind: 'invalid' })
})
