/**
 * Several listeners on the port of an HTTP server. Node accepts one connection of each listener in a turn of its event loop, so under load new connections
 * wait in the queue of the system, where the program can neither serve nor refuse them: with turns of 50 ms one listener takes 20 a second.
 */
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { type AddressInfo, createServer, Server as Listener, type Socket } from 'node:net'

/**
 * Listeners of a port. Each is a descriptor and nothing else while no connection comes. The system chooses one by chance, so some queues are longer than
 * others: the more there are, the sooner the last connection of the longest one is accepted, and the longer is a turn of the event loop under a flood.
 */
const LISTENERS = 256

/** The further listeners of servers, and what claims their ports. */
const furtherOf = new WeakMap<Server, readonly Listener[]>()

/** Resolve when no connection of a server that has closed its listeners is left. */
const closing = new WeakMap<Server, Promise<unknown>>()

/** Can sockets share a port here? Node refuses the option on systems that do not spread connections among them. */
export const canSharePort = process.platform === 'linux'

/**
 * Claims the port for this process: where listeners share it, the system would give another process of the user a share of its connections.
 * @returns what is to be closed with the listeners
 * @throws NodeJS.ErrnoException EADDRINUSE another process has it
 */
export async function claimPort(host: string, port: number): Promise<Listener> {
  const claim = createServer(socket => socket.destroy()).unref()
  // An address of Linux that is in no folder and ends with the process.
  await once(claim.listen({ path: `\0ingot/${host}:${port}`, exclusive: true }), 'listening')
  return claim
}

/**
 * Accepts connections for a server by further listeners.
 * @param server listens, with `reusePort`
 * @param backlog as that of the server
 */
export async function listenFurther(server: Server, backlog: number, claim?: Listener): Promise<void> {
  const { address: host, port } = server.address() as AddressInfo
  const accepting = Array.from({ length: LISTENERS - 1 }, async () => {
    // As Node makes the listener of an HTTP server.
    const listener = createServer({ allowHalfOpen: true, noDelay: true }, socket => server.emit('connection', socket))
    await once(listener.listen({ host, port, backlog, reusePort: true }), 'listening')
    return listener
  })
  furtherOf.set(server, [...(claim ? [claim] : []), ...(await Promise.all(accepting))])
}

/** The descriptor of a listener's socket; undefined where another process has it, or it is closed. Node keeps it to itself. */
export const descriptorOf = (listener: Listener): number | undefined => {
  const { fd } = (listener as unknown as { readonly _handle?: { readonly fd?: number } })._handle ?? {}
  return fd !== undefined && fd >= 0 ? fd : undefined
}

/** The descriptors of all listeners on the port of a server; none where another process has some of them. */
export function descriptorsOf(server: Server): readonly number[] {
  const onPort = [...(furtherOf.get(server) ?? []), server].filter(listener => typeof listener.address() === 'object')
  const found = onPort.map(descriptorOf)
  return found.every(descriptor => descriptor !== undefined) ? found : []
}

/**
 * Closes all listeners of a server one after the other, not by the method of the HTTP server, which closes idle connections.
 * @param pause comes before each of them
 * @returns when no connection is left
 */
export async function closeListeners(server: Server, pause = async (): Promise<void> => {}): Promise<void> {
  const listeners = [...(furtherOf.get(server) ?? []), server].filter(({ listening }) => listening)
  const closed = Promise.all(listeners.map(listener => once(listener, 'close')))
  closing.set(server, closed)
  for (const listener of listeners) {
    await pause()
    Listener.prototype.close.call(listener)
  }
  await closed
}

/** Connections of servers on which nothing has come. Node does not count them among the idle ones. */
const unused = new WeakMap<Server, Set<Socket>>()

/** Knows from now on which connections of a server are unused. */
export function watchUnused(server: Server): void {
  const sockets = new Set<Socket>()
  unused.set(server, sockets)
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage) => sockets.delete(socket))
}

/** How often connections are looked for that have become idle, in milliseconds. */
const LOOK_AGAIN = 50

/** After so many looks a connection on which nothing has come is ended: what its client sent when the listeners were closed is here by then. */
const LOOKS_FOR_UNUSED = 10

/**
 * Ends the idle connections of a server whose listeners are closed, and each other one when it is idle: an answer that began before has promised to
 * keep its connection, and Node would wait until the client leaves it. So it would for connections that clients have opened and not used.
 */
export function endIdleConnections(server: Server): void {
  server.closeIdleConnections()
  let looks = 0
  const timer = setInterval(() => {
    server.closeIdleConnections()
    looks += 1
    if (looks >= LOOKS_FOR_UNUSED) for (const socket of unused.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
  }, LOOK_AGAIN)
  void connectionsEnded(server).finally(() => clearInterval(timer))
}

/** Resolves when no connection of a server whose listeners are closed is left. */
export async function connectionsEnded(server: Server): Promise<void> {
  await closing.get(server)
}
