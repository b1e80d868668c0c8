/**
 * Work on what users send that may take long, or more memory than there is: each piece is done in a thread of its own, which ends with it. The file of the
 * thread reads `workerData` and posts one message.
 */
import { once } from 'node:events'
import { type Transferable, Worker } from 'node:worker_threads'
import { currentHolder } from '../kernel/request/holder.ts'
import { threadLimits, WorkSlots } from '../kernel/request/work_slots.ts'

/** A piece of work was given up: it took more time or memory than it may. */
export class WorkTooLarge extends Error {
  override name = 'WorkTooLarge'
}

export interface ThreadLimits {
  /** Of one thread, in megabytes. */
  readonly memory: number
  /** Milliseconds from its start; loading its libraries counts. */
  readonly time: number
}

/**
 * What a thread posts for one piece of work, for callers that bound how many there are.
 * @param transferred what of `asked` is handed over, and not copied
 * @throws WorkTooLarge
 */
export async function runInThread<Answer>(
  file: URL,
  asked: unknown,
  { memory, time }: ThreadLimits,
  transferred: readonly Transferable[] = [],
): Promise<Answer> {
  const resourceLimits = { maxOldGenerationSizeMb: memory }
  const worker = new Worker(file, { workerData: asked, transferList: [...transferred], resourceLimits })
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

const never = new AbortController().signal

/** One kind of work, with slots of its own: a caller has one thread at a time (threadLimits). */
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
   * @param time milliseconds from its start; waiting for a slot does not count
   * @throws WorkTooLarge
   * @throws Refusal 429 or 503 where too many wait for a slot
   */
  async run(asked: Asked, time: number): Promise<Answer> {
    const release = await this.#slots.enter(currentHolder(), never)
    try {
      return await runInThread<Answer>(this.#file, asked, { memory: this.#memory, time })
    } finally {
      release()
    }
  }
}
