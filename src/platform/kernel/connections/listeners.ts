/**
 * More listeners on the port of an HTTP server. A listener accepts one connection in each turn of Node's loop. Where there is much work, turns are long, and
 * of many clients the last would wait half a minute until they were so much as refused.
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as Listener } from 'node:net'

/** Listeners that share a port; so many connections are accepted in a turn. */
const LISTENERS = 32

/** Only there does the system distribute the connections of a port among its listeners; elsewhere there is one. */
export const canShare: boolean = process.platform === 'linux'

/** Listens more often where `server` listens, with `reusePort`; what is returned has to be closed with it. */
export async function addListeners(server: Server, backlog: number): Promise<readonly Listener[]> {
  if (!canShare) return []
  const { address: host, port } = server.address() as AddressInfo
  const added = Array.from({ length: LISTENERS - 1 }, () =>
    // As Node's HTTP server makes its own.
    createServer({ allowHalfOpen: true, noDelay: true }, socket => void server.emit('connection', socket)),
  )
  for (const listener of added) await once(listener.listen({ host, port, backlog, reusePort: true }), 'listening')
  return added
}
