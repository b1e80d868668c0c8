/** Sockets to which no new connection comes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { descriptorOf } from './listeners.ts'
import { refuseNew } from './no_new.ts'

test('connections that were accepted go on, and those that wait are handed out; new ones are refused when the socket is closed', {
  skip: process.platform !== 'linux' && 'a filter of Linux',
}, async () => {
  const taken: Socket[] = []
  const server = createServer(socket => taken.push(socket.on('data', data => socket.write(data))))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const first = connect(port, '127.0.0.1')
  await once(first, 'connect')

  assert.equal(await refuseNew(descriptorOf(server)!), true)
  assert.equal(taken.length, 1)
  first.write('still here')
  assert.equal(String((await once(first, 'data'))[0]), 'still here')
  const late = connect(port, '127.0.0.1')
  const failed = once(late, 'error')
  await delay(200)
  assert.equal(late.connecting, true)
  assert.equal(taken.length, 1)

  server.close()
  assert.equal(((await failed)[0] as NodeJS.ErrnoException).code, 'ECONNREFUSED')
  first.destroy()
})

test('what is no socket that listens is said not to be one', async () => {
  const file = await open('/dev/null')
  assert.equal(await refuseNew(file.fd), false)
  await file.close()
})
