/** For tests: a little name server that knows the TXT records that it is given (RFC 1035). */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { atEnd } from '../../../../test/at_end.ts'

const TXT = 16
const SERVER_FAILURE = 2
const NO_NAME = 3

export interface NameServer {
  /** `127.0.0.1:5300` */
  readonly address: string
  /** Texts by name; a name with `fails` gets no answer that says anything. */
  readonly records: Map<string, readonly string[] | 'fails'>
}

/** The name that is asked for, and where its question ends. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] as number; length > 0; length = query[at] as number) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

function answerTo(query: Buffer, records: NameServer['records']): Buffer {
  const { name, end } = questionOf(query)
  const found = records.get(name)
  const texts = Array.isArray(found) ? found : []
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(0x8180 | (found === 'fails' ? SERVER_FAILURE : texts.length > 0 ? 0 : NO_NAME), 2)
  head.writeUInt16BE(texts.length, 6)
  head.writeUInt32BE(0, 8)
  const answers = texts.map(text => {
    const bytes = Buffer.from(text)
    const record = Buffer.alloc(13)
    // The name of the question, by its place.
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(TXT, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(60, 6)
    record.writeUInt16BE(bytes.length + 1, 10)
    record.writeUInt8(bytes.length, 12)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([head, query.subarray(12, end), ...answers])
}

/** Starts a name server, until the file ends. */
export async function startNameServer(): Promise<NameServer> {
  const records: NameServer['records'] = new Map()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => socket.send(answerTo(query, records), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  atEnd(async () => {
    socket.close()
    await once(socket, 'close')
  })
  return { address: `127.0.0.1:${socket.address().port}`, records }
}
