/**
 * The end of an HTTP server behind a balancer. An idle connection that a server closes may just have been given a request, which is then lost; a refused
 * connection is not, since a balancer goes to the next server with it. So the listener closes first, each answer from then on ends its connection, and idle
 * connections are left to the clients for a while.
 */
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** How long idle connections may wait for a last request, in milliseconds. A balancer that has work uses all that it keeps in less. */
export const LAST_REQUESTS = 2_000

/** Prepares a server for its end; what is returned closes the listener, and resolves when no connection is left, or after the given time. */
export function prepareDrain(server: Server): (milliseconds: number) => Promise<void> {
  const unanswered = new Set<ServerResponse>()
  let isDraining = false
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (isDraining) response.shouldKeepAlive = false
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
  })
  return async milliseconds => {
    isDraining = true
    for (const response of unanswered) response.shouldKeepAlive = false
    if (!server.listening) return
    // Immediately after connections were accepted: those that the system still keeps for the listener are reset with it.
    await setImmediate()
    const ended = once(server, 'close', { signal: AbortSignal.timeout(milliseconds) }).catch(() => {})
    // Not the method of the HTTP server, which closes idle connections.
    Listener.prototype.close.call(server)
    await ended
  }
}
