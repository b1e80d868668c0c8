/**
 * Searches of regular expressions of users in many texts, or in long ones. Short searches are done where they are asked for, with pauses in between;
 * long ones by a thread, so that ordinary expressions read texts of any length and none holds the process. All searches together have a time.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { RE2JS } from 're2js'
import { breather } from '../kernel/answer/time_slicing.ts'
import { currentHolder } from '../kernel/request/holder.ts'
import { threadLimits, WorkSlots } from '../kernel/request/work_slots.ts'
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
  readonly worker: Worker
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
    const isLong = workOf(pattern, text) > this.#limits.inline
    if (isLong && !this.#aside) this.#aside = await startAside()
    const aside = isLong ? this.#aside : undefined
    const began = performance.now()
    try {
      return aside ? await this.#ask(aside, pattern, text) : pattern.matcher(text).find()
    } finally {
      this.#left -= performance.now() - began
    }
  }

  async #ask({ worker }: Aside, pattern: RE2JS, text: string): Promise<boolean> {
    const asked: AskedSearch = { source: pattern.pattern(), flags: pattern.flags(), text }
    worker.postMessage(asked)
    try {
      const [found]: boolean[] = await once(worker, 'message', { signal: AbortSignal.timeout(Math.ceil(this.#left)) })
      return found === true
    } catch (error) {
      await this.close()
      const tooMuch = (error as Error).name === 'AbortError' || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
      throw tooMuch ? tooLong() : error
    }
  }

  async close(): Promise<void> {
    const aside = this.#aside
    this.#aside = undefined
    await aside?.worker.terminate()
    aside?.release()
  }
}

const tooLong = () => new PatternTooCostly('The regular expressions take too long for these texts')

/** Waits for a slot of the caller, and starts the thread. @throws Refusal where too many wait */
async function startAside(): Promise<Aside> {
  const release = await slots.enter(currentHolder(), never)
  const worker = new Worker(new URL('./search_thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 256 } })
  return { worker, release }
}
