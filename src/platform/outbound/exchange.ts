/** An HTTP exchange with an address that a user has given: to the checked destination and no further. */
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { assertNoTransaction } from '../db/handles.ts'
import type { Destination } from './addresses.ts'

/** No answer: no connection, an untrusted certificate, or a timeout. The message may be shown. */
export class OutboundFailed extends Error {}

export interface Exchange {
  readonly headers: Readonly<Record<string, string>>
  /** The body to post; undefined for GET. */
  readonly body: string | undefined
  /** Whether the certificate must be valid. */
  readonly verify: boolean
  /** Milliseconds for the whole exchange: connecting, sending, and reading the answer. */
  readonly timeout: number
  /** Limit of the bytes read of the answer's body. */
  readonly limit: number
}

/** The answer; redirects are not followed. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Up to the limit, decoded as UTF-8. */
  readonly body: string
}

/**
 * Sends a request to a URL over a new connection to `destination`. The URL's user and password become basic authentication.
 * @throws OutboundFailed
 */
export async function exchange(url: URL, destination: Destination, { headers, body, verify, timeout, limit }: Exchange): Promise<Answered> {
  assertNoTransaction()
  const signal = AbortSignal.timeout(timeout)
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const request = (url.protocol === 'https:' ? https : http).request({
    method: body === undefined ? 'GET' : 'POST',
    // The checked address, whatever the name resolves to now; the certificate is for the name.
    host: destination.address,
    family: destination.family,
    port: destination.port,
    ...(isIP(destination.host) === 0 ? { servername: destination.host } : {}),
    rejectUnauthorized: verify,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...credentialsIn(url),
      ...headers,
      host: url.host,
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    agent: false,
    signal,
  })
  request.on('response', resolve)
  request.on('error', reject)
  request.end(body)
  try {
    const response = await promise
    return { status: response.statusCode as number, headers: headersOf(response), body: await beginningOf(response, limit) }
  } catch (error) {
    throw new OutboundFailed(signal.aborted ? `No answer within ${timeout / 1000} seconds` : reasonOf(error as NodeJS.ErrnoException))
  } finally {
    request.destroy()
  }
}

function credentialsIn({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** The headers of an answer, those given several times with commas. */
export const headersOf = ({ headers }: Pick<http.IncomingMessage, 'headers'>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))

/** The rest is not read: the connection is closed. */
async function beginningOf(response: http.IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8')
}

/** The message is empty if several addresses were tried. */
const reasonOf = ({ message, code }: NodeJS.ErrnoException): string => message || code || 'The connection failed'
