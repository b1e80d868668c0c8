/** Files that go to an address that a user has given, or come from one: to the checked destination and no further. */
import http from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { assertNoTransaction } from '../db/handles.ts'
import type { Destination } from './addresses.ts'
import { headersOf, OutboundFailed } from './exchange.ts'

/** Milliseconds without a byte until the other side is given up. */
const PATIENCE = 60_000

/** Milliseconds for the whole. */
const WHOLE = 3 * 60 * 60 * 1000

/** A transfer that is slower than this holds up those after it for no use: bytes in each window, of so many milliseconds. */
const LEAST = { bytes: 2 * 1024 * 1024, window: 60_000 } as const

/** Keeps a transfer to a least rate: by the bytes that came and the time, it says whether they still come fast enough. */
export function pace({ bytes, window }: { readonly bytes: number; readonly window: number }, start: number) {
  let since = start
  let seen = 0
  return (count: number, now: number): boolean => {
    seen += count
    if (now - since < window) return true
    // Windows without a byte are those of a connection that is given up otherwise.
    const isFast = seen / (now - since) >= bytes / window
    since = now
    seen = 0
    return isFast
  }
}

/** Passes bytes on, and fails where they come too slowly. */
function paced(): Transform {
  const isFast = pace(LEAST, performance.now())
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (isFast(chunk.length, performance.now())) done(null, chunk)
      else done(new OutboundFailed('The transfer is too slow'))
    },
  })
}

interface Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds without a byte until the other side is given up. */
  readonly patience?: number
}

/** @param isHeldUp says that nobody takes what has come, so that no more is read: the other side is not slow then */
function open(url: URL, destination: Destination, { method, headers, patience = PATIENCE }: Request, isHeldUp = () => false) {
  assertNoTransaction()
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const authorization =
    url.username === '' && url.password === ''
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`).toString('base64')}`,
        }
  const request = (url.protocol === 'https:' ? https : http).request({
    method,
    // The checked address, whatever the name resolves to now; the certificate is for the name.
    host: destination.address,
    family: destination.family,
    port: destination.port,
    ...(isIP(destination.host) === 0 ? { servername: destination.host } : {}),
    path: `${url.pathname}${url.search}`,
    headers: { ...authorization, ...headers, host: url.host },
    agent: false,
    timeout: patience,
    signal: AbortSignal.timeout(WHOLE),
  })
  request.on('timeout', () => {
    if (isHeldUp()) request.setTimeout(patience)
    else request.destroy(new OutboundFailed('No answer in time'))
  })
  request.on('response', resolve)
  request.on('error', error => reject(error instanceof OutboundFailed ? error : new OutboundFailed('No connection', { cause: error })))
  // A request may fail before its answer is waited for.
  promise.catch(() => {})
  return { request, answered: promise }
}

/**
 * Sends a file. Redirects are not followed.
 * @throws OutboundFailed also for an answer that is not 2xx
 */
export async function sendFile(
  url: URL,
  destination: Destination,
  file: { readonly method: 'PUT' | 'POST'; readonly mediaType: string; readonly size: number; readonly bytes: Readable },
): Promise<void> {
  const { method, mediaType, size, bytes } = file
  const { request, answered } = open(url, destination, { method, headers: { 'content-type': mediaType, 'content-length': String(size) } })
  try {
    // What answers early need not have read all.
    const sent = pipeline(bytes, paced(), request).catch(error => {
      if (error instanceof OutboundFailed) request.destroy(error)
    })
    const response = await answered
    response.resume()
    const { statusCode = 0 } = response
    if (statusCode < 200 || statusCode >= 300) throw new OutboundFailed(`The server answered ${statusCode}`)
    await sent
  } finally {
    bytes.destroy()
    request.destroy()
  }
}

/** An answer that is read as it comes. */
export interface Download {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** Fails where the bytes stop, come too slowly, or the connection ends early. */
  readonly body: Readable
  /** Closes the connection. To be called also where all was read. */
  close(): void
}

/** How an answer is read. */
interface Reading {
  /** The reader may take its time, up to that of the whole: nothing but a client waits for the end. */
  readonly atLeisure?: boolean
}

/** Asks for something that may be large. Redirects are not followed. @throws OutboundFailed where there is no answer */
export async function download(url: URL, destination: Destination, asked: Request, { atLeisure = false }: Reading = {}): Promise<Download> {
  const body = atLeisure ? new PassThrough() : paced()
  const { request, answered } = open(url, destination, asked, () => atLeisure && body.writableNeedDrain)
  try {
    request.end()
    const response = await answered
    pipeline(response, body).catch(() => {})
    return { status: response.statusCode ?? 0, headers: response.headers, body, close: () => request.destroy() }
  } catch (error) {
    request.destroy()
    throw error
  }
}

/** What came in the place of a file. */
export interface NoFile {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Fetches a file. Redirects are not followed; `use` gets the bytes, and must stop reading where they are too many.
 * @throws OutboundFailed also for an answer that is not 200
 */
export async function fetchFile<T>(
  url: URL,
  destination: Destination,
  use: (bytes: Readable, size: number | undefined) => Promise<T>,
): Promise<T> {
  const outcome = await fetchAnswer(url, destination, use)
  if ('used' in outcome) return outcome.used
  throw new OutboundFailed(`The server answered ${outcome.status}`)
}

/** The same with headers, and with the answer that is not 200. @throws OutboundFailed */
export async function fetchAnswer<T>(
  url: URL,
  destination: Destination,
  use: (bytes: Readable, size: number | undefined) => Promise<T>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly used: T } | NoFile> {
  const { status, headers: said, body, close } = await download(url, destination, { method: 'GET', headers })
  try {
    if (status !== 200) return { status, headers: headersOf({ headers: said }) }
    const length = Number(said['content-length'])
    return { used: await use(body, Number.isSafeInteger(length) ? length : undefined) }
  } finally {
    close()
  }
}
