/** A server that listens more often on its port. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { prepareDrain } from './drain.ts'
import { addListeners, canShare } from './listeners.ts'

const skip = canShare ? false : 'here a port has one listener'

async function serve() {
  const server = createServer((_request, response) => response.end('x'))
  const drain = prepareDrain(server)
  const sharing = { reusePort: true }
  await once(server.listen({ port: 0, host: '127.0.0.1', ...sharing }), 'listening')
  const more = await addListeners(server, 100)
  return { server, more, drain, port: (server.address() as AddressInfo).port }
}

test('many connections are accepted in a turn of the loop', { skip }, async () => {
  const { server, more, drain, port } = await serve()
  let turns = 0
  let accepted = 0
  server.on('connection', () => {
    accepted += 1
  })
  const clients = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'))
  // The system has taken all of them before the first is accepted.
  await Promise.all(clients.map(client => once(client, 'connect')))
  for (; accepted < clients.length; turns++) await setImmediate()

  assert.ok(turns < clients.length / 2, `${turns} turns`)
  for (const client of clients) client.destroy()
  await drain(0, more)
})

test('a server that listens more often answers on all, and ends with all of its connections answered', { skip }, async () => {
  const { more, drain, port } = await serve()
  const ask = async () => {
    const [answer] = (await once(get({ port, host: '127.0.0.1', agent: false }), 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  const asked = Array.from({ length: 50 }, ask)

  await drain(60_000, more)

  assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]))
  await assert.rejects(ask(), { code: 'ECONNREFUSED' })
})
