/** The log of a job: written here, and delivered to the server while it grows (runner protocol c.3 and c.4). */
import { setTimeout as wait } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Coordinator, Report, Told } from '../coordinator.ts'
import type { Job } from '../payload.ts'
import { Masking } from './masking.ts'

/** Bytes of a log that are kept; what comes after is left out. */
const LIMIT = 4 * 1024 * 1024

/** Bytes of one piece. */
const PIECE = 1024 * 1024

/** Seconds between pieces until the server says otherwise. */
const INTERVAL = 3

/** Seconds without a piece after which the server is told that the job still runs. */
const KEEP_ALIVE = 15

/** Milliseconds between tries of the last words of a job. */
const RETRY = 1000

/** Seconds in which the last words must arrive. */
const PATIENCE = 60

export interface TraceOptions {
  readonly coordinator: Coordinator
  readonly job: Pick<Job, 'id' | 'token'>
  /** Values that are not to be seen. */
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

  /** Adds what a program wrote. */
  write(bytes: Buffer | string): void {
    this.#append(this.#masking.push(typeof bytes === 'string' ? Buffer.from(bytes) : bytes))
  }

  /** Adds a line of the runner's own. */
  line(text: string): void {
    this.write(`${text}\n`)
  }

  /**
   * Delivers the rest of the log and how the job ended.
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
      const told = await this.#tell(() => this.#options.coordinator.update(this.#options.job, { ...result, output: this.#output() }))
      if (told?.status === 200 || told?.status === 403 || told?.status === 404) return
      if (told && this.#aborted) return
      // The server has something else than what was sent: once more from the beginning.
      if (told?.status === 412) this.#sent = 0
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

  /** Delivers until the job is over. The first words go at once. */
  async #deliver(): Promise<void> {
    let last = performance.now()
    await this.#pause(0.2)
    while (!this.#isOver) {
      if (this.#sent < this.#size) {
        await this.#sendPiece()
        last = performance.now()
      } else if (performance.now() - last > KEEP_ALIVE * 1000) {
        await this.#tell(() => this.#options.coordinator.update(this.#options.job, { state: 'running', output: this.#output() }))
        last = performance.now()
      }
      await this.#pause(this.#interval)
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

  /** Sends all that is left, as far as there is time. */
  async #flush(end: number): Promise<void> {
    while (this.#sent < this.#size && performance.now() < end) {
      const before = this.#sent
      const told = await this.#sendPiece()
      if (told && (told.status === 403 || told.status === 404)) return
      if (this.#sent === before) await wait(RETRY)
    }
  }

  async #sendPiece(): Promise<Told | undefined> {
    const { coordinator, job } = this.#options
    const start = this.#sent
    const bytes = new Uint8Array(this.#log.subarray(start, Math.min(this.#size, start + PIECE)))
    const told = await this.#tell(() => coordinator.patchTrace(job, start, bytes))
    if (told?.status === 202) this.#sent = start + bytes.length
    if (told?.status === 416) this.#sent = Math.min(told.received ?? 0, this.#size)
    return told
  }

  /** Undefined where the server could not be reached. */
  async #tell(call: () => Promise<Told>): Promise<Told | undefined> {
    const told = await call().catch(() => undefined)
    if (!told) return undefined
    this.#interval = told.interval ?? this.#interval
    const ended = told.jobStatus === 'canceled' || told.jobStatus === 'canceling' || told.jobStatus === 'failed'
    const gone = told.status === 403 || (told.status === 404 && !this.#isOver)
    if ((ended || gone) && !this.#isOver && !this.#aborted) {
      this.#aborted = true
      this.#options.onAbort(told.jobStatus ?? 'gone')
    }
    return told
  }
}
