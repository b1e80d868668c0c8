/**
 * Short work of one kind on what users send: one thread does one piece after the other, and ends when it has nothing to do, so that such work never takes
 * both processors. The file of the thread has a default export, which is called with the piece.
 */
import { Piscina } from 'piscina'
import { currentHolder } from '../kernel/request/holder.ts'
import { threadLimits, type WorkLimits, WorkSlots } from '../kernel/request/work_slots.ts'
import { WorkTooLarge } from './threaded_work.ts'

/** Milliseconds after which a thread without work ends. */
const IDLE = 30_000

const never = new AbortController().signal

export class KeptThread<Asked, Answer> {
  readonly #file: URL
  readonly #memory: number
  readonly #nothing: Asked
  readonly #slots: WorkSlots
  #threads: Piscina<Asked, Answer> | undefined

  /**
   * @param file of the thread, beside the source that names it
   * @param memory of the thread, in megabytes
   * @param nothing a piece without any work, by which the thread is there before the first one counts its time
   * @param waiting for the thread: how many may, and how long
   */
  constructor(file: URL, memory: number, nothing: Asked, waiting: Partial<Pick<WorkLimits, 'waiting' | 'patience'>>) {
    this.#file = file
    this.#memory = memory
    this.#nothing = nothing
    this.#slots = new WorkSlots({ ...threadLimits, total: 1, ...waiting })
  }

  /**
   * What the thread finds.
   * @param time milliseconds; waiting for the thread and its start, which may take longer on a busy machine, do not count
   * @param file of other work, for the same thread; default: its own
   * @throws WorkTooLarge
   * @throws Refusal 429 or 503 where too many wait for the thread
   */
  async run(asked: Asked, time: number, file = this.#file): Promise<Answer> {
    const release = await this.#slots.enter(currentHolder(), never)
    try {
      const threads = this.#opened()
      if (threads.threads.length === 0) await threads.run(this.#nothing)
      return await threads.run(asked, { signal: AbortSignal.timeout(time), filename: file.href })
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException
      const isTooLarge = name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
      throw isTooLarge ? new WorkTooLarge('The work takes too much time or memory', { cause: error }) : error
    } finally {
      release()
    }
  }

  /** Ends the thread. The next piece of work starts another one. */
  async stop(): Promise<void> {
    const ending = this.#threads
    this.#threads = undefined
    await ending?.destroy()
  }

  #opened(): Piscina<Asked, Answer> {
    this.#threads ??= new Piscina({
      filename: this.#file.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE,
      resourceLimits: { maxOldGenerationSizeMb: this.#memory },
    })
    return this.#threads
  }
}
