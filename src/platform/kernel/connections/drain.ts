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

/** Turns of the loop in which connections that the system has taken are accepted, before the listener closes. */
const TURNS = 1_000

/** How often connections that have become idle are closed after that time, in milliseconds. */
const SWEEP = 100

/**
 * Prepares a server for its end. What is returned closes its listener, and resolves when no connection is left: idle ones are closed after the given
 * time, those with requests when they end.
 */
export function prepareDrain(server: Server): (milliseconds: number) => Promise<void> {
  const unanswered = new Set<ServerResponse>()
  let isDraining = false
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (isDraining) response.shouldKeepAlive = false
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
  })
  return async milliseconds => {
    if (!server.listening) return
    isDraining = true
    for (const response of unanswered) response.shouldKeepAlive = false
    const ended = once(server, 'close')
    await untilQuiet(server)
    // Not the method of the HTTP server, which closes idle connections.
    Listener.prototype.close.call(server)
    let sweep: NodeJS.Timeout | undefined
    const timer = setTimeout(() => {
      server.closeIdleConnections()
      sweep = setInterval(() => server.closeIdleConnections(), SWEEP)
    }, milliseconds)
    await ended
    clearTimeout(timer)
    clearInterval(sweep)
  }
}

/** Resolves after a turn of the loop in which no connection came: those that the system still keeps for the listener are reset when it closes. */
async function untilQuiet(server: Server): Promise<void> {
  let accepted = 0
  const count = () => {
    accepted += 1
  }
  server.on('connection', count)
  // The rest of this turn.
  await setImmediate()
  let seen = -1
  for (let turn = 0; turn < TURNS && seen !== accepted; turn++) {
    seen = accepted
    await setImmediate()
  }
  server.off('connection', count)
}
