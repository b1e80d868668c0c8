/** Requests to a provider: to the addresses that outbound requests may reach, bounded in time and size. */
import * as client from 'openid-client'
import type { Config } from '../../../platform/config.ts'
import { destinationOf, OutboundRefused } from '../../../platform/outbound/addresses.ts'
import { exchange, OutboundFailed } from '../../../platform/outbound/exchange.ts'
import { type Provider, ProviderFailed } from '../provider.ts'

/** Milliseconds for each request. */
const TIMEOUT = 10_000

/** Bytes of an answer: keys, and a person with many groups, need some of it. */
const LIMIT = 1024 * 1024

/**
 * What asks a provider. One at a private address may be reached at the hosts that the file names for it; other hosts that it leads to, and all of
 * other providers, only as webhooks may be (`INGOT_OUTBOUND_ALLOW`).
 */
export function fetchFor({ outboundAllow }: Pick<Config, 'outboundAllow'>, provider: Provider): client.CustomFetch {
  const { settings, kind, private_address } = provider
  const own = kind.addresses.flatMap(name => (settings[name] === undefined ? [] : [new URL(String(settings[name])).hostname]))
  const allow = private_address ? [...outboundAllow, ...own.map(host => host.replace(/^\[|\]$/g, ''))] : outboundAllow
  return async (address, { body, headers }) => {
    const url = new URL(address)
    try {
      const destination = await destinationOf(url, allow)
      const sent = body === undefined || body === null ? undefined : String(body)
      const answer = await exchange(url, destination, { headers, body: sent, verify: true, timeout: TIMEOUT, limit: LIMIT })
      if (Buffer.byteLength(answer.body) >= LIMIT) throw new ProviderFailed(`${provider.label} answers more than can be read.`)
      const hasBody = answer.status !== 204 && answer.status !== 304
      return new Response(hasBody ? answer.body : null, { status: answer.status, headers: plainHeaders(answer.headers) })
    } catch (error) {
      if (error instanceof OutboundFailed || error instanceof OutboundRefused)
        throw new ProviderFailed(`${provider.label} cannot be reached at the moment. Try again later, or sign in another way.`, {
          cause: error,
        })
      throw error
    }
  }
}

/** Looks at an address of a provider, whatever it answers to that. @throws Error it does not answer, or is broken */
export async function assertReachable(using: Pick<Config, 'outboundAllow'>, provider: Provider, address: string): Promise<void> {
  const { status } = await fetchFor(using, provider)(address, { method: 'GET', body: undefined, headers: {}, redirect: 'manual' })
  if (status >= 500) throw new Error(`${address} answers ${status}`)
}

/** Without the headers of how the body was sent: it is read. */
const plainHeaders = (headers: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(headers).filter(([name]) => !['content-encoding', 'content-length', 'transfer-encoding', 'set-cookie'].includes(name))

/** Asks a provider; all that goes wrong becomes a message for the person, with what it was as its cause. */
export async function asking<T>(provider: Provider, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw failureOf(provider, error)
  }
}

function failureOf({ label }: Provider, error: unknown): unknown {
  if (error instanceof ProviderFailed) return error
  if (error instanceof client.AuthorizationResponseError)
    return error.error === 'access_denied'
      ? new ProviderFailed(`You did not sign in at ${label}, or it does not let you in here.`, { cause: error })
      : new ProviderFailed(`${label} did not sign you in. Try again, or sign in another way.`, { cause: error })
  if (error instanceof client.ClientError && error.cause instanceof ProviderFailed) return error.cause
  const isTheirs =
    error instanceof client.ClientError ||
    error instanceof client.ResponseBodyError ||
    error instanceof client.WWWAuthenticateChallengeError
  return isTheirs
    ? new ProviderFailed(`${label} gave an answer that cannot be trusted. Nothing was changed. Ask an administrator.`, { cause: error })
    : error
}
