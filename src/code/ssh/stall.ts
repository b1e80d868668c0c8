/**
 * Time limit for a command that waits for its client. Any transfer in either direction adds credit; input adds it in proportion to the
 * bytes, at the minimum rate that HTTP request bodies must have. Time in which the server itself does not read is not counted.
 */
import type { PassThrough } from 'node:stream'

/** Bytes a second that keep the credit constant: 64 kbit/s. */
const RATE = 8 * 1024

/** Interval of checks, in milliseconds. */
const INTERVAL = 1_000

/** Factor for a client that has sent the commands of a push and packs its objects before it sends one. */
const PACKING = 20

/** Factor for a client that reads slowly. */
const READING = 2

/** The streams of one command. */
export interface WatchedStreams {
  /** From the client. */
  readonly request: PassThrough
  /** To the client. */
  readonly response: PassThrough
}

export class StallWatch {
  readonly #streams: WatchedStreams
  readonly #patience: number
  readonly #stalled: () => void
  #timer: NodeJS.Timeout | undefined
  #credit = 0
  #received = 0
  #sent = 0
  #looked = 0
  #isStalled = false

  /**
   * Watches nothing before `start`.
   * @param patience initial credit in milliseconds; a fast client earns up to twice as much
   * @param stalled called once, when no credit is left
   */
  constructor(streams: WatchedStreams, patience: number, stalled: () => void) {
    this.#streams = streams
    this.#patience = patience
    this.#stalled = stalled
  }

  /** Has the client run out of credit? */
  get isStalled(): boolean {
    return this.#isStalled
  }

  /** Counts bytes from the client. */
  received(bytes: number): void {
    this.#received += bytes
  }

  /** Counts bytes to the client. */
  sent(bytes: number): void {
    this.#sent += bytes
  }

  /** Starts waiting for the client. */
  start(): void {
    this.#credit = this.#patience
    this.#looked = performance.now()
    this.#timer ??= setInterval(() => this.#look(), Math.min(INTERVAL, this.#patience / 4)).unref()
  }

  /** The client has sent the commands of a push, and now packs it. */
  packs(): void {
    this.#credit = PACKING * this.#patience
  }

  /** Stops watching. */
  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { request, response } = this.#streams
    const now = performance.now()
    // Time in which the event loop was blocked does not count against clients.
    const elapsed = Math.min(now - this.#looked, 2 * INTERVAL)
    this.#looked = now
    const earned = Math.min(2 * this.#patience, this.#credit + (this.#received / RATE) * 1_000)
    this.#credit = Math.max(this.#credit, earned)
    if (this.#sent > 0) this.#credit = Math.max(this.#patience, this.#credit)
    const isUnread = response.readableLength > 0
    const isUnasked = request.readableLength >= request.readableHighWaterMark
    if (isUnread) this.#credit -= elapsed / READING
    else if (!isUnasked) this.#credit -= elapsed
    this.#received = 0
    this.#sent = 0
    if (this.#credit > 0) return
    this.stop()
    this.#isStalled = true
    this.#stalled()
  }
}
