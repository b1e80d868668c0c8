/**
 * Short work of one kind on what users send: one thread does one piece after the other, and ends when it has nothing to do, so that such work never takes
 * both processors.
 */
import { outsideTransaction } from '../db/handles.ts'
import { currentHolder } from '../kernel/request/bounds/holder.ts'
import { threadLimits, type WorkLimits, WorkSlots } from '../kernel/request/bounds/work_slots.ts'
import { type ThreadLimits, WorkThread } from './work_process.ts'

const never = new AbortController().signal

export interface KeptLimits extends ThreadLimits, Partial<Pick<WorkLimits, 'waiting' | 'patience'>> {}

export class KeptThread<Asked, Answer> {
  readonly #file: URL
  readonly #thread: WorkThread<Asked, Answer>
  readonly #slots: WorkSlots

  /**
   * @param file of the module whose default export is called
   * @param limits of the thread, and of waiting for it: how many may, and how long
   */
  constructor(file: URL, { memory, idle, ...waiting }: KeptLimits) {
    this.#file = file
    this.#thread = new WorkThread({ memory, ...(idle === undefined ? {} : { idle }) })
    this.#slots = new WorkSlots({ ...threadLimits, total: 1, ...waiting })
  }

  /**
   * What the thread finds. A transaction that asks for it is rolled back, and begins again when it is found (`outsideTransaction`).
   * @param time milliseconds; waiting for the thread and its start, which may take longer on a busy machine, do not count
   * @param file of other work, for the same thread; default: its own
   * @throws WorkTooLarge
   * @throws Refusal 429 or 503 where too many wait for the thread
   */
  run(asked: Asked, time: number, file = this.#file): Promise<Answer> {
    return outsideTransaction(this, { asked, file: file.href }, () => this.#do(asked, time, file))
  }

  async #do(asked: Asked, time: number, file: URL): Promise<Answer> {
    const release = await this.#slots.enter(currentHolder(), never)
    try {
      return await this.#thread.run(file, asked, time)
    } finally {
      release()
    }
  }

  /** Ends the thread. The next piece of work starts another one. */
  stop(): void {
    this.#thread.end()
  }
}
