/** Work on what users send that may take long, or more memory than there is: each piece is done in a thread of its own, which ends with it. */
import { outsideTransaction } from '../db/handles.ts'
import { currentHolder } from '../kernel/request/bounds/holder.ts'
import { threadLimits, WorkSlots } from '../kernel/request/bounds/work_slots.ts'
import { WorkThread } from './work_process.ts'

export { WorkTooLarge } from './work_process.ts'

export interface PieceLimits {
  /** Of the thread, in megabytes. */
  readonly memory: number
  /** Milliseconds; starting the thread and loading the module do not count. */
  readonly time: number
}

/**
 * What the default export of a module returns for one piece of work, for callers that bound how many there are.
 * @throws WorkTooLarge
 */
export async function runInThread<Answer>(file: URL, asked: unknown, { memory, time }: PieceLimits): Promise<Answer> {
  const thread = new WorkThread<unknown, Answer>({ memory })
  try {
    return await thread.run(file, asked, time)
  } finally {
    thread.end()
  }
}

const never = new AbortController().signal

/** One kind of work, with slots of its own: a caller has one thread at a time (threadLimits). */
export class ThreadedWork<Asked, Answer> {
  readonly #file: URL
  readonly #memory: number
  readonly #slots = new WorkSlots(threadLimits)

  /**
   * @param file of the module whose default export is called
   * @param memory of one thread, in megabytes
   */
  constructor(file: URL, memory: number) {
    this.#file = file
    this.#memory = memory
  }

  /**
   * What the module returns for this piece. It may wait for others: a transaction that asks for it is rolled back, and begins again when it is done
   * (`outsideTransaction`).
   * @param time milliseconds; waiting for a slot and the start do not count
   * @throws WorkTooLarge
   * @throws Refusal 429 or 503 where too many wait for a slot
   */
  run(asked: Asked, time: number): Promise<Answer> {
    return outsideTransaction(this, asked, () => this.#do(asked, time))
  }

  async #do(asked: Asked, time: number): Promise<Answer> {
    const release = await this.#slots.enter(currentHolder(), never)
    try {
      return await runInThread<Answer>(this.#file, asked, { memory: this.#memory, time })
    } finally {
      release()
    }
  }
}
