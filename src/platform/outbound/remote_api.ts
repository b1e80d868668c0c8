/**
 * The API of another server, read on behalf of a user. The other server is not trusted: what it answers is bounded in bytes, values, requests and time,
 * each request goes to an address that was checked, and the credentials go to the host that they were given for and no other.
 */
import type { Readable } from 'node:stream'
import { JsonTooComplex, parseJson, standardJsonBounds } from '../bounded_json.ts'
import type { Secret } from '../secret.ts'
import { destinationOf } from './addresses.ts'
import { exchange, OutboundFailed } from './exchange.ts'
import { fetchAnswer } from './transfer.ts'

/** What reading from one server may come to, for one task. */
export interface RemoteLimits {
  /** Requests. */
  readonly requests: number
  /** Bytes of one answer, and of all of them. */
  readonly answer: number
  readonly bytes: number
  /** Values of one answer. */
  readonly values: number
  /** Milliseconds for one answer, and from the first request to the last one. */
  readonly patience: number
  readonly milliseconds: number
}

const MEGABYTE = 1024 * 1024
const MINUTE = 60_000

export const remoteLimits: RemoteLimits = {
  requests: 20_000,
  answer: 16 * MEGABYTE,
  bytes: 1024 * MEGABYTE,
  values: 1_000_000,
  patience: MINUTE / 2,
  milliseconds: 60 * MINUTE,
}

/** An answer of the other server that cannot be used. The message may be shown to the user who asked. */
export class RemoteRefused extends Error {
  override name = 'RemoteRefused'
  /** The status of the answer; undefined where the reason is another. */
  readonly status: number | undefined

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** The other server wants to be asked later. */
export class RemoteBusy extends Error {
  override name = 'RemoteBusy'
  readonly seconds: number

  constructor(seconds: number) {
    super('The server wants to be asked later')
    this.seconds = seconds
  }
}

/** An answer. */
export interface RemoteAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The JSON of the body. */
  readonly value: unknown
}

/** Longest and shortest time that the other server may ask for, in seconds. */
const LONGEST_WAIT = 60 * 60
const SHORTEST_WAIT = 1

/** Rows of a page that are asked for. */
const PER_PAGE = 100

/** Redirects of one file that are followed. */
const MOST_REDIRECTS = 3

/** How a server is asked. */
export interface RemoteOptions {
  /** With credentials: secrets, each with what stands before it. */
  readonly headers: Readonly<Record<string, readonly [before: string, secret: Secret]>>
  readonly allow: readonly string[]
  readonly now: () => Date
  readonly limits?: RemoteLimits
}

/** One server, for one task. */
export class RemoteApi {
  readonly #base: string
  readonly #headers: RemoteOptions['headers']
  readonly #allow: readonly string[]
  readonly #limits: RemoteLimits
  #requests = 0
  #bytes = 0
  readonly #now: () => Date
  readonly #until: number

  /**
   * @param base address that the paths are appended to: `https://git.example.com/api/v4`
   * @param headers with the credentials
   * @param allow what the setting `outboundAllow` allows
   * @param now the time
   */
  constructor(base: string, { headers, allow, now, limits = remoteLimits }: RemoteOptions) {
    this.#base = base
    this.#headers = headers
    this.#allow = allow
    this.#limits = limits
    this.#now = now
    this.#until = now().getTime() + limits.milliseconds
  }

  /** The address of a path of the API. */
  addressOf(path: string): URL {
    return new URL(`${this.#base}${path}`)
  }

  #sent(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.#headers).map(([name, [before, secret]]) => [name, `${before}${secret.reveal()}`]))
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.bytes) throw new RemoteRefused(`The server answered more than ${this.#limits.bytes} bytes in all`)
  }

  #begin(): void {
    if (++this.#requests > this.#limits.requests) throw new RemoteRefused(`The server needs more than ${this.#limits.requests} requests`)
    if (this.#now().getTime() > this.#until) throw new RemoteRefused('The server answers too slowly')
  }

  /**
   * Asks for a path, or posts a body to it. Redirects are not followed.
   * @throws OutboundFailed OutboundRefused for no connection; RemoteBusy; RemoteRefused for a body that is too long or no JSON
   */
  async ask(path: string, body?: object): Promise<RemoteAnswer> {
    this.#begin()
    const url = this.addressOf(path)
    const { answer, values, patience } = this.#limits
    const {
      status,
      headers,
      body: text,
    } = await exchange(url, await destinationOf(url, this.#allow), {
      headers: {
        ...this.#sent(),
        accept: 'application/json',
        'user-agent': 'Ingot',
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      verify: true,
      timeout: patience,
      limit: answer + 1,
    })
    const bytes = Buffer.byteLength(text)
    this.#count(bytes)
    const wait = waitOf(status, headers, this.#now())
    if (wait !== undefined) throw new RemoteBusy(wait)
    if (status >= 500) throw new OutboundFailed(`The server answered ${status}`)
    if (status >= 300 && status < 400)
      throw new RemoteRefused(`The server answered with a redirect (${status}): give its real address`, status)
    if (bytes > answer) throw new RemoteRefused(`The server answered more than ${answer} bytes`, status)
    return { status, headers, value: parsed(text, status, values) }
  }

  /** The JSON at a path. @throws RemoteRefused for another status than 2xx, beside what `ask` throws */
  async get(path: string): Promise<RemoteAnswer> {
    const answer = await this.ask(path)
    if (answer.status >= 200 && answer.status < 300) return answer
    throw new RemoteRefused(`The server answered ${answer.status}: ${path.split('?')[0]}`, answer.status)
  }

  /**
   * The pages of a list. Whether there is another one is said by the headers, or by a page that is full; no total and no address of the other server is
   * believed.
   * @param what is listed, for messages
   * @param most pages
   * @throws RemoteRefused for more pages than may be, beside what `get` throws
   */
  async *pages(path: string, what: string, most: number): AsyncGenerator<unknown[], void, void> {
    const link = `${path}${path.includes('?') ? '&' : '?'}per_page=${PER_PAGE}`
    for (let page = 1; page <= most; page++) {
      const { value, headers } = await this.get(`${link}&page=${page}`)
      if (!Array.isArray(value) || value.length > PER_PAGE)
        throw new RemoteRefused(`The server answered something else than a page of ${what}`)
      if (value.length > 0) yield value
      const isLast = !headers['x-next-page'] && !/rel="?next"?/.test(headers.link ?? '')
      if (value.length === 0 || (value.length < PER_PAGE && isLast)) return
    }
    throw new RemoteRefused(`The server has more than ${most} pages of ${what}`)
  }

  /**
   * Fetches a file. A redirect is followed to another address, without the credentials where its host is another one.
   * @throws OutboundFailed OutboundRefused RemoteBusy RemoteRefused
   */
  async file<T>(path: string, use: (bytes: Readable, size: number | undefined) => Promise<T>): Promise<T> {
    const first = this.addressOf(path)
    let url = first
    for (let redirects = 0; ; redirects++) {
      this.#begin()
      const headers = url.origin === first.origin ? this.#sent() : {}
      const outcome = await fetchAnswer(url, await destinationOf(url, this.#allow), use, { ...headers, 'user-agent': 'Ingot' })
      if ('used' in outcome) return outcome.used
      const wait = waitOf(outcome.status, outcome.headers, this.#now())
      if (wait !== undefined) throw new RemoteBusy(wait)
      if (outcome.status >= 500) throw new OutboundFailed(`The server answered ${outcome.status}`)
      const next = nextAddress(url, outcome)
      if (!next || redirects >= MOST_REDIRECTS)
        throw new RemoteRefused(`The server answered ${outcome.status} in the place of a file`, outcome.status)
      url = next
    }
  }
}

/** Where a redirect leads; undefined where there is none that may be followed: encrypted connections stay so. */
function nextAddress(
  from: URL,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): URL | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  const url = URL.parse(location, from)
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && from.protocol === 'http:')
  return isWeb ? (url ?? undefined) : undefined
}

/** Seconds until the other server may be asked again; undefined where it does not say that it is too much. Others say so with 403 and their quota. */
function waitOf(status: number, headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const isSpent = status === 403 && (headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined)
  if (status !== 429 && !isSpent) return undefined
  const after = Number(headers['retry-after'])
  const reset = Number(headers['ratelimit-reset'] ?? headers['x-ratelimit-reset']) - now.getTime() / 1000
  const seconds = headers['retry-after'] !== undefined && Number.isFinite(after) ? after : Number.isFinite(reset) ? reset : 60
  return Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, Math.ceil(seconds)))
}

function parsed(text: string, status: number, most: number): unknown {
  if (text.trim() === '') return null
  try {
    return parseJson(text, { ...standardJsonBounds, values: most })
  } catch (error) {
    if (error instanceof JsonTooComplex) throw new RemoteRefused('The server answered too many values', status)
    // What is refused need not be JSON: a page of a proxy.
    if (status >= 400) return null
    throw new RemoteRefused('The server answered something else than JSON', status, { cause: error })
  }
}
