/**
 * The end of an HTTP server behind a balancer. An idle connection that a server closes may just have been given a request, which is then lost; a refused
 * connection is not, since a balancer goes to the next server with it. So the listener closes first, each answer from then on ends its connection, and idle
 * connections are left to the clients for a while.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { closeListeners, descriptorOf } from './listeners.ts'
import { refuseNew } from './no_new.ts'

/** How long a server that ends waits for requests on connections that are kept. */
export interface Patience {
  /** Without a request, in milliseconds. A balancer that has work uses what it keeps sooner. */
  readonly quiet: number
  /** In all, in milliseconds. */
  readonly longest: number
}

/** A turn of the event loop in which next to nothing happened, in milliseconds. */
const SHORT_TURN = 0.25

/** Turns that are waited for; a server that is never idle closes its listeners all the same. */
const MOST_TURNS = 2_000

/**
 * What waits for the end of a turn in which no connection came. The system has accepted connections that the program has not seen yet; they are reset with
 * the socket, with the requests that were sent on them. The shorter the time since the program has taken all of them, the fewer there are. That is for
 * systems on which new connections cannot be kept away first.
 */
function shortTurn(server: Server): () => Promise<void> {
  return async () => {
    let connections = 0
    const count = () => {
      connections += 1
    }
    server.on('connection', count)
    for (let left = MOST_TURNS; left > 0; left--) {
      connections = 0
      const begin = performance.now()
      await setImmediate()
      if (connections === 0 && performance.now() - begin < SHORT_TURN) break
    }
    server.off('connection', count)
  }
}

/** Milliseconds in which a connection that is being made is made, to a balancer nearby. */
const HANDSHAKE = 50

/** Closes all listeners, and resets no connection by it where the system lets new ones be kept away first. @returns when no connection is left */
async function closeWithoutLoss(server: Server): Promise<void> {
  const descriptor = descriptorOf(server)
  const isKept = descriptor !== undefined && (await refuseNew(descriptor))
  if (!isKept) return closeListeners(server, shortTurn(server))
  await delay(HANDSHAKE)
  let came = true
  const note = () => {
    came = true
  }
  server.on('connection', note)
  for (let turn = 0; turn < MOST_TURNS && came; turn++) {
    came = false
    // A connection that waits is handed out in the first turn or the second.
    for (let each = 0; each < 2; each++) await setImmediate()
  }
  server.off('connection', note)
  return closeListeners(server)
}

/** Parts of a silence that are waited for one after the other. */
const LOOKS = 20

/** Milliseconds by which a look may be late on a machine that does other things, too. */
const LATE = 100

/**
 * Waits until nothing was heard for a time in which this process ran: where the machine held it up, it has held up those it listens to as well, and what they
 * sent meanwhile is read first.
 * @param silence milliseconds
 * @param isOver ends the wait
 */
async function untilSilent(silence: number, heard: () => number, isOver: () => boolean): Promise<void> {
  const part = silence / LOOKS
  let before = heard()
  let left = LOOKS
  while (left > 0 && !isOver()) {
    const begin = performance.now()
    await delay(part, undefined, { ref: false })
    const isLate = performance.now() - begin > part + LATE
    left = isLate || heard() !== before ? LOOKS : left - 1
    before = heard()
  }
}

/** Prepares a server for its end; what is returned closes the listener, and resolves when no connection is left, or when the patience is over. */
export function prepareDrain(server: Server): (patience: Patience) => Promise<void> {
  const unanswered = new Set<ServerResponse>()
  let isDraining = false
  let requests = 0
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (isDraining) response.shouldKeepAlive = false
    requests += 1
    unanswered.add(response)
    response.once('close', () => unanswered.delete(response))
  })
  return async ({ quiet, longest }) => {
    isDraining = true
    for (const response of unanswered) response.shouldKeepAlive = false
    if (!server.listening) return
    let isOver = false
    await Promise.race([
      closeWithoutLoss(server),
      untilSilent(
        quiet,
        () => requests,
        () => isOver,
      ),
      delay(longest, undefined, { ref: false }),
    ])
    isOver = true
  }
}
