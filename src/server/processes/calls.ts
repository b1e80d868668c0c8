/**
 * Calls between two processes, over the channel that Node opens between them. What is given and returned is JSON; an error arrives as an error with its
 * message, a refusal as a refusal, and any other value that is thrown as that value.
 */
import { Refusal, type RefusalKind } from '../../platform/kernel/errors.ts'

/** What the other process may call, by name. */
// biome-ignore lint/suspicious/noExplicitAny: what is called says what it takes
export type Callable = Readonly<Record<string, (...given: any[]) => unknown>>

interface Question {
  readonly asks: string
  readonly id: number
  readonly given: readonly unknown[]
}

/** How a call ended. */
interface Answer {
  readonly answers: number
  readonly result?: unknown
  readonly thrown?: unknown
  readonly error?: string
  readonly refusal?: { readonly kind: RefusalKind; readonly body: unknown; readonly headers: Record<string, string> }
}

const isObject = (message: unknown): message is object => typeof message === 'object' && message !== null
const isQuestion = (message: unknown): message is Question => isObject(message) && 'asks' in message
const isAnswer = (message: unknown): message is Answer => isObject(message) && 'answers' in message

export class Calls {
  readonly #send: (message: Question | Answer) => void
  readonly #callable: Callable
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>()
  #last = 0
  #isOver = false

  /** @param send sends a message to the other process; its messages are given to `heard` */
  constructor(send: (message: object) => void, callable: Callable) {
    this.#send = send
    this.#callable = callable
  }

  /** Calls what the other process has under this name. @throws what it throws there, or Error where the other process has ended */
  async call<T>(name: string, ...given: readonly unknown[]): Promise<T> {
    if (this.#isOver) throw new Error('the other process has ended')
    const id = ++this.#last
    const answer = Promise.withResolvers<unknown>()
    this.#open.set(id, answer)
    this.#send({ asks: name, id, given })
    return answer.promise as Promise<T>
  }

  /** Takes a message of the other process. */
  heard(message: unknown): void {
    if (isQuestion(message)) void this.#answer(message)
    else if (isAnswer(message)) this.#take(message)
  }

  /** The other process has ended: it answers nothing any more. */
  end(): void {
    this.#isOver = true
    for (const { reject } of this.#open.values()) reject(new Error('the other process has ended'))
    this.#open.clear()
  }

  async #answer({ asks, id, given }: Question): Promise<void> {
    const answer = await this.#outcomeOf(asks, given)
    if (!this.#isOver) this.#send({ answers: id, ...answer })
  }

  async #outcomeOf(name: string, given: readonly unknown[]): Promise<Omit<Answer, 'answers'>> {
    try {
      const called = Object.hasOwn(this.#callable, name) ? this.#callable[name] : undefined
      if (!called) throw new Error(`there is nothing to call as ${name}`)
      return { result: await called(...given) }
    } catch (error) {
      if (error instanceof Refusal) return { refusal: { kind: error.kind, body: error.body, headers: error.headers } }
      return error instanceof Error ? { error: error.message } : { thrown: error }
    }
  }

  #take({ answers, result, thrown, error, refusal }: Answer): void {
    const open = this.#open.get(answers)
    this.#open.delete(answers)
    if (refusal) open?.reject(new Refusal(refusal.kind, refusal.body, refusal.headers))
    else if (error !== undefined) open?.reject(new Error(error))
    else if (thrown !== undefined) open?.reject(thrown)
    else open?.resolve(result)
  }
}
