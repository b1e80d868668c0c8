/** The end of a server whose clients keep their connections. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { prepareDrain } from './drain.ts'

/** Longer than any of this takes. */
const LONG = { quiet: 60_000, longest: 60_000 }

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  const drain = prepareDrain(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    drain,
    server,
    /** A connection that has had an answer, or has none yet. */
    async connection(): Promise<Socket> {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8')
      await once(socket, 'connect')
      return socket
    },
  }
}

const REQUEST = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'

/** Sends a request; resolves with the head of its answer. */
async function ask(socket: Socket): Promise<string> {
  socket.write(REQUEST)
  const [answer] = (await once(socket, 'data')) as [string]
  return answer.split('\r\n\r\n')[0] as string
}

test('a request on a connection that was kept is answered after the listener has closed, and ends its connection', async () => {
  const { server, drain, connection } = await serve((_request, response) => response.end('x'))
  const [kept, unused] = [await connection(), await connection()]
  assert.match(await ask(kept), /connection: keep-alive/i)

  const drained = drain(LONG)
  while (server.listening) await setImmediate()
  await assert.rejects(connection(), { code: 'ECONNREFUSED' })
  const ends = [once(kept, 'end'), once(unused, 'end')]

  assert.match(await ask(kept), /connection: close/i)
  assert.match(await ask(unused), /connection: close/i)
  await Promise.all([...ends, drained])
})

test('an answer that is under way when the server begins to stop ends its connection', async () => {
  const running = Promise.withResolvers<() => void>()
  const { drain, connection } = await serve((_request: IncomingMessage, response) => running.resolve(() => response.end('x')))
  const socket = await connection()
  const answered = ask(socket)
  const answer = await running.promise

  const drained = drain(LONG)
  answer()

  assert.match(await answered, /connection: close/i)
  await drained
})

test('time in which the process was held up is no silence', async () => {
  const { server, drain, connection } = await serve((_request, response) => response.end('x'))
  const socket = await connection()
  await ask(socket)
  let isOver = false
  const drained = drain({ ...LONG, quiet: 400 }).then(() => {
    isOver = true
  })

  await delay(200)
  const held = performance.now() + 500
  while (performance.now() < held);
  await delay(20)
  assert.equal(isOver, false)

  await drained
  server.closeIdleConnections()
})

for (const limit of ['quiet', 'longest'])
  test(`connections on which nothing comes are not waited for longer than the given time: ${limit}`, async () => {
    const { server, drain, connection } = await serve((_request, response) => response.end('x'))
    const socket = await connection()
    await ask(socket)

    await drain({ ...LONG, [limit]: 1 })

    const ended = once(socket, 'close')
    server.closeIdleConnections()
    await ended
  })

test('each request on a connection that was kept prolongs the wait for the others', async t => {
  const { server, drain, connection } = await serve((_request, response) => response.end('x'))
  const kept = [await connection(), await connection(), await connection()]
  for (const socket of kept) await ask(socket)
  t.mock.timers.enable({ apis: ['setTimeout'] })

  let isOver = false
  const drained = drain({ quiet: 1000, longest: 10_000 }).finally(() => {
    isOver = true
  })
  while (server.listening) await setImmediate()
  for (const socket of kept.slice(1)) {
    t.mock.timers.tick(800)
    assert.match(await ask(socket), /connection: close/i)
    assert.equal(isOver, false)
  }
  t.mock.timers.tick(1000)
  await drained

  const ended = once(kept[0] as Socket, 'close')
  server.closeIdleConnections()
  await ended
})
