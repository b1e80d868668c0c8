/** A socket with several listeners. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createListener, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { closeListeners, connectionsEnded, endIdleConnections, listenFurther, watchUnused } from './listeners.ts'

const host = '127.0.0.1'

async function serve() {
  const server = createServer((_request, response) => response.end('x'))
  await once(server.listen({ host, port: 0, backlog: 500 }), 'listening')
  await listenFurther(server, 500)
  return { server, port: (server.address() as AddressInfo).port }
}

/** Makes connections to a port one after the other, and prints their own ports. */
const FLOOD = `
const [port, count] = process.argv.slice(1).map(Number)
const ports = []
const next = () => {
  if (ports.length === count) return process.stdout.write(JSON.stringify(ports), () => process.exit())
  const socket = require('node:net').connect(port, '127.0.0.1', () => next(ports.push(socket.localPort)))
}
next()`

test('one connection is taken in a turn of the event loop, and many where many wait, in the order in which they came', async () => {
  const { server, port } = await serve()
  const turns: number[] = []
  const ports: (number | undefined)[] = []
  let inTurn = 0
  server.on('connection', (socket: Socket) => {
    ports.push(socket.remotePort)
    inTurn += 1
    if (inTurn > 1) return
    void setImmediate().then(() => {
      turns.push(inTurn)
      inTurn = 0
    })
  })
  const answer = (await once(get({ host, port, agent: false }), 'response')) as [IncomingMessage]
  assert.equal(answer[0].statusCode, 200)
  // This process waits for the other one, and its connections wait for this one.
  const count = 400
  const { stdout } = spawnSync(process.execPath, ['--eval', FLOOD, String(port), String(count)], { encoding: 'utf8' })
  while (turns.reduce((sum, each) => sum + each, 0) < count + 1) await setImmediate()

  assert.deepEqual(ports.slice(1), JSON.parse(stdout))
  assert.equal(turns[0], 1)
  assert.equal(Math.max(...turns), 64)

  await closeListeners(server)
})

test('none is left when they are closed, and the end waits for connections of each', async () => {
  const { server, port } = await serve()
  const sockets = Array.from({ length: 50 }, () => connect(port, host))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await Promise.all(sockets.map(socket => once(socket, 'data')))
  let isClosed = false
  const closed = closeListeners(server).then(() => {
    isClosed = true
  })

  // A listener that was left would have the port.
  const next = createListener()
  await once(next.listen({ host, port }), 'listening')
  assert.equal(isClosed, false)

  endIdleConnections(server)
  await Promise.all([closed, connectionsEnded(server)])
  next.close()
})

test('a connection whose answer had begun is ended with the answer, although the answer has promised to keep it', async () => {
  const answering = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => {
    response.write('x')
    answering.resolve(response)
  })
  await once(server.listen({ host, port: 0 }), 'listening')
  const socket = connect((server.address() as AddressInfo).port, host)
  socket.resume().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const response = await answering.promise
  const closed = closeListeners(server)
  endIdleConnections(server)

  response.end()

  await Promise.all([once(socket, 'close'), closed])
})

test('a server that is closed before it has its further listeners leaves none, here or in another process', async () => {
  const server = createServer()
  await once(server.listen({ host, port: 0 }), 'listening')
  const { port } = server.address() as AddressInfo
  const further = listenFurther(server, 100)

  await closeListeners(server)
  await further

  const next = createListener()
  await once(next.listen({ host, port }), 'listening')
  next.close()
})

test('a server that does not listen has no further listeners', async () => {
  await assert.rejects(listenFurther(createServer(), 100), /does not listen/)
})

test('a connection on which nothing has come does not hold up the end', async () => {
  const server = createServer((_request, response) => response.end('x'))
  watchUnused(server)
  await once(server.listen({ host, port: 0 }), 'listening')
  const socket = connect((server.address() as AddressInfo).port, host)
  const accepted = once(server, 'connection')
  await Promise.all([once(socket, 'connect'), accepted])
  const closed = closeListeners(server)

  endIdleConnections(server)

  await Promise.all([once(socket, 'close'), closed])
})
