/** Attacks on the HTTP server below its endpoints, over raw connections. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { eventually } from '../../../../test/eventually.ts'
import { openScene, type Scene } from '../../../../test/scene.ts'

const scene = await openScene({ settings: { stallTimeout: '1' } })
const bounded = await openScene({ settings: { connectionsPerAddress: '20', connections: '30' } })

interface Raw {
  readonly socket: Socket
  /** What came until the server closed the connection. */
  readonly answer: Promise<string>
}

function open({ url }: Scene, localAddress = '127.0.0.1'): Raw {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  socket.on('error', () => {})
  return { socket, answer: new Promise(resolve => socket.once('close', () => resolve(text))) }
}

const head = (lines: readonly string[]) => `${['POST /api/v4/markdown HTTP/1.1', 'host: localhost', ...lines].join('\r\n')}\r\n\r\n`
const json = 'content-type: application/json'

/** Writes pieces of a text in turn until all are sent or the connection closes. */
async function drip({ socket }: Raw, piece: string, milliseconds: number, times: number): Promise<void> {
  for (let sent = 0; sent < times && socket.writable; sent++) {
    socket.write(piece)
    await pause(milliseconds)
  }
}

test('the next request on a connection is answered, also where most of the body before it was not read', async () => {
  const part = (nth: number) =>
    `--x\r\ncontent-disposition: form-data; name="f${nth}"; filename="f"\r\n\r\n${'a'.repeat(nth < 25 ? 1 : 2_000_000)}\r\n`
  const body = `${Array.from({ length: 26 }, (_, nth) => part(nth)).join('')}--x--\r\n`
  const raw = open(bounded)
  raw.socket.write(`${head(['content-type: multipart/form-data; boundary=x', `content-length: ${body.length}`])}${body}`)
  raw.socket.write('GET /-/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')

  const statuses = (await raw.answer).match(/HTTP\/1\.1 \d+/g)

  assert.deepEqual(statuses, ['HTTP/1.1 400', 'HTTP/1.1 200'])
})

describe('a client that lets the server wait', () => {
  for (const [what, lines, piece] of [
    ['of a known length', [json, 'content-length: 100000'], ' '],
    ['in chunks', [json, 'transfer-encoding: chunked'], '1\r\n \r\n'],
    ['of a form with files', ['content-type: multipart/form-data; boundary=x', 'content-length: 100000'], '-'],
  ] as const)
    test(`for its body ${what} is answered 408`, async () => {
      const raw = open(scene)
      raw.socket.write(head(lines))
      const began = performance.now()

      await drip(raw, piece, 100, 150)

      assert.match(await raw.answer, /^HTTP\/1\.1 408 Request Timeout\r\n/)
      assert.ok(performance.now() - began < 10_000)
    })

  test('for the body of a request that was refused already is cut off too', async () => {
    const raw = open(scene)
    raw.socket.write(head([json, 'content-length: 100000', 'private-token: wrong-wrong-wrong-wrong']))

    await drip(raw, ' ', 100, 150)

    assert.match(await raw.answer, /^HTTP\/1\.1 401 Unauthorized\r\n/)
  })

  test('for the headers of its request is answered 408', async () => {
    const raw = open(scene)
    raw.socket.write('GET /-/health HTTP/1.1\r\nhost: localhost\r\nx-slow: ')

    await drip(raw, 'a', 100, 150)

    assert.match(await raw.answer, /^HTTP\/1\.1 408 Request Timeout\r\n/)
  })

  test('with a connection on which nothing comes is cut off', async () => {
    const raw = open(scene)

    assert.match(await raw.answer, /^(HTTP\/1\.1 408 .*|)$/s)
  })
})

test('a client that reads nothing of its answers is cut off', async () => {
  const reader = await openScene({ settings: { stallTimeout: '1' } })
  const { socket } = open(reader)
  socket.pause()
  // More than the buffers of both systems hold.
  socket.write('GET /api/v4/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(20))
  const connections = () => promisify(reader.app.server.getConnections.bind(reader.app.server))()
  await eventually(async () => (await connections()) === 1, 'the connection')

  await eventually(async () => (await connections()) === 0, 'the end of the connection')
  socket.destroy()
})

test('a body may take long while bytes flow', async () => {
  const raw = open(scene)
  const text = JSON.stringify({ text: '**long**' })
  raw.socket.write(head([json, 'connection: close', `content-length: ${text.length + 25 * 4096}`]))

  await drip(raw, ' '.repeat(4096), 100, 25)
  raw.socket.write(text)

  assert.match(await raw.answer, /^HTTP\/1\.1 201 Created\r\n/)
})

describe('connections on which nothing happens', () => {
  test('keep out nobody else of their address, and nobody of another', async () => {
    const idle = Array.from({ length: 20 }, () => open(bounded))
    const elsewhere = Array.from({ length: 10 }, (_, index) => open(bounded, `127.0.0.${index + 2}`))
    const raws = [...idle, ...elsewhere]
    try {
      await Promise.all(raws.map(({ socket }) => new Promise(resolve => socket.once('connect', resolve))))
      const tooMany = open(bounded)
      assert.match(await tooMany.answer, /^HTTP\/1\.1 429 Too Many Requests\r\n.*retry-after: 10\r\n/s)
      const full = open(bounded, '127.0.0.99')
      assert.match(await full.answer, /^HTTP\/1\.1 503 Service Unavailable\r\n.*retry-after: 10\r\n/s)

      for (const from of ['127.0.0.1', '127.0.0.99'])
        await eventually(async () => {
          const { socket, answer } = open(bounded, from)
          socket.write('GET /-/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
          return /^HTTP\/1\.1 200 OK\r\n/.test(await answer)
        }, `an answer to ${from}`)
      // The one that made room had sent nothing yet, and hears that it must come again.
      assert.match(await Promise.race(raws.map(({ answer }) => answer)), /^HTTP\/1\.1 503 Service Unavailable\r\n.*retry-after: 10\r\n/s)
    } finally {
      for (const { socket } of raws) socket.destroy()
    }
  })
})

describe('a client that is refused', () => {
  test('while it sends a request sees the answer, and nothing of the request is done', async () => {
    const taken = Array.from({ length: 30 }, (_, index) => open(bounded, `127.0.0.${(index % 3) + 2}`))
    try {
      await Promise.all(taken.map(({ socket }) => new Promise(resolve => socket.once('connect', resolve))))
      const name = 'made-by-one-who-was-refused'
      const body = JSON.stringify({ name, description: 'x'.repeat(1_000_000) })
      const { socket, answer } = open(bounded, '127.0.0.99')
      const lines = [
        'POST /api/v4/projects HTTP/1.1',
        'host: localhost',
        json,
        `private-token: ${bounded.root.token}`,
        `content-length: ${body.length}`,
      ]

      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)

      assert.match(await answer, /^HTTP\/1\.1 503 Service Unavailable\r\n.*"503 Service Unavailable"}$/s)
      for (const { socket: other } of taken) other.destroy()
      await eventually(
        async () => (await bounded.root.get('/projects', { search: name })).body.length === 0,
        'an answer without such a project',
      )
    } finally {
      for (const { socket } of taken) socket.destroy()
    }
  })
})

describe('headers', () => {
  const get = async (world: Scene, path: string, lines: readonly string[]) => {
    const { socket, answer } = open(world)
    socket.write(`${[`GET ${path} HTTP/1.1`, 'host: localhost', 'connection: close', ...lines].join('\r\n')}\r\n\r\n`)
    return (await answer).split('\r\n')[0]
  }
  const many = (count: number) => Array.from({ length: count }, (_, index) => `x-${index}: 1`)

  test('may not be longer than 32 KiB in all, nor more than 200', async () => {
    const [right, wrong] = ['HTTP/1.1 200 OK', 'HTTP/1.1 431 Request Header Fields Too Large']

    assert.equal(await get(scene, '/-/health', [`cookie: ${'a'.repeat(16 * 1024)}`, ...many(150)]), right)
    assert.equal(await get(scene, '/-/health', [`cookie: ${'a'.repeat(40 * 1024)}`]), wrong)
    assert.equal(await get(scene, '/-/health', many(220)), wrong)
    assert.equal(await get(scene, '/-/health', many(20_000)), wrong)
  })

  test('leave room for an address that is too long, which is 414 at any length (decision 16)', async () => {
    for (const length of [65, 90, 127, 300, 900])
      assert.equal(
        await get(scene, `/api/v4/projects?search=${'a'.repeat(length * 1024)}`, []),
        'HTTP/1.1 414 URI Too Long',
        `${length} KiB`,
      )
  })

  test('are not dropped where there are many: one that a proxy added at the end is not overlooked', async () => {
    assert.match(String(await get(scene, '/-/health', [...many(2_100), 'x-forwarded-for: 192.0.2.1'])), / 431 /)
  })

  test('name one host', async () => {
    assert.equal(await get(scene, '/-/health', ['Host: elsewhere.example']), 'HTTP/1.1 400 Bad Request')
  })
})
