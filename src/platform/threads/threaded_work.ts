/**
 * Work on what users send that may take long, or more memory than there is: each piece is done in a thread of its own, which ends with it. A caller has one
 * at a time (threadLimits). The file of the thread reads `workerData` and posts one message.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { currentHolder } from '../kernel/request/holder.ts'
import { threadLimits, WorkSlots } from '../kernel/request/work_slots.ts'

/** A piece of work was given up: it took more time or memory than it may. */
export class WorkTooLarge extends Error {
  override name = 'WorkTooLarge'
}

const never = new AbortController().signal

/** One kind of work, with slots of its own. */
export class ThreadedWork<Asked, Answer> {
  readonly #file: URL
  readonly #memory: number
  readonly #slots = new WorkSlots(threadLimits)

  /**
   * @param file of the thread, beside the source that names it
   * @param memory of one thread, in megabytes
   */
  constructor(file: URL, memory: number) {
    this.#file = file
    this.#memory = memory
  }

  /**
   * What the thread posts for this piece.
   * @param time milliseconds from its start; loading its libraries counts, waiting for a slot does not
   * @throws WorkTooLarge
   * @throws Refusal 429 or 503 where too many wait for a slot
   */
  async run(asked: Asked, time: number): Promise<Answer> {
    const release = await this.#slots.enter(currentHolder(), never)
    try {
      return await this.#inThread(asked, time)
    } finally {
      release()
    }
  }

  async #inThread(asked: Asked, time: number): Promise<Answer> {
    const worker = new Worker(this.#file, { workerData: asked, resourceLimits: { maxOldGenerationSizeMb: this.#memory } })
    try {
      const [answer] = await once(worker, 'message', { signal: AbortSignal.timeout(time) })
      return answer as Answer
    } catch (error) {
      const { name, code } = error as NodeJS.ErrnoException
      const isTooLarge = name === 'AbortError' || code === 'ERR_WORKER_OUT_OF_MEMORY'
      throw isTooLarge ? new WorkTooLarge('The work takes too much time or memory', { cause: error }) : error
    } finally {
      await worker.terminate()
    }
  }
}
