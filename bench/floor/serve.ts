/** The frame of a floor's process: work comes as a message, the address goes back, and the parent's leave is the end. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Serves what `prepare` makes of the work, on a free port of the loopback. */
export async function serveFloor<Work>(prepare: (work: Work) => Promise<RequestListener>): Promise<void> {
  process.once('disconnect', () => process.exit())
  const [work] = (await once(process, 'message')) as [Work]
  const server = createServer(await prepare(work)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
