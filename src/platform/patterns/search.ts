/**
 * Searches of regular expressions of users in many texts, or in long ones. Short searches are done where they are asked for, with pauses in between;
 * long ones by a thread, so that ordinary expressions read texts of any length and none holds the process. All searches together have a time.
 */
import type { RE2JS } from 're2js'
import { isInTransaction, outsideTransaction } from '../db/handles.ts'
import { breather } from '../kernel/answer/time_slicing.ts'
import { currentHolder } from '../kernel/request/bounds/holder.ts'
import { threadLimits, WorkSlots } from '../kernel/request/bounds/work_slots.ts'
import { WorkThread, WorkTooLarge } from '../threads/work_process.ts'
import { PatternTooCostly, workOf } from './patterns.ts'

/** What the thread is asked, and it answers whether the expression is found. */
export interface AskedSearch {
  readonly source: string
  readonly flags: number
  readonly text: string
}

export interface SearchLimits {
  /** Steps times characters of a search that is done where it is asked for: some milliseconds at worst. */
  readonly inline: number
  /** Milliseconds for all searches together. */
  readonly time: number
}

const standard: SearchLimits = { inline: 200_000, time: 10_000 }

const slots = new WorkSlots(threadLimits)
const never = new AbortController().signal

interface Aside {
  readonly thread: WorkThread<AskedSearch, boolean>
  readonly release: () => void
}

/** The searches of one piece of work, one after the other; `close` ends its thread. */
export class PatternSearch {
  readonly #limits: SearchLimits
  readonly #pause = breather()
  #left: number
  #aside: Aside | undefined

  constructor(limits: SearchLimits = standard) {
    this.#limits = limits
    this.#left = limits.time
  }

  /** Is the expression found anywhere in the text? @throws PatternTooCostly where the time of all searches is over */
  async isFound(pattern: RE2JS, text: string): Promise<boolean> {
    await this.#pause()
    if (this.#left <= 0) throw tooLong()
    if (workOf(pattern, text) > this.#limits.inline) {
      const asked = { source: pattern.pattern(), flags: pattern.flags(), text }
      // A transaction that waits for it is rolled back and begun again: this object is closed by then, and its thread is not used.
      return isInTransaction() ? outsideTransaction(PatternSearch, asked, () => PatternSearch.alone(asked, this.#limits)) : this.#ask(asked)
    }
    const began = performance.now()
    try {
      return pattern.matcher(text).find()
    } finally {
      this.#left -= performance.now() - began
    }
  }

  /** One search with a thread of its own. */
  static async alone(asked: AskedSearch, limits: SearchLimits): Promise<boolean> {
    const search = new PatternSearch(limits)
    try {
      return await search.#ask(asked)
    } finally {
      search.close()
    }
  }

  async #ask(asked: AskedSearch): Promise<boolean> {
    this.#aside ??= await startAside()
    const { thread } = this.#aside
    const began = performance.now()
    try {
      return await thread.run(new URL('./search_thread.ts', import.meta.url), asked, Math.ceil(this.#left))
    } catch (error) {
      this.close()
      throw error instanceof WorkTooLarge ? tooLong() : error
    } finally {
      this.#left -= performance.now() - began
    }
  }

  close(): void {
    const aside = this.#aside
    this.#aside = undefined
    aside?.thread.end()
    aside?.release()
  }
}

const tooLong = () => new PatternTooCostly('The regular expressions take too long for these texts')

/** Waits for a slot of the caller. @throws Refusal where too many wait */
async function startAside(): Promise<Aside> {
  const release = await slots.enter(currentHolder(), never)
  return { thread: new WorkThread({ memory: 256 }), release }
}
