/**
 * A client over real HTTP that sends exactly what it is given: `fetch` would tidy up addresses (`//`, `%2E`) that the
 * server must understand as they are (decision 18).
 */
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** What came back. `headers` and `bytes` are not enumerable, so that `deepEqual` compares status and body. */
export interface Answer {
  readonly status: number
  /** Parsed JSON; a text for other types; undefined for no body. */
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect
  readonly body: any
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

/** A value of a query string; lists and hashes nest as `a[]=1` and `a[k]=1`. */
export type QueryValue = string | number | boolean | readonly QueryValue[] | { readonly [key: string]: QueryValue | undefined }
export type Query = { readonly [key: string]: QueryValue | undefined }

/** An object is sent as JSON; the others as what they are. */
export type RequestBody = object | string | Buffer | URLSearchParams | FormData

export interface RequestOptions {
  readonly query?: Query
  readonly body?: RequestBody
  readonly headers?: Readonly<Record<string, string | string[]>>
}

/** A sender of requests. Paths are below `/api/v4`, unless they are whole addresses (`http://...`, as in links). */
export interface Client {
  get(path: string, query?: Query, headers?: RequestOptions['headers']): Promise<Answer>
  head(path: string, query?: Query, headers?: RequestOptions['headers']): Promise<Answer>
  delete(path: string, query?: Query, headers?: RequestOptions['headers']): Promise<Answer>
  post(path: string, body?: RequestBody, headers?: RequestOptions['headers']): Promise<Answer>
  put(path: string, body?: RequestBody, headers?: RequestOptions['headers']): Promise<Answer>
  patch(path: string, body?: RequestBody, headers?: RequestOptions['headers']): Promise<Answer>
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
}

/** Where a client's requests go, and what is done with each answer before the test sees it. `inspect` returns what the test sees. */
export interface Connection {
  /** Without a slash at the end. */
  readonly url: string
  readonly agent: Agent
  inspect(answer: Answer, request: string): Answer
}

/** A client that sends these headers with every request. */
export function clientOf(connection: Connection, always: Readonly<Record<string, string>>): Client {
  const request = (method: string, path: string, options: RequestOptions = {}) => send(connection, always, method, path, options)
  return {
    get: (path, query = {}, headers = {}) => request('GET', path, { query, headers }),
    head: (path, query = {}, headers = {}) => request('HEAD', path, { query, headers }),
    delete: (path, query = {}, headers = {}) => request('DELETE', path, { query, headers }),
    post: (path, body, headers = {}) => request('POST', path, { ...(body && { body }), headers }),
    put: (path, body, headers = {}) => request('PUT', path, { ...(body && { body }), headers }),
    patch: (path, body, headers = {}) => request('PATCH', path, { ...(body && { body }), headers }),
    request,
  }
}

async function send(
  { url, agent, inspect }: Connection,
  always: Readonly<Record<string, string>>,
  method: string,
  path: string,
  { query, body, headers }: RequestOptions,
): Promise<Answer> {
  const search = query ? encodeQuery(query) : ''
  const address =
    (path.startsWith('http://') ? path.slice(url.length) : `/api/v4${path}`) + (search && (path.includes('?') ? '&' : '?') + search)
  const { type, bytes } = await encodeBody(body)
  const { hostname, port } = new URL(url)
  const answer = await new Promise<Answer>((resolve, reject) => {
    const request = httpRequest(
      {
        agent,
        hostname,
        port,
        method,
        path: address,
        headers: {
          ...(type && { 'content-type': type }),
          ...(bytes && { 'content-length': bytes.length }),
          ...always,
          ...headers,
        },
      },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () => resolve(answerOf(response.statusCode as number, response.headers, Buffer.concat(chunks))))
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(bytes)
  })
  return inspect(answer, `${method} ${address}`)
}

/** The answer with this status, these headers and these bytes. */
export function answerOf(status: number, raw: IncomingHttpHeaders | Record<string, unknown>, bytes: Buffer): Answer {
  const headers = Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, String(value)]))
  const json = /^application\/(\w+\+)?json\b/.test(headers['content-type'] ?? '')
  const text = decodedAs(headers['content-encoding'], bytes).toString('utf8')
  const answer = { status, body: bytes.length === 0 ? undefined : json ? JSON.parse(text) : text }
  return Object.defineProperties(answer as Answer, { headers: { value: headers }, bytes: { value: bytes } })
}

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync }

/** The text of an answer in a content coding, if it has one. */
const decodedAs = (coding: string | undefined, bytes: Buffer): Buffer =>
  bytes.length === 0 ? bytes : (decoders[coding ?? '']?.(bytes) ?? bytes)

/** A body as bytes, with the content type it has. */
export async function encodeBody(body: RequestBody | undefined): Promise<{ type?: string; bytes?: Buffer }> {
  if (body === undefined) return {}
  if (Buffer.isBuffer(body)) return { bytes: body }
  if (typeof body === 'string') return { bytes: Buffer.from(body) }
  if (body instanceof URLSearchParams) return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(body.toString()) }
  if (body instanceof FormData) {
    const encoded = new Response(body)
    return { type: encoded.headers.get('content-type') as string, bytes: Buffer.from(await encoded.arrayBuffer()) }
  }
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) }
}

/** A query string, nested the way clients nest it (document 1 "Request conventions" 3). */
export function encodeQuery(query: Query): string {
  return Object.entries(query)
    .flatMap(([key, value]) => pairsOf(key, value))
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
}

function pairsOf(key: string, value: QueryValue | undefined): [string, string][] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value.flatMap(item => pairsOf(`${key}[]`, item))
  if (typeof value === 'object') return Object.entries(value).flatMap(([name, item]) => pairsOf(`${key}[${name}]`, item))
  return [[key, String(value)]]
}
