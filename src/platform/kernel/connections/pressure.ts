/**
 * How much a process has to do. Where requests come faster than they can be answered, all of them become slow, and none is refused. So while the process
 * is busy, no more are taken than it answers within a time.
 */
import { performance } from 'node:perf_hooks'

/** What the process has done since it started, in milliseconds. */
export interface Clock {
  readonly now: number
  /** Of these the ones in which its event loop waited for something to do. */
  readonly idle: number
}

/** How much a process takes. */
interface Bound {
  /** Milliseconds in which what is under way is answered, by what the process has answered lately. */
  readonly within: number
  /** Requests that are taken in any case: with more under way more are answered, since their statements share messages. */
  readonly least: number
}

/** A client with many requests at a time is no overload: what it sends is read as it comes, and it waits for nothing but the answers. */
const USUAL: Bound = { within: 600, least: 100 }

/**
 * Where more is refused than answered, clients wait for long until their request is read, and so do those whose request is taken. The time of an answer
 * counts from the connection: both together stay below the two seconds that an answer under overload may take, on a slow machine too.
 */
const CROWDED: Bound = { within: 200, least: 12 }

/** What the process did in a part of the time. */
interface Moment {
  /** Milliseconds in which it was busy. */
  readonly busy: number
  /** Milliseconds. */
  readonly length: number
  /** Requests that it answered. */
  readonly answered: number
  /** Requests and connections that it refused. */
  readonly refused: number
}

/** The least length of a moment, in milliseconds. */
const MOMENT = 25

/** Moments that are looked at for what the process can do. */
const REMEMBERED = 40

/** Until something was measured: 400 requests a second. */
const ASSUMED: Moment = { busy: 250, length: 250, answered: 100, refused: 0 }

/** Moments by which the process is busy or is not. */
const LATEST = 2

/** Share of the time from which a process is busy. */
const BUSY = 0.95

/** Milliseconds after which a request is not counted as one that waits for the process: it waits for a network, or waits by design. */
const LONG = 5_000

/** Parts of that time, by which the requests are counted. */
const PARTS = 50

const clockOfProcess = (): Clock => ({ now: performance.now(), idle: performance.eventLoopUtilization().idle })

/** Counts the ordinary requests of a process, and says which are too many. */
export class Pressure {
  readonly #hasQueue: () => boolean
  readonly #clock: () => Clock
  readonly #moments: Moment[] = [ASSUMED]
  /** Requests under way by the part of the time in which they came, modulo `PARTS`. */
  readonly #came = Array<number>(PARTS).fill(0)
  #underWay = 0
  #answered = 0
  #refused = 0
  #part: number
  #last: Clock

  /** @param hasQueue does work wait for the database? Then the process is busy, idle as it may be itself */
  constructor(hasQueue: () => boolean, clock: () => Clock = clockOfProcess) {
    this.#hasQueue = hasQueue
    this.#clock = clock
    this.#last = clock()
    this.#part = partOf(this.#last)
  }

  /** Takes a request or refuses it. @returns whether it is taken */
  admits(): boolean {
    this.#look()
    const isTaken = !this.#isBusy() || this.#underWay < this.#most()
    if (!isTaken) this.noteRefusal()
    return isTaken
  }

  /** Counts what was refused for another reason than this one: there were too many connections. */
  noteRefusal(): void {
    this.#refused += 1
  }

  /** Counts a request from the moment at which nothing but the process is waited for. @returns what says, once, that its answer is made */
  begin(): () => void {
    this.#look()
    const part = this.#part
    this.#underWay += 1
    this.#count(part, 1)
    return () => {
      this.#answered += 1
      this.#look()
      if (this.#part - part >= PARTS) return
      this.#underWay -= 1
      this.#count(part, -1)
    }
  }

  #count(part: number, change: 1 | -1): void {
    this.#came[part % PARTS] = (this.#came[part % PARTS] as number) + change
  }

  /** Ends the moment, if it is long enough. */
  #look(): void {
    const clock = this.#clock()
    const length = clock.now - this.#last.now
    if (length < MOMENT) return
    const busy = this.#hasQueue() ? length : length - (clock.idle - this.#last.idle)
    this.#moments.push({ busy, length, answered: this.#answered, refused: this.#refused })
    if (this.#moments.length > REMEMBERED) this.#moments.shift()
    this.#answered = 0
    this.#refused = 0
    this.#last = clock
    this.#forget(partOf(clock))
  }

  /** Counts no longer what came too long before this part of the time. */
  #forget(part: number): void {
    const first = Math.max(this.#part + 1, part - PARTS + 1)
    for (let each = first; each <= part; each++) {
      this.#underWay -= this.#came[each % PARTS] as number
      this.#came[each % PARTS] = 0
    }
    this.#part = part
  }

  #isBusy(): boolean {
    return this.#moments.length >= LATEST && this.#moments.slice(-LATEST).every(({ busy, length }) => busy > BUSY * length)
  }

  /** Requests that may be under way, by what the process has answered and refused lately. */
  #most(): number {
    let answered = 0
    let refused = 0
    let busy = 0
    for (const moment of this.#moments) {
      answered += moment.answered
      refused += moment.refused
      busy += moment.busy
    }
    const { within, least } = refused > answered ? CROWDED : USUAL
    return Math.max(least, (answered / busy) * within)
  }
}

const partOf = ({ now }: Clock): number => Math.floor(now / (LONG / PARTS))
