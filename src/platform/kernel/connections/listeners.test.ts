/** A port with several listeners. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer as createListener } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { canSharePort, claimPort, closeListeners, connectionsEnded, endIdleConnections, listenFurther, watchUnused } from './listeners.ts'

const host = '127.0.0.1'
const unlessShared = { skip: canSharePort ? false : 'the system has no ports that are shared' }

async function serve() {
  const server = createServer((_request, response) => response.end('x'))
  await once(server.listen({ host, port: 0, reusePort: true }), 'listening')
  await listenFurther(server, 100)
  return { server, port: (server.address() as AddressInfo).port }
}

test('connections come from all listeners, many in one turn of the event loop', unlessShared, async () => {
  const { server, port } = await serve()
  let inTurn = 0
  let most = 0
  server.on('connection', () => {
    inTurn += 1
    most = Math.max(most, inTurn)
    void setImmediate().then(() => {
      inTurn = 0
    })
  })
  const sockets = Array.from({ length: 100 }, () => connect(port, host))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  const answer = (await once(get({ host, port, agent: false }), 'response')) as [IncomingMessage]
  assert.equal(answer[0].statusCode, 200)
  assert.ok(most > 1, `${most} in a turn`)

  for (const socket of sockets) socket.destroy()
  await closeListeners(server)
})

test('none is left when they are closed, and the end waits for connections of each', unlessShared, async () => {
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

test('a port is claimed by one process at a time', unlessShared, async () => {
  const { port } = await serve().then(({ server, port }) => closeListeners(server).then(() => ({ port })))
  const claim = await claimPort(host, port)
  await assert.rejects(claimPort(host, port), { code: 'EADDRINUSE' })
  await new Promise(closed => claim.close(closed))
  const again = await claimPort(host, port)
  again.close()
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
