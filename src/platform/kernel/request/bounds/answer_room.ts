/**
 * How many bytes of large answers a process has in memory at a time, for one caller and in all. An answer in JSON is made as a whole, and stays until its
 * client has taken it: slots do not bound that, since they are for work (work_slots.ts). What comes beyond is refused.
 */
import { isAnonymousHolder } from './holder.ts'
import { workRefusal } from './work_slots.ts'

const MEGABYTE = 1024 * 1024

export interface AnswerLimits {
  /** Bytes up to which an answer is not counted. */
  readonly small: number
  /** Bytes of one caller. */
  readonly perCaller: number
  /** Bytes of the callers without an account. */
  readonly anonymous: number
  /** Bytes of all callers. */
  readonly total: number
}

/**
 * In bytes of contents, of which an answer has about three times as many while it is made. One caller can have the largest one, of 64 MB, and small ones
 * beside it; two callers, or those without an account together, leave room for the largest one of another caller.
 */
const answerLimits: AnswerLimits = { small: MEGABYTE, perCaller: 80 * MEGABYTE, anonymous: 160 * MEGABYTE, total: 256 * MEGABYTE }

export class AnswerRoom {
  readonly #limits: AnswerLimits
  readonly #held = new Map<string, number>()

  constructor(limits: AnswerLimits = answerLimits) {
    this.#limits = limits
  }

  /** Bytes that are in memory, of all callers or of some. */
  bytes(isCounted: (holder: string) => boolean = () => true): number {
    let sum = 0
    for (const [holder, bytes] of this.#held) if (isCounted(holder)) sum += bytes
    return sum
  }

  /**
   * Takes room for an answer; the returned function gives it back.
   * @throws Refusal 429 where the caller has too much under way, 503 where all have
   */
  take(holder: string, bytes: number): () => void {
    const { small, perCaller, anonymous, total } = this.#limits
    if (bytes <= small) return () => {}
    const own = this.#held.get(holder) ?? 0
    if (own + bytes > perCaller) throw workRefusal('too_many_requests')
    const isOverAnonymous = isAnonymousHolder(holder) && this.bytes(isAnonymousHolder) + bytes > anonymous
    if (isOverAnonymous || this.bytes() + bytes > total) throw workRefusal('unavailable')
    this.#held.set(holder, own + bytes)
    return () => {
      const left = (this.#held.get(holder) ?? bytes) - bytes
      if (left > 0) this.#held.set(holder, left)
      else this.#held.delete(holder)
    }
  }
}
