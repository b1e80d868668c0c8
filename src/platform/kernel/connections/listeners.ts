/**
 * Several listeners on the socket of an HTTP server. Node accepts one connection of each listener in a turn of its event loop, so under load new connections
 * wait in the queue of the system, where the program can neither serve nor refuse them: with turns of 50 ms one listener takes 20 a second. All of them
 * take from one queue, so the connection that came first is the next one. Of sockets that share a port each would have its own queue, some much longer than
 * others.
 */
import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { createServer, Server as Listener, type Socket } from 'node:net'
import { copiesOf, type Handle } from './copies.ts'

/** Listeners of a server to which connections come one by one. Each is woken by every connection, which takes the system some microseconds. */
const LEAST = 4

/**
 * Listeners of a server to which connections come faster than it takes them. With more of them connections wait for a shorter time, most of them to be
 * refused, and fewer requests are answered.
 */
const MOST = 64

/** Turns of the event loop one after the other in which each listener has taken a connection: then there are twice as many. */
const FULL_TURNS = 4

/** What further listeners of a server have, and what they may have. */
interface Further {
  readonly listeners: Listener[]
  /** Descriptors of the socket with which nothing listens yet. */
  readonly spare: Handle[]
  readonly making: AbortController
  /** Resolves when no other process has the socket. */
  made: Promise<unknown>
}

const furtherOf = new WeakMap<Server, Further>()

/** Resolve when no connection of a server that has closed its listeners is left. */
const closing = new WeakMap<Server, Promise<unknown>>()

/** The object by which a listener waits for its socket. Node keeps it to itself. */
const handleOf = (listener: Listener): Handle | undefined => (listener as unknown as { readonly _handle?: Handle })._handle

/**
 * Accepts connections of a server by further listeners, a few at first.
 * @param backlog as that of the server: the system would take another one for both
 * @throws Error there are none: the server has its own listener alone
 */
export async function listenFurther(server: Server, backlog: number): Promise<void> {
  const handle = handleOf(server)
  if (!handle) throw new Error('the server does not listen by itself')
  const further: Further = { listeners: [], spare: [], making: new AbortController(), made: Promise.resolve() }
  furtherOf.set(server, further)
  const { signal } = further.making
  const copies = copiesOf(handle, MOST - 1, signal)
  further.made = copies.catch(() => {})
  try {
    further.spare.push(...(await copies))
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (signal.aborted) return closeAll(further.spare)
  const add = (count: number) => {
    for (const copy of further.spare.splice(0, count)) further.listeners.push(listenBy(copy, server, backlog))
  }
  add(LEAST - 1)
  whenFull(server, further, () => add(further.listeners.length + 1))
}

function closeAll(spare: Handle[]): void {
  for (const copy of spare.splice(0)) copy.close()
}

function listenBy(handle: Handle, server: Server, backlog: number): Listener {
  // As Node makes the listener of an HTTP server.
  return createServer({ allowHalfOpen: true, noDelay: true }, socket => server.emit('connection', socket)).listen(handle, backlog)
}

/** Calls when all listeners have taken connections for some turns of the event loop. */
function whenFull(server: Server, { listeners }: Further, grow: () => void): void {
  let inTurn = 0
  let full = 0
  const endTurn = () => {
    full = inTurn > listeners.length ? full + 1 : 0
    inTurn = 0
    if (full < FULL_TURNS) return
    full = 0
    grow()
  }
  server.on('connection', () => {
    inTurn += 1
    if (inTurn === 1) setImmediate(endTurn)
  })
}

/** The descriptor of a listener's socket; undefined where another process has it, or it is closed. */
export const descriptorOf = (listener: Listener): number | undefined => {
  const { fd } = handleOf(listener) ?? {}
  return fd !== undefined && fd >= 0 ? fd : undefined
}

/**
 * Closes all listeners of a server, not by the method of the HTTP server, which closes idle connections.
 * @param pause comes before
 * @returns when no connection is left
 */
export async function closeListeners(server: Server, pause = async (): Promise<void> => {}): Promise<void> {
  const { listeners, spare, making, made } = furtherOf.get(server) ?? {}
  making?.abort()
  if (spare) closeAll(spare)
  const open = [...(listeners ?? []), server].filter(({ listening }) => listening)
  const closed = Promise.all([made, ...open.map(listener => once(listener, 'close'))])
  closing.set(server, closed)
  await pause()
  for (const listener of open) Listener.prototype.close.call(listener)
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
