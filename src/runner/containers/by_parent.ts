/**
 * Containers for an executor without rights: its parent carries the orders out. Each piece of a stream is answered before the next one is sent, so that
 * neither process collects what the other one does not take.
 */
import type { ChildProcess } from 'node:child_process'
import type { Outcome } from '../executors/shell.ts'
import type { Containers, Streams } from './engine.ts'
import type { Order } from './orders.ts'

/** What an executor asks for, by the number of the call. */
export type Asked = { readonly call: number } & (
  | { readonly job: number; readonly order: Order }
  | { readonly input: Uint8Array | null }
  | { readonly taken: true }
  | { readonly stop: true }
)

/** What its parent answers. */
export type Answered = { readonly call: number } & (
  | { readonly output: Uint8Array }
  | { readonly said: Uint8Array }
  | { readonly taken: true }
  | { readonly ended: Ended }
)

/** An outcome without what cannot be sent. */
type Ended = { readonly code: number } | { readonly stopped: true } | { readonly unstartable: string }

const endedBy = (outcome: Outcome): Ended =>
  outcome.kind === 'exited'
    ? { code: outcome.code }
    : outcome.kind === 'stopped'
      ? { stopped: true }
      : { unstartable: outcome.error.message }

/** A promise that can be waited for once, and made again. */
class Turn {
  #turn = Promise.withResolvers<void>()

  async wait(): Promise<void> {
    await this.#turn.promise
    this.#turn = Promise.withResolvers()
  }

  give(): void {
    this.#turn.resolve()
  }
}

/** A call that is carried out. */
interface Served {
  readonly stop: AbortController
  /** The executor has taken the last piece of output. */
  readonly taken: Turn
  readonly input: Input
}

/** Nothing is taken any more: what waits for that goes on, and finds its command ended. */
function end({ stop, taken }: Served): void {
  stop.abort()
  taken.give()
}

/** The orders of an executor, as its parent carries them out. */
export class ServedContainers {
  readonly #containers: Containers
  readonly #send: (answer: Answered) => void
  readonly #calls = new Map<number, Served>()

  constructor(containers: Containers, send: (answer: Answered) => void) {
    this.#containers = containers
    this.#send = send
  }

  /** Takes a message of the executor. */
  take(asked: Asked): void {
    const { call } = asked
    if ('order' in asked) return void this.#begin(call, asked.job, asked.order)
    const running = this.#calls.get(call)
    if (!running) return
    if ('stop' in asked) end(running)
    else if ('taken' in asked) running.taken.give()
    else running.input.push(asked.input)
  }

  async #begin(call: number, job: number, order: Order): Promise<void> {
    const running = { stop: new AbortController(), taken: new Turn(), input: new Input(() => this.#send({ call, taken: true })) }
    this.#calls.set(call, running)
    const { signal } = running.stop
    const outcome = await this.#containers.run(job, order, {
      ...(order.do === 'put' && { input: running.input.pieces() }),
      onOutput: async output => {
        this.#send({ call, output })
        await running.taken.wait()
      },
      onError: said => this.#send({ call, said }),
      signal,
    })
    this.#calls.delete(call)
    this.#send({ call, ended: endedBy(outcome) })
  }

  /** Ends what runs: the executor has ended. */
  stop(): void {
    for (const running of this.#calls.values()) end(running)
  }
}

/** Pieces that come by messages. */
class Input {
  readonly #pieces: (Uint8Array | null)[] = []
  readonly #onTaken: () => void
  #more = Promise.withResolvers<void>()

  constructor(onTaken: () => void) {
    this.#onTaken = onTaken
  }

  push(piece: Uint8Array | null): void {
    this.#pieces.push(piece)
    this.#more.resolve()
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = this.#pieces.shift()
      if (piece === null) return
      if (piece) {
        yield piece
        this.#onTaken()
        continue
      }
      this.#more = Promise.withResolvers()
      await this.#more.promise
    }
  }
}

/** The containers of an executor, which asks its parent. `take` gets the answers. */
export class AskedContainers implements Containers {
  readonly mayShareNetwork: boolean
  readonly #send: (asked: Asked) => void
  readonly #calls = new Map<number, (answer: Answered) => void>()
  #last = 0

  constructor(mayShareNetwork: boolean, send: (asked: Asked) => void) {
    this.mayShareNetwork = mayShareNetwork
    this.#send = send
  }

  take(answer: Answered): void {
    this.#calls.get(answer.call)?.(answer)
  }

  run(job: number, order: Order, { input, onOutput, onError, signal }: Streams): Promise<Outcome> {
    if (signal.aborted) return Promise.resolve({ kind: 'stopped', reason: signal.reason })
    this.#last += 1
    const call = this.#last
    const taken = new Turn()
    const stop = () => this.#send({ call, stop: true })
    return new Promise<Outcome>(resolve => {
      this.#calls.set(call, answer => {
        if ('output' in answer) void this.#passOn(call, answer.output, onOutput)
        else if ('said' in answer) onError?.(answer.said)
        else if ('taken' in answer) taken.give()
        else {
          this.#calls.delete(call)
          taken.give()
          signal.removeEventListener('abort', stop)
          const { ended } = answer
          if (signal.aborted || 'stopped' in ended) resolve({ kind: 'stopped', reason: signal.reason })
          else
            resolve('code' in ended ? { kind: 'exited', code: ended.code } : { kind: 'unstartable', error: new Error(ended.unstartable) })
        }
      })
      signal.addEventListener('abort', stop, { once: true })
      this.#send({ call, job, order })
      if (input) void this.#give(call, input, taken)
    })
  }

  async #passOn(call: number, output: Uint8Array, onOutput: Streams['onOutput']): Promise<void> {
    try {
      await onOutput?.(output)
      this.#send({ call, taken: true })
    } catch {
      this.#send({ call, stop: true })
    }
  }

  async #give(call: number, input: AsyncIterable<Uint8Array>, taken: Turn): Promise<void> {
    try {
      for await (const piece of input) {
        if (!this.#calls.has(call)) return
        this.#send({ call, input: piece })
        await taken.wait()
      }
      this.#send({ call, input: null })
    } catch {
      this.#send({ call, stop: true })
    }
  }
}

/** Sends a message to a child that may have ended: its end is reported by an event of its own. */
export const toChild =
  (child: ChildProcess) =>
  (engine: Answered): void => {
    if (child.connected) child.send({ engine }, () => {})
  }
