/**
 * How long a command may wait for its client. Any movement in either direction renews the patience; what the client sends does so in proportion, at
 * the pace that bodies of HTTP requests must have. Time in which the server itself does not read is not counted.
 */
import type { PassThrough } from 'node:stream'

/** Bytes a second that keep the credit as it is: 64 kbit/s. */
const RATE = 8 * 1024

/** How often the streams are looked at, in milliseconds. */
const INTERVAL = 1_000

/** A client that has sent the commands of a push packs its objects before it sends one: so many times the patience. */
const PACKING = 20

/** A client that reads slowly may take so many times the patience. */
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
   * @param patience milliseconds of credit at the beginning; quick bytes earn up to twice as much
   * @param stalled is called once, when no credit is left
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

  /** Counts what comes from the client. */
  received(bytes: number): void {
    this.#received += bytes
  }

  /** Counts what goes to the client. */
  sent(bytes: number): void {
    this.#sent += bytes
  }

  /** From now on the client is waited for. */
  start(): void {
    this.#credit = this.#patience
    this.#looked = performance.now()
    this.#timer ??= setInterval(() => this.#look(), Math.min(INTERVAL, this.#patience / 4)).unref()
  }

  /** The client has said what it will push, and now packs it. */
  packs(): void {
    this.#credit = PACKING * this.#patience
  }

  /** Watches nothing any more. */
  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { request, response } = this.#streams
    const now = performance.now()
    // A loop that was held says nothing about clients.
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
