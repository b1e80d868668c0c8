import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { download, pace } from './transfer.ts'

test('a transfer has to bring so many bytes in each window; one that begins slowly is not given up before its first ends', () => {
  const isFast = pace({ bytes: 100, window: 10 }, 0)
  assert.deepEqual(
    [isFast(1, 5), isFast(99, 10), isFast(0, 19), isFast(120, 21), isFast(90, 31), isFast(500, 60)],
    [true, true, true, true, false, true],
  )
})

test('a reader that pauses for longer than a silent server may be gets all bytes where it may take its time, and not otherwise', async () => {
  const bytes = Buffer.alloc(20_000_000, 'x')
  const server = createServer((_, response) => response.end(bytes)).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const [url, destination] = [new URL(`http://127.0.0.1:${port}/`), { host: '127.0.0.1', port, address: '127.0.0.1', family: 4 } as const]
  const pausing = async (atLeisure: boolean) => {
    const { body, close } = await download(url, destination, { method: 'GET', headers: {}, patience: 400 }, { atLeisure })
    try {
      await delay(1_200)
      let size = 0
      for await (const piece of body) size += piece.length
      return size
    } finally {
      close()
    }
  }
  try {
    assert.equal(await pausing(true), bytes.length)
    await assert.rejects(pausing(false))
  } finally {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
})
