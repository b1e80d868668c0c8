/**
 * Threads for work on what users send, in a process beside the server. Node ends a thread that reaches the limit of its memory little by little; where one
 * large piece of memory does not fit, it ends the whole process (`FATAL ERROR: Reached heap limit`), which a text of some thousand characters can bring about.
 * So that process is not the server's. It starts with the first piece of work, ends when it has had none for a while, and ends with the server, however
 * that ends. Pieces that were under way when another one ended it are done again, each in a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { currentHolder } from '../kernel/request/bounds/holder.ts'
import { threadLimits, WorkSlots } from '../kernel/request/bounds/work_slots.ts'
import type { Answered, End, Outcome, Piece } from './messages.ts'

/** A piece of work was given up: it took more time or memory than it may. */
export class WorkTooLarge extends Error {
  override name = 'WorkTooLarge'

  constructor(options?: ErrorOptions) {
    super('The work takes too much time or memory', options)
  }
}

/** Milliseconds after which a thread without work ends, unless its limits say otherwise. */
const IDLE = 30_000

/** Milliseconds after which a process without work ends: it takes some 45 MB, and starting it keeps a page waiting. */
const KEPT = 300_000

/** Characters of its standard error that are kept. */
const SAID = 2_000

const flags = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8']

/** What lets Node load the program where it is installed as a package (`bin/installed.mjs`). */
const loaders = process.execArgv.filter(flag => flag.startsWith('--import='))

/** What a piece ends as: it was `alone` where the process ended and no other piece was under way. */
type Ended = Outcome | { readonly alone: boolean }

class WorkProcess {
  readonly #child: ChildProcess
  readonly #pending = new Map<number, (ended: Ended) => void>()
  #last = 0
  #idle: NodeJS.Timeout | undefined
  /** The end of what the process writes to its standard error. */
  #said = ''

  constructor() {
    const cache = getCompileCacheDir()
    this.#child = spawn(process.execPath, [...flags, ...loaders, join(import.meta.dirname, 'program.ts')], {
      // The environment of the server is not passed on, because it holds secrets.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: cache },
      // Where memory ends the process, Node writes a trace of thirty lines, which are none of the server's log.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    this.#child.on('message', (message: Answered) => this.#settle(message.piece, message))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#said = (this.#said + text).slice(-SAID)
    })
    this.#child.once('error', error => this.#die({ error })).once('close', (code: number | null) => this.#die(this.#endedBy(code)))
    this.#hold('unref')
  }

  /** Work under way keeps the server alive, also until the end of the process is known. */
  #hold(change: 'ref' | 'unref'): void {
    const stderr = this.#child.stderr as Socket | null
    for (const handle of [this.#child, this.#child.channel, stderr]) handle?.[change]()
  }

  /** Rejects for what cannot be sent. */
  run(piece: Omit<Piece, 'piece'>): Promise<Ended> {
    clearTimeout(this.#idle)
    this.#last += 1
    const number = this.#last
    const { promise, resolve } = Promise.withResolvers<Ended>()
    if (this.#pending.size === 0) this.#hold('ref')
    this.#pending.set(number, resolve)
    try {
      this.send({ ...piece, piece: number })
    } catch (error) {
      this.#settle(number, { error: error as Error })
    }
    this.#keep()
    return promise
  }

  send(message: Piece | End): void {
    // If the channel has broken, `exit` follows and settles everything.
    if (this.#child.connected) this.#child.send(message, undefined, {}, () => {})
  }

  /** Ends the process, which no piece waits for. */
  end(): void {
    clearTimeout(this.#idle)
    if (current === this) current = undefined
    if (this.#child.connected) this.#child.disconnect()
  }

  /** Keeps the process while pieces are under way, and after the last one. */
  #keep(): void {
    this.#idle = setTimeout(() => (this.#pending.size > 0 ? this.#keep() : this.end()), KEPT).unref()
  }

  #settle(number: number, ended: Ended): void {
    const resolve = this.#pending.get(number)
    this.#pending.delete(number)
    if (this.#pending.size === 0) this.#hold('unref')
    resolve?.(ended)
  }

  /** Memory ends a process by a signal. A process that ends by itself is broken. */
  #endedBy(code: number | null): Ended {
    if (code === null) return { alone: this.#pending.size === 1 }
    return { error: new Error(`the work process ended with ${code}: ${this.#said}`) }
  }

  #die(ended: Ended): void {
    clearTimeout(this.#idle)
    if (current === this) current = undefined
    for (const number of [...this.#pending.keys()]) this.#settle(number, ended)
  }
}

let current: WorkProcess | undefined

const shared = (): WorkProcess => {
  current ??= new WorkProcess()
  return current
}

/** Slots of pieces that are done alone: a caller whose pieces end processes has one, and keeps nobody else waiting. */
const slots = new WorkSlots({ ...threadLimits, total: 4 })
const never = new AbortController().signal

/** @throws Refusal 429 or 503 where too many wait */
async function runAlone(piece: Omit<Piece, 'piece'>): Promise<Ended> {
  const release = await slots.enter(currentHolder(), never)
  const own = new WorkProcess()
  try {
    return await own.run(piece)
  } finally {
    own.end()
    release()
  }
}

let threads = 0

export interface ThreadLimits {
  /** Of the thread, in megabytes. */
  readonly memory: number
  /** Milliseconds that it is kept without work; default: 30 seconds. */
  readonly idle?: number
}

/** A thread of the work process, for one piece at a time. It starts with the first one, and starts again after it has ended. */
export class WorkThread<Asked, Answer> {
  readonly #limits: Required<ThreadLimits>
  readonly #thread: number
  #process: WorkProcess | undefined

  constructor(limits: ThreadLimits) {
    this.#limits = { idle: IDLE, ...limits }
    threads += 1
    this.#thread = threads
  }

  /**
   * What the default export of a module returns for this piece; both are copied, as `structuredClone` does.
   * @param time milliseconds; starting the thread and loading the module, which may take longer on a busy machine, do not count
   * @throws WorkTooLarge
   * @throws Refusal 429 or 503 where too many pieces are done again
   */
  async run(file: URL, asked: Asked, time: number): Promise<Answer> {
    const piece = { ...this.#limits, thread: this.#thread, file: file.href, asked, time }
    this.#process = shared()
    const ended = await this.#process.run(piece)
    // Another piece may have ended the process: this one shows alone whether it does.
    return answerOf('alone' in ended && !ended.alone ? await runAlone(piece) : ended) as Answer
  }

  /** Ends the thread. */
  end(): void {
    this.#process?.send({ end: this.#thread })
    this.#process = undefined
  }
}

function answerOf(ended: Ended): unknown {
  if ('answer' in ended) return ended.answer
  throw 'error' in ended ? Object.assign(new Error(ended.error.message), ended.error) : new WorkTooLarge()
}
