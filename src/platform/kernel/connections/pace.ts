/**
 * The pace at which bodies must come. A body may take as long as it needs as long as bytes flow, however large it is; a client that keeps
 * the server waiting runs out of credit, which only bytes renew. Time in which the server itself does not read is not counted.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes a second that keep the credit as it is: 64 kbit/s. */
const RATE = 8 * 1024

/** How often it is looked, in milliseconds. */
const INTERVAL = 1_000

interface Body {
  /** Where it comes. A request that is the source of a pipeline which fails has none any more. */
  readonly socket: Socket
  /** Milliseconds that the client may still keep the server waiting. */
  credit: number
  /** Bytes that the connection had received when it was last looked at. */
  seen: number
}

/** A request that has a body which has not all come. */
const hasBody = ({ headers, complete }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

export class Pace {
  readonly #patience: number
  readonly #stalled: (request: IncomingMessage, socket: Socket) => void
  readonly #bodies = new Map<IncomingMessage, Body>()
  readonly #timer: NodeJS.Timeout
  #looked = performance.now()

  /**
   * @param patience milliseconds of credit at the beginning; quick bytes earn up to twice as much
   * @param stalled is called once with a request that has no credit left, and its connection
   */
  constructor(patience: number, stalled: (request: IncomingMessage, socket: Socket) => void) {
    this.#patience = patience
    this.#stalled = stalled
    this.#timer = setInterval(() => this.#look(), Math.min(INTERVAL, patience / 4)).unref()
  }

  /** Watches the body of a request, if it has one. */
  watch(request: IncomingMessage): void {
    const { socket } = request
    if (hasBody(request)) this.#bodies.set(request, { socket, credit: this.#patience, seen: socket.bytesRead })
  }

  /** Watches nothing any more. */
  stop(): void {
    clearInterval(this.#timer)
    this.#bodies.clear()
  }

  #look(): void {
    const now = performance.now()
    // A loop that was held says nothing about clients.
    const elapsed = Math.min(now - this.#looked, 2 * INTERVAL)
    this.#looked = now
    for (const [request, body] of this.#bodies) {
      if (request.complete || body.socket.destroyed) {
        this.#bodies.delete(request)
        continue
      }
      const received = body.socket.bytesRead - body.seen
      body.seen += received
      body.credit = Math.min(2 * this.#patience, body.credit + (received / RATE) * 1_000)
      if (request.readableLength < request.readableHighWaterMark) body.credit -= elapsed
      if (body.credit > 0) continue
      this.#bodies.delete(request)
      this.#stalled(request, body.socket)
    }
  }
}
