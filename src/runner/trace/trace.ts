/** The log of a job: collected here, and sent to the server while it grows (runner protocol c.3 and c.4). */
import { setTimeout as wait } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Coordinator, Report, ReportAnswer } from '../coordinator.ts'
import type { Job } from '../payload.ts'
import { Masking } from './masking.ts'

/** Maximum bytes of a log; later output is dropped. */
const LIMIT = 4 * 1024 * 1024

/** Maximum bytes of one piece. */
const PIECE = 1024 * 1024

/** Seconds between pieces until the server asks for another interval. */
const INTERVAL = 3

/**
 * Seconds between the first pieces, where the server asks for longer ones: who starts a job looks at the beginning of its log, and the server asks for few
 * pieces of a log that nobody has opened yet.
 */
const FIRST = [0.2, 1, 1, 1, 2] as const

/** Seconds without output after which a sign of life is sent. */
const KEEP_ALIVE = 15

/** Milliseconds between attempts of the final report of a job. */
const RETRY = 1000

/** Seconds in which the final report must arrive. */
const PATIENCE = 60

export interface TraceOptions {
  readonly coordinator: Coordinator
  readonly job: Pick<Job, 'id' | 'token'>
  /** Values that must not appear. */
  readonly secrets: Iterable<string>
  /** Called when the server no longer wants the job to run. */
  readonly onAbort: (status: string) => void
}

export class Trace {
  readonly #options: TraceOptions
  readonly #masking: Masking
  #log = Buffer.alloc(64 * 1024)
  #size = 0
  #sent = 0
  #isFull = false
  #interval = INTERVAL
  #isOver = false
  #aborted = false
  readonly #delivery: Promise<void>
  readonly #woken = { wake: () => {} }

  constructor(options: TraceOptions) {
    this.#options = options
    this.#masking = new Masking(options.secrets)
    this.#delivery = this.#deliver()
  }

  /** Adds output of a program. */
  write(bytes: Buffer | string): void {
    this.#append(this.#masking.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes))
  }

  /** Adds a line of the runner itself. */
  line(text: string): void {
    this.write(`${text}\n`)
  }

  /**
   * Sends the rest of the log and the result of the job.
   * @param patience seconds after which it gives up
   */
  async finish(result: Omit<Report, 'output'>, patience = PATIENCE): Promise<void> {
    const end = performance.now() + patience * 1000
    this.#append(this.#masking.end())
    this.#isOver = true
    this.#woken.wake()
    await this.#delivery
    while (performance.now() < end) {
      await this.#flush(end)
      const answer = await this.#tell(() => this.#options.coordinator.update(this.#options.job, { ...result, output: this.#output() }))
      if (answer?.status === 200 || answer?.status === 403 || answer?.status === 404) return
      if (answer && this.#aborted) return
      // The server's log differs from what was sent: sent again from the beginning.
      if (answer?.status === 412) this.#sent = 0
      await wait(RETRY)
    }
  }

  #append(bytes: Buffer): void {
    if (this.#isFull || bytes.length === 0) return
    const room = LIMIT - this.#size
    const notice = `\n\x1b[33;1mThe log is longer than ${LIMIT} bytes; the rest of it is left out.\x1b[0;m\n`
    this.#isFull = bytes.length > room
    const added = this.#isFull ? Buffer.concat([bytes.subarray(0, room), Buffer.from(notice)]) : bytes
    if (this.#size + added.length > this.#log.length) {
      const larger = Buffer.alloc(Math.max(this.#log.length * 2, this.#size + added.length))
      this.#log.copy(larger, 0, 0, this.#size)
      this.#log = larger
    }
    added.copy(this.#log, this.#size)
    this.#size += added.length
  }

  #output() {
    const checksum = crc32(this.#log.subarray(0, this.#size)).toString(16).padStart(8, '0')
    return { checksum: `crc32:${checksum}`, bytesize: this.#size }
  }

  /** Sends pieces until the job is over, the first ones soon after each other. */
  async #deliver(): Promise<void> {
    let last = performance.now()
    const first = FIRST.values()
    const pause = () => this.#pause(Math.min(first.next().value ?? this.#interval, this.#interval))
    await pause()
    while (!this.#isOver) {
      if (this.#sent < this.#size) {
        await this.#sendPiece()
        last = performance.now()
      } else if (performance.now() - last > KEEP_ALIVE * 1000) {
        await this.#tell(() => this.#options.coordinator.update(this.#options.job, { state: 'running', output: this.#output() }))
        last = performance.now()
      }
      await pause()
    }
  }

  async #pause(seconds: number): Promise<void> {
    if (this.#isOver) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, seconds * 1000)
    this.#woken.wake = resolve
    await promise
    clearTimeout(timer)
  }

  /** Sends all remaining pieces, as long as there is time. */
  async #flush(end: number): Promise<void> {
    while (this.#sent < this.#size && performance.now() < end) {
      const before = this.#sent
      const answer = await this.#sendPiece()
      if (answer && (answer.status === 403 || answer.status === 404)) return
      if (this.#sent === before) await wait(RETRY)
    }
  }

  async #sendPiece(): Promise<ReportAnswer | undefined> {
    const { coordinator, job } = this.#options
    const start = this.#sent
    const bytes = new Uint8Array(this.#log.subarray(start, Math.min(this.#size, start + PIECE)))
    const answer = await this.#tell(() => coordinator.patchTrace(job, start, bytes))
    if (answer?.status === 202) this.#sent = start + bytes.length
    if (answer?.status === 416) this.#sent = Math.min(answer.received ?? 0, this.#size)
    return answer
  }

  /** Undefined if the server could not be reached. */
  async #tell(call: () => Promise<ReportAnswer>): Promise<ReportAnswer | undefined> {
    const answer = await call().catch(() => undefined)
    if (!answer) return undefined
    this.#interval = answer.interval ?? this.#interval
    const ended = answer.jobStatus === 'canceled' || answer.jobStatus === 'canceling' || answer.jobStatus === 'failed'
    const gone = answer.status === 403 || (answer.status === 404 && !this.#isOver)
    if ((ended || gone) && !this.#isOver && !this.#aborted) {
      this.#aborted = true
      this.#options.onAbort(answer.jobStatus ?? 'gone')
    }
    return answer
  }
}
