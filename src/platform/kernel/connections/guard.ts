/**
 * What a client may take of the HTTP server before any endpoint is asked: connections, the time to send a request and to read an answer,
 * and headers. Fastify and Node leave most of it without a bound.
 */
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { badRequest, headersTooLarge } from '../errors.ts'
import { Admission, admissionLimits } from './admission.ts'
import { watchUnused } from './listeners.ts'
import { Pace } from './pace.ts'

/** Bytes of all headers together, and how many there may be. Cookies of other servers on the same host come along. */
const HEADERS = { bytes: 32 * 1024, lines: 200 }

/** Bytes of a request before its body. A query string of 64 KB and more must reach us, to be answered 414 (decision 16). */
const REQUEST_HEAD = 128 * 1024

/** How long an answer may wait for a client that reads nothing of it, in multiples of the time for requests. */
const READING = 2

/** How long a client that is refused may go on sending, in milliseconds, and how many of them are listened to. */
const LINGER = { time: 1_000, clients: 1_000 }

const UNAVAILABLE = '503 Service Unavailable'

/** The bounds that Node itself keeps. */
export const serverOptions = ({ stallTimeout }: Pick<Config, 'stallTimeout'>): ServerOptions => ({
  maxHeaderSize: REQUEST_HEAD,
  headersTimeout: stallTimeout * 1_000,
  connectionsCheckingInterval: Math.min(5_000, stallTimeout * 250),
})

/**
 * Keeps the other bounds, until the server closes.
 * @param refused hears of each connection for which there is no room
 */
export function guardServer(server: Server, config: Config, log: FastifyBaseLogger, refused = (): void => {}): void {
  // Node would drop the headers above a number without a word: a proxy's own, at the end, among them.
  server.maxHeadersCount = 0
  let lingering = 0
  const dismiss = (socket: Socket, status: string) => {
    refused()
    const mayLinger = lingering < LINGER.clients
    if (mayLinger) {
      lingering += 1
      socket.once('close', () => {
        lingering -= 1
      })
    }
    refuseUnread(socket, status, mayLinger)
  }
  // The first request of a client that is slow may still be on its way. Between two requests an answer would be taken for that of the next one.
  const admission = new Admission(admissionLimits(config), (socket, isUsed) => {
    if (isUsed) socket.destroy()
    else dismiss(socket, UNAVAILABLE)
  })
  const patience = config.stallTimeout * 1_000
  const unanswered = new WeakMap<IncomingMessage, ServerResponse>()
  const pace = new Pace(patience, (request, socket) => {
    log.info({ address: socket.remoteAddress }, 'a body came too slowly')
    if (unanswered.get(request)?.headersSent) socket.destroy()
    else refuse(socket, '408 Request Timeout')
  })
  server.on('connection', (socket: Socket) => {
    const limit = admission.admit(socket)
    if (limit === undefined) return
    log.warn({ address: socket.remoteAddress, limit }, 'a connection was refused: there are too many')
    dismiss(socket, limit === 'network' ? '429 Too Many Requests' : UNAVAILABLE)
  })
  watchUnused(server)
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const release = admission.occupy(socket)
    response.once('close', release)
    response.once('finish', () => {
      // What is left of a body is read and dropped, also where something that has failed was to take it. The next request on the connection would
      // wait for it: Node drops only what nothing has begun to read.
      if (!request.readableEnded) request.unpipe().resume()
      // Its body failed on the way and is not read any more, so nothing would end the connection but the patience with bodies.
      if (request.destroyed && !request.complete) setTimeout(() => socket.destroy(), LINGER.time).unref()
    })
    // Counts while nothing moves in either direction. Where nothing waits to be read, it is the server that takes its time.
    response.setTimeout(READING * patience, () => {
      if (socket.writableLength > 0) socket.destroy()
    })
    unanswered.set(request, response)
    pace.watch(request)
  })
  server.once('close', () => {
    pace.stop()
    admission.stop()
  })
}

/**
 * Names and values alternate in the raw headers.
 * @throws Refusal 431 where headers are too long or too many; 400 for several hosts (RFC 9112 section 3.2): a proxy may have gone by another one
 */
export function assertHeaders({ rawHeaders }: IncomingMessage): void {
  let bytes = 0
  for (const text of rawHeaders) bytes += text.length
  if (bytes > HEADERS.bytes || rawHeaders.length > 2 * HEADERS.lines) throw headersTooLarge()
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host')
  if (hosts.length > 1) throw badRequest('several hosts')
}

/**
 * Refuses a connection whose request is on its way. What comes of it is dropped: a connection that is closed with bytes unread is reset, and its
 * client may not see the answer.
 */
function refuseUnread(socket: Socket, status: string, mayLinger: boolean): void {
  if (mayLinger) {
    // No longer to the parser, so that nothing of it is a request.
    socket.removeAllListeners('data').on('data', () => {})
    const timer = setTimeout(() => socket.destroy(), LINGER.time)
    socket.once('end', () => socket.destroy()).once('close', () => clearTimeout(timer))
  }
  refuse(socket, status, 'retry-after: 10\r\n', undefined, mayLinger)
}

/** Answers what no request was read for, in the contract's error form, and ends the connection; where it lingers, in this direction alone. */
export function refuse(socket: Socket, status: string, headers = '', content: unknown = { message: status }, lingers = false): void {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify(content)
  const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n${headers}`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n${body}`, () => {
    if (!lingers) socket.destroy()
  })
}
