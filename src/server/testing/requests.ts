/** The requests that clients made: what a test can compare, without values that may be secret. */
import { appendFileSync, closeSync, openSync } from 'node:fs'
import { ConfigError } from '../../platform/config.ts'
import { Upload } from '../../platform/kernel/declaration/types.ts'
import { Repeated, type Wire, type WireValue } from '../../platform/kernel/request/wire.ts'

/** What a value is: the name of its type, or that of each part of it. */
export type Shape = string | readonly Shape[] | { readonly [name: string]: Shape }

/** A request as it is kept. */
export interface RecordedRequest {
  readonly method: string
  /** Without the query, as it was sent. */
  readonly path: string
  /** Values by name; those that may be secret are `[masked]`. */
  readonly query: Readonly<Record<string, unknown>>
  /** Null where the connection ended before there was an answer. */
  status: number | null
  /** Types by name: `{"title": "string"}`. Null for requests without a body, and for those whose body is no set of values, as git's. */
  body: Shape | null
  /** Null without an account. */
  user: string | null
  /** Whether the answer was a fault that was asked for. */
  fault: boolean
}

/** The requests that are kept in memory: a server may run for hours. */
const MOST = 10_000

export class RequestRecorder {
  readonly #file: number | undefined
  #requests: RecordedRequest[] = []
  #dropped = 0

  /**
   * @param file each request is added to it as a line of JSON
   * @throws ConfigError it cannot be written
   */
  constructor(file: string | undefined) {
    try {
      this.#file = file === undefined ? undefined : openSync(file, 'a', 0o600)
    } catch (error) {
      throw new ConfigError(`--record: cannot write ${file} (${(error as NodeJS.ErrnoException).code})`)
    }
  }

  /** Keeps a request, which is finished later. */
  begin(request: RecordedRequest): void {
    this.#requests.push(request)
    if (this.#requests.length <= MOST) return
    this.#requests.shift()
    this.#dropped += 1
  }

  /** The request has its answer. */
  finish(request: RecordedRequest): void {
    // Before the client can ask for anything else, so that a test that has its answer finds the line.
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(request)}\n`)
  }

  /** In the order in which they came. */
  get kept(): { readonly requests: readonly RecordedRequest[]; readonly dropped: number } {
    return { requests: this.#requests, dropped: this.#dropped }
  }

  clear(): void {
    this.#requests = []
    this.#dropped = 0
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
  }
}

/** Names of parameters whose values are secret, or may be. */
const SECRET = /token|password|secret|key|code|signature|assertion|credential|saml/i

/** A query as it is kept. */
export const maskedQuery = (query: Wire): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, SECRET.test(name) ? '[masked]' : plain(value)]))

const plain = (value: WireValue): unknown => (value instanceof Repeated ? value.values : value)

/** What a body consists of. */
export function shapeOf(value: WireValue): Shape {
  if (value === null) return 'null'
  if (value instanceof Repeated) return value.values.map(shapeOf)
  if (value instanceof Upload) return 'file'
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, below]) => [name, shapeOf(below)]))
  return typeof value
}
