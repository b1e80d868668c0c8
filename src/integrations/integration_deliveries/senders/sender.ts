/** What the senders of all kinds of integrations have in common: their settings, requests by the rules for outgoing ones, and steps done once. */

import type { Db } from '../../../platform/db/connection.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { type Destination, destinationOf } from '../../../platform/outbound/addresses.ts'
import { hookDestinations } from '../../../platform/outbound/allowed.ts'
import { type Answered, exchange } from '../../../platform/outbound/exchange.ts'
import { loggedUrl } from '../../../platform/outbound/shown_url.ts'
import { withoutEndingSlashes } from '../../../platform/patterns/slashes.ts'
import { type Properties, propertiesOf } from '../../../spaces/integration_settings/entity.ts'
import type { IntegrationRow } from '../../../spaces/integration_settings/queries.ts'
import { secretsOf, textOfSecret } from '../../../spaces/integration_settings/secrets.ts'
import type { Trigger } from '../../hooks/switches.ts'
import type { Payload } from '../payload.ts'

/** Bytes of an answer that are read, and those of a body that the log shows. */
const MAX_ANSWER = 256 * 1024
const SHOWN = 8 * 1024

/** Timeout of a request, in milliseconds. */
const TIMEOUT = 10_000

/** A request and its answer, as the log shows them. */
export interface LoggedExchange {
  readonly method: string
  readonly url: string
  readonly request: string
  /** Null where none came. */
  readonly status: number | null
  readonly response: string
}

/** A server has answered that it did not do what it was asked for. */
export class AnsweredBadly extends Error {
  readonly status: number

  constructor({ status }: Pick<Answered, 'status'>) {
    super(`The server answered ${status}`)
    this.status = status
  }
}

/** The settings cannot work: another attempt would fail as this one did. */
export class Misconfigured extends Error {}

/** What a sender needs to call a server. */
export interface Outgoing {
  readonly method?: 'GET' | 'POST'
  readonly url: URL
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the certificate is checked; it is unless said. */
  readonly verify?: boolean
  /** Statuses that are no failure besides 2xx. */
  readonly also?: readonly number[]
}

/** Settings of an integration, and the means to act by them. */
export class Sending {
  readonly ctx: Context
  readonly row: Pick<IntegrationRow, 'properties' | 'secrets' | 'slug' | 'switches' | 'comment_on_event_enabled'>
  readonly trigger: Trigger
  readonly payload: Payload
  readonly exchanges: LoggedExchange[] = []
  readonly done: string[]
  readonly #settings: Properties
  readonly #secrets: ReturnType<typeof secretsOf>

  constructor(given: {
    readonly ctx: Context
    readonly row: Sending['row']
    readonly trigger: Trigger
    readonly payload: Payload
    readonly done: readonly string[]
  }) {
    this.ctx = given.ctx
    this.row = given.row
    this.trigger = given.trigger
    this.payload = given.payload
    this.done = [...given.done]
    this.#settings = propertiesOf(given.row)
    this.#secrets = secretsOf(given.ctx.deps, given.row)
  }

  /** A setting as text, with its secret parts; empty where it is not given. */
  text(name: string): string {
    return textOfSecret(this.#secrets, name) ?? String(this.#settings[name] ?? '')
  }

  /** Is a switch on? */
  flag(name: string): boolean {
    return this.#settings[name] === true
  }

  /** An address, with a path after it. */
  address(name: string, path = ''): URL {
    const base = this.text(name)
    const url = URL.parse(path === '' ? base : `${withoutEndingSlashes(base)}${path}`)
    if (!url) throw new Misconfigured(`The setting ${name} is no address`)
    return url
  }

  /** `Authorization` of a user and password; none without a user. */
  basic(): Readonly<Record<string, string>> {
    const [user, password] = [this.text('username'), this.text('password')]
    return user === '' && password === '' ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }
  }

  /** Does a part of the work, unless an earlier attempt has done it. */
  async once(step: string, work: () => Promise<unknown>): Promise<void> {
    if (this.done.includes(step)) return
    await work()
    this.done.push(step)
  }

  /** Calls a server. @throws AnsweredBadly, OutboundFailed, OutboundRefused */
  async call({ method = 'POST', url, body, headers = {}, verify = true, also = [] }: Outgoing): Promise<Answered> {
    const logged = { method, url: loggedUrl(url.href), request: (body ?? '').slice(0, SHOWN) }
    try {
      const destination = await this.#destination(url)
      const content: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const answer = await exchange(url, destination, {
        headers: { 'User-Agent': 'Ingot', Accept: 'application/json', ...content, ...headers },
        body: method === 'GET' ? undefined : (body ?? ''),
        verify,
        timeout: TIMEOUT,
        limit: MAX_ANSWER,
      })
      // PostgreSQL stores every character but NUL.
      this.exchanges.push({ ...logged, status: answer.status, response: answer.body.slice(0, SHOWN).replaceAll('\0', '\uFFFD') })
      if ((answer.status < 200 || answer.status > 299) && !also.includes(answer.status)) throw new AnsweredBadly(answer)
      return answer
    } catch (error) {
      if (!(error instanceof AnsweredBadly)) this.exchanges.push({ ...logged, status: null, response: '' })
      throw error
    }
  }

  async #destination(url: URL): Promise<Destination> {
    return destinationOf(url, await allowedFor(this.ctx.db, this.ctx))
  }
}

const allowedFor = (db: Db, { deps }: Pick<Context, 'deps'>) => hookDestinations(db, deps.config, { isOfInstance: false })

/** Does what an integration is for, as one attempt. */
export type Sender = (sending: Sending) => Promise<void>
